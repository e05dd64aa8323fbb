// What a run and its steps mean for the screens that show them. Pure.
import type { LinkProps } from '@tanstack/react-router'
import type {
  PlaybookApproval,
  PlaybookRun,
  PlaybookRunAction,
  PlaybookRunPart,
  PlaybookRunSummary,
  TargetKind,
} from '@watchroom/shared/playbooks'
import { formatDuration } from '@watchroom/shared/time'

import { parseMoment } from '../../ui/formatTime.ts'

export interface RunParts {
  readonly run: PlaybookRun | null
  readonly steps: readonly Step[]
  readonly approvals: readonly PlaybookApproval[]
}

/** A step as the list of steps shows it. */
export interface Step extends PlaybookRunAction {
  /** 1 for the first attempt; a retry is a step of its own. */
  readonly attempt: number
}

/** Of a run that failed before its first step: what was prepared stands for a step of its own (second specification, section 4). */
export const INITIALIZATION = 'initialization'

export function toRunParts(rows: readonly PlaybookRunPart[]): RunParts {
  const run = rows.find((row) => row.kind === 'run') ?? null
  const actions = rows.filter((row) => row.kind === 'action').toSorted(inTime)
  return {
    run,
    steps: [...(run === null ? [] : toInitialization(run)), ...withAttempts(actions)],
    approvals: rows.filter((row) => row.kind === 'approval'),
  }
}

function inTime(one: PlaybookRunAction, other: PlaybookRunAction): number {
  const at = (action: PlaybookRunAction): number => {
    const moment = parseMoment(action.start_time ?? action.scheduled_time)
    return Number.isNaN(moment) ? Number.MAX_SAFE_INTEGER : moment
  }
  return at(one) - at(other)
}

function toInitialization(run: PlaybookRun): Step[] {
  if (run.status !== 'failed' || !run.error) return []
  return [
    {
      id: INITIALIZATION,
      name: 'Initialization',
      status: 'failed',
      start_time: run.start_time ?? run.scheduled_time ?? run.created_at,
      scheduled_time: null,
      end_time: run.end_time,
      error: run.error,
      agent_id: null,
      attempt: 1,
    },
  ]
}

function withAttempts(actions: readonly PlaybookRunAction[]): Step[] {
  const attempts = new Map<string, number>()
  return actions.map((action) => {
    const attempt = (attempts.get(action.name) ?? 0) + 1
    attempts.set(action.name, attempt)
    return { ...action, attempt }
  })
}

/** A skipped step has nothing to show. */
export const isSelectable = ({ status }: Pick<Step, 'status'>): boolean => status !== 'skipped'

/** The step of the address, or else the last one that has begun. */
export function selectedStep(steps: readonly Step[], wanted: string): Step | null {
  const selectable = steps.filter(isSelectable)
  return (
    selectable.find(({ id }) => id === wanted) ??
    selectable.findLast(({ status }) => status !== 'scheduled') ??
    selectable.at(-1) ??
    null
  )
}

/** Milliseconds between two moments of a row; null where one is missing. */
export function spanMs(from: string | null | undefined, to: string | number | null | undefined): number | null {
  const span = parseMoment(to) - parseMoment(from)
  return Number.isNaN(span) ? null : Math.max(0, span)
}

/** `3m 20s`: what is watched is read to the second. */
export function toDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 60_000) return formatDuration(ms < 1_000 ? ms : Math.floor(ms / 100) * 100)
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`
}

/** `to` and what goes with it: where it is shown. */
interface RunTarget extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly kind: TargetKind
  readonly id: string
  readonly name: string
}

/** What a run runs on; null where it runs on nothing. */
export function targetOf(run: PlaybookRunSummary): RunTarget | null {
  const { config_id: configId, component_id: componentId, check_id: checkId } = run
  if (configId)
    return { ...toTarget('config', configId, run.config?.name), to: '/catalog/$id', params: { id: configId } }
  if (componentId) {
    return {
      ...toTarget('component', componentId, run.component?.name),
      to: '/topology/$id',
      params: { id: componentId },
    }
  }
  if (checkId) return { ...toTarget('check', checkId, run.check?.name), to: '/health', search: { checkId } }
  return null
}

/** Why a run failed; null where it did not. */
export function whyOf({ status, error, failed }: PlaybookRunSummary): string | null {
  if (status !== 'failed') return error || null
  const step = failed?.[0]
  return error || (step ? [step.name, step.error].filter(Boolean).join(': ') : null)
}

export const TARGET_WORDS = { config: 'Config item', component: 'Component', check: 'Check' } as const

const toTarget = (kind: RunTarget['kind'], id: string, name: string | null | undefined) => ({
  kind,
  id,
  name: name || TARGET_WORDS[kind],
})

export const titleOf = (
  playbook: { title?: string | null | undefined; name?: string | null | undefined } | null | undefined,
): string => playbook?.title || playbook?.name || 'Playbook'
