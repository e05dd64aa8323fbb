// Runs the checks of this agent: those of its files, and those that the upstream assigned to it.
import type { PushedResult } from '@watchroom/shared/agents/upstream'
import { MAX_DETAILS_LENGTH, toBoundedText, toStoredDuration } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { CheckOutcome } from '../check-runner/contract.ts'
import { type CheckRun, createScheduler, type ScheduledCheck } from '../check-runner/createScheduler.ts'
import type { FolderRules } from '../check-runner/folderRules.ts'
import { RUN_DEADLINE_MARGIN_MS, runCheck } from '../check-runner/runCheck.ts'
import { toOutcome } from '../check-runner/toOutcome.ts'
import type { Executor } from '../executor/contract.ts'
import { openSocket } from '../platform/openSocket.ts'
import type { AgentOptions } from './options.ts'
import type { AgentCheck } from './toDefinitions.ts'

export interface AgentChecks {
  /** From now on these run and no others; what was edited runs soon. */
  set(checks: readonly AgentCheck[]): void
  size(): number
  /** Programs of checks run by this from now on; before, not at all. */
  executeWith(executor: Executor): void
  close(): Promise<void>
}

export interface AgentChecksDeps {
  readonly options: Pick<AgentOptions, 'data' | 'exec' | 'folderRoots'>
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  readonly onResult: (result: PushedResult) => void
}

export function createAgentChecks({ options, clock, logger, random, onResult }: AgentChecksDeps): AgentChecks {
  const checks = new Map<string, AgentCheck>()
  const assignedFolders: FolderRules = { roots: options.folderRoots, hidden: [options.data], own: [] }
  /** The operator wrote the files, and could look there without us. */
  const ownFolders: FolderRules = { ...assignedFolders, roots: ['/'] }
  let executor: Executor | null = null

  const scheduler = createScheduler<CheckOutcome>({
    clock,
    random,
    execute: (id, signal) => {
      const known = checks.get(id)
      if (!known) return Promise.reject(new Error('check was removed'))
      const mayExecute = known.isAssigned ? options.exec === 'on' : options.exec !== 'off'
      const folders = known.isAssigned ? assignedFolders : ownFolders
      const wayOut = { open: openSocket }
      const deps = { signal, clock, logger, folders, wayOut, ...(mayExecute && executor && { executor }) }
      return runCheck({ ...known.check, id }, deps)
    },
    record: (run) => {
      if (run.ending.kind === 'failed') {
        logger.error({ err: run.ending.error, checkId: run.id }, 'check run failed for a reason of our own')
      }
      const known = checks.get(run.id)
      if (known) onResult(toResult(run, known))
    },
  })

  function set(wantedChecks: readonly AgentCheck[]): void {
    const wanted = new Set(wantedChecks.map(({ id }) => id))
    for (const id of checks.keys()) {
      if (wanted.has(id)) continue
      checks.delete(id)
      scheduler.remove(id)
    }
    const edited = wantedChecks.filter((check) => {
      const before = checks.get(check.id)
      return before && JSON.stringify(before.check) !== JSON.stringify(check.check)
    })
    for (const check of wantedChecks) checks.set(check.id, check)
    scheduler.set(wantedChecks.map(toScheduled))
    scheduler.runSoon(edited.map(({ id }) => id))
  }

  return {
    set,
    size: () => checks.size,
    executeWith: (given) => {
      executor = given
    },
    close: () => scheduler.close(),
  }
}

function toScheduled({ id, schedule, check }: AgentCheck): ScheduledCheck {
  return {
    id,
    lane: check.type,
    schedule,
    deadlineMs: check.timeoutMs + RUN_DEADLINE_MARGIN_MS,
    lastRuntime: null,
    nextRuntime: null,
  }
}

function toResult(run: CheckRun<CheckOutcome>, { check }: AgentCheck): PushedResult {
  const outcome = toOutcome(run)
  const length = outcome.details === undefined ? 0 : JSON.stringify(outcome.details).length
  return {
    check_id: run.id,
    time: new Date(run.startedAt).toISOString(),
    duration: toStoredDuration(outcome.durationMs),
    status: outcome.passed,
    ...(outcome.invalid ? { invalid: true } : {}),
    message: outcome.message === undefined ? null : toBoundedText(outcome.message),
    error: outcome.error === undefined ? null : toBoundedText(outcome.error),
    details: length > MAX_DETAILS_LENGTH ? { omitted: `${length} characters` } : (outcome.details ?? null),
    severity: check.severity,
    next_runtime: run.nextDueAt === null ? null : new Date(run.nextDueAt).toISOString(),
  }
}
