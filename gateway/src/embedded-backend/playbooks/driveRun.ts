// Takes one run from where it stands to its end. What it knows stands in the rows: whoever takes it up after a crash goes on from them.
import { type Clock, NIL_UUID, messageOf } from '@watchroom/shared/kernel'
import { isEnded, type PlaybookAction, type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import { tryParseDuration } from '@watchroom/shared/time'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { collectSecrets, maskDocument, maskText } from '../../check-runner/maskOutcome.ts'
import type { LeftFile } from '../../executor/contract.ts'
import { withDeadline } from '../../platform/withDeadline.ts'
import type { DoingKind, Step, StepDeps, StepOutcome } from '../../step-runner/contract.ts'
import { createOutputWriter } from '../../step-runner/createOutputWriter.ts'
import { PORTABLE_STEPS, runStep } from '../../step-runner/runStep.ts'
import { maskFile } from '../../step-runner/stepFile.ts'
import { overdueText, timeoutOf } from '../../step-runner/stepTime.ts'
import { NotAsked, TemplateFault } from '../../step-runner/templateFault.ts'
import { fillEnv, isTrue, type Scope } from '../../step-runner/templates.ts'
import type { Vault } from '../secrets/createVault.ts'
import { agentsOf } from './agentSteps.ts'
import { createWaits, type RunHandle } from './createWaits.ts'
import { describeFaults, readTarget, targetsOf, toScope, toSeen } from './readScope.ts'
import { type NotificationCall, type NotificationDeps, runNotification } from './runNotification.ts'
import type { ActionStart, RunStore, StoredAction, StoredRun } from './runStore.ts'

const STEPS: { readonly [Kind in DoingKind]: Step<Kind, NotificationCall> } = {
  ...PORTABLE_STEPS,
  notification: runNotification,
}

export interface DriveDeps extends StepDeps, NotificationDeps {
  readonly store: RunStore
  readonly vault: Vault
  /** Opens the values of secret parameters. */
  readonly openSealed: (sealed: string) => Record<string, string>
  /** Lets so many steps of all runs work at once. */
  readonly takeTurn: <Value>(work: () => Promise<Value>) => Promise<Value>
}

export const CANCELLED = 'cancelled'

/** Of a condition that could not be asked. */
const MAX_CONDITION_TRIES = 4
const CONDITION_RETRY_MS = 1_000
const INTERRUPTED = 'The backend ended while this step ran. What it did by then is not known'

export async function driveRun(runId: string, deps: DriveDeps, handle: RunHandle): Promise<void> {
  const run = await deps.store.find(runId)
  if (!run || isEnded(run.status) || run.status === 'pending') return
  let secrets: readonly string[] = []
  try {
    const opened = await deps.store.whileAway(() => open(run, deps))
    secrets = opened.secrets
    const prepared = await deps.store.whileAway(() => prepare(run, opened, deps))
    await createDrive(run, prepared, deps, handle).toEnd()
  } catch (error) {
    if (handle.signal.aborted) return
    if (!(error instanceof TemplateFault)) deps.logger.error({ err: error, runId }, 'a playbook run failed')
    const reason =
      error instanceof TemplateFault
        ? maskText(error.message, secrets)
        : 'internal error of the playbook runner; see the log'
    await deps.store.setRun(runId, 'failed', { error: reason })
    await deps.store.endLeft(runId)
  }
}

interface Opened {
  /** With its secrets in place. */
  readonly spec: PlaybookSpec
  /** Values of secret parameters. */
  readonly sealed: Readonly<Record<string, string>>
  /** Longest first. */
  readonly secrets: readonly string[]
}

interface Prepared extends Opened {
  readonly scope: Record<string, unknown>
  readonly env: Readonly<Record<string, string>>
  readonly actions: readonly StoredAction[]
}

/** @throws TemplateFault when the run cannot begin */
async function open(run: StoredRun, { pool, vault, openSealed }: DriveDeps): Promise<Opened> {
  const stored = (await vault.list(pool, 'playbooks', [run.playbook_id])).get(run.playbook_id) ?? []
  if (stored.length > 0 && !run.has_same_spec) {
    throw new TemplateFault(
      'the playbook was changed since this run was asked for, and its secrets with it: run it again',
    )
  }
  const filled = await vault.fillIn({ spec: run.spec }, stored).catch((error: unknown) => {
    throw new TemplateFault(messageOf(error))
  })
  const parsed = PlaybookSpecSchema.safeParse((filled.document as { spec: unknown }).spec)
  if (!parsed.success) throw new TemplateFault(`spec is invalid: ${describeFaults(parsed.error.issues)}`)
  const sealed = run.sealed === null ? {} : openSealed(run.sealed)
  return { spec: parsed.data, sealed, secrets: collectSecrets({}, [...filled.secrets, ...Object.values(sealed)]) }
}

/** @throws TemplateFault when the run cannot begin */
async function prepare(run: StoredRun, opened: Opened, { pool, lookUp, store }: DriveDeps): Promise<Prepared> {
  const [target = null] = targetsOf(run)
  const row = await readTarget(pool, target)
  if (row === null) throw new TemplateFault(`the ${target?.kind ?? 'resource'} of this run is not there any more`)
  const { playbook, requester: user, request } = run
  const scope = toScope({ target, row, params: { ...run.parameters, ...opened.sealed }, playbook, user, run, request })
  const env = await fillEnv(opened.spec.env, scope, lookUp)
  scope['env'] = env
  return { ...opened, scope, env, actions: await store.actions(run.id) }
}

/**
 * Ends the attempt of a step that another process left: it is never run twice, unless it may be.
 *
 * @returns the attempt that begins it again; without an id none does
 */
async function beginAgain(
  { store, clock }: Pick<DriveDeps, 'store' | 'clock'>,
  runId: string,
  { name, isRepeatable }: PlaybookAction,
  row: StoredAction,
): Promise<{ readonly id: string } | { readonly id: null; readonly error: string }> {
  const ended = { id: row.id, endedAt: clock.now() }
  if (isRepeatable === true) {
    const next: ActionStart = { status: 'scheduled', scheduledAt: clock.now(), retries: row.retry_count }
    return {
      id: await store.retryAction({ ...ended, error: `${INTERRUPTED}, and it was begun again.` }, runId, name, next),
    }
  }
  const error = `${INTERRUPTED}, and it is not declared repeatable.`
  await store.setAction(row.id, { ...ended, status: 'failed', error })
  return { id: null, error }
}

function createDrive(run: StoredRun, prepared: Prepared, deps: DriveDeps, handle: RunHandle) {
  const { store, clock, lookUp } = deps
  const { spec, secrets, scope, env } = prepared
  const { signal } = handle
  const latest = new Map(prepared.actions.map((action) => [action.name, action]))
  const seen = new Map<string, unknown>()
  const { untilConfirmed, untilApproved, untilDone, untilDue, untilTime } = createWaits(run, deps, handle)
  let failedStep: string | null = null
  /** Of the run's own time; waiting for people, moments and agents does not count. */
  let leftMs = timeoutOf(spec.timeout) - sinceRetried(prepared.actions).reduce((sum, row) => sum + workedMs(row), 0)

  const note = (name: string, status: string, { result, error }: StepOutcome): void => {
    seen.set(name, { status, result: toSeen(result), error: error ?? '' })
    scope['actions'] = Object.fromEntries(seen)
    if (status === 'failed') failedStep ??= name
  }

  const work = async (id: string, action: PlaybookAction): Promise<StepOutcome> => {
    const ownMs = timeoutOf(action.timeout)
    const allowedMs = Math.min(ownMs, leftMs)
    if (allowedMs <= 0) return { error: 'the time of the run was used up', result: null }
    const startedAt = clock.monotonic()
    await store.setAction(id, { status: 'running', startedAt: clock.now() })
    await store.setRun(run.id, 'running')
    const shown = createShown(store, clock, id, secrets)
    const call = { ...deps, scope, env, runId: run.id, stepName: action.name, ...shown.takers }
    try {
      return await withDeadline({ clock, limitMs: allowedMs, signal }, async (deadline) => {
        const outcome = await runStep<NotificationCall>(STEPS, action, { ...call, signal: deadline.signal })
        const told = shown.mask(outcome)
        if (!deadline.isOver()) return told
        const whose = ownMs <= leftMs ? 'step' : 'run'
        return { ...told, error: overdueText(whose, allowedMs) }
      })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TemplateFault))
        deps.logger.warn({ err: error, runId: run.id }, 'a step of a playbook failed')
      return shown.mask({ error: messageOf(error), result: null })
    } finally {
      leftMs -= clock.monotonic() - startedAt
    }
  }

  /** One attempt, from wherever its row stands. */
  const attempt = async (id: string, action: PlaybookAction, row: StoredAction | null): Promise<StepOutcome> => {
    const isGiven = row !== null && isAtAgent(row)
    const isAsleep = row?.status === 'sleeping'
    if (action.isDangerous === true && !isGiven && !isAsleep) await untilConfirmed(id)
    if (action.approval) return untilApproved(id, action.approval)
    if (action.delay !== undefined) {
      const dueAt = isAsleep ? row.scheduled_time.getTime() : clock.now() + (tryParseDuration(action.delay) ?? 0)
      return untilDue(id, dueAt)
    }
    const agentId = await store.agentOf(agentsOf(action, spec))
    if (agentId === undefined) return { error: 'runsOn: there is no such agent', result: null }
    if (agentId === null) return deps.takeTurn(() => work(id, action))
    if (!isGiven) await store.giveAction(id, agentId)
    else if (row.status === 'waiting') await store.setRun(run.id, 'waiting')
    return untilDone(id, timeoutOf(action.timeout))
  }

  const end = async (id: string, name: string, outcome: StepOutcome): Promise<void> => {
    const status = outcome.error === null ? 'completed' : 'failed'
    await store.setAction(id, { status, endedAt: clock.now(), ...outcome })
    note(name, status, outcome)
  }

  const endUnasked = async ({ name }: PlaybookAction, row: StoredAction | undefined, error: string): Promise<void> =>
    end(row?.id ?? (await store.addAction(run.id, name, { status: 'scheduled' })), name, { error, result: null })

  const skip = async (action: PlaybookAction, row: StoredAction | undefined): Promise<void> => {
    const skipped = { status: 'skipped', endedAt: clock.now() } as const
    if (row) await store.setAction(row.id, skipped)
    else await store.addAction(run.id, action.name, skipped)
    note(action.name, 'skipped', { error: null, result: null })
  }

  /** @throws when the run is to stop; a step that was cancelled says so */
  const attemptUnlessStopped = async (id: string, action: PlaybookAction, row: StoredAction | null) => {
    const cancel = (outcome?: StepOutcome): Promise<void> =>
      store.setAction(id, { ...outcome, status: 'cancelled', endedAt: clock.now() })
    const outcome = await attempt(id, action, row).catch(async (error: unknown) => {
      if (isCancelled(signal)) await cancel()
      throw error
    })
    if (isCancelled(signal)) await cancel(outcome)
    // Stopped with this process: whoever starts next judges what is left.
    signal.throwIfAborted()
    return outcome
  }

  const step = async (action: PlaybookAction): Promise<void> => {
    const last = latest.get(action.name)
    if (last && isEnded(last.status)) return note(action.name, last.status, last)
    const isInterrupted = last?.status === 'running' && !isAtAgent(last)
    let retries = last?.retry_count ?? 0
    let id = last?.id ?? null
    if (last && isInterrupted) {
      const again = await beginAgain(deps, run.id, action, last)
      if (again.id === null) return note(action.name, 'failed', { error: again.error, result: last.result })
      id = again.id
    } else if (last === undefined || (last.status === 'scheduled' && retries === 0)) {
      const answer = await askCondition(action, failedStep !== null, { scope, lookUp, clock, untilTime })
      if (answer === 'no') return skip(action, last)
      if (answer !== 'yes') return endUnasked(action, last, maskText(answer.fault, secrets))
    }
    let row = isInterrupted ? null : (last ?? null)
    const { limit = 0, duration = '0s' } = action.retry ?? {}
    id ??= await store.addAction(run.id, action.name, { status: 'scheduled', retries })
    if (row?.status === 'scheduled' && retries > 0) await untilTime(row.scheduled_time.getTime())
    for (;;) {
      const outcome = await attemptUnlessStopped(id, action, row)
      if (outcome.error === null || retries >= limit) return end(id, action.name, outcome)
      retries += 1
      const dueAt = clock.now() + (tryParseDuration(duration) ?? 0)
      const next: ActionStart = { status: 'scheduled', scheduledAt: dueAt, retries }
      id = await store.retryAction({ id, endedAt: clock.now(), ...outcome }, run.id, action.name, next)
      await untilTime(dueAt)
      row = null
    }
  }

  return {
    toEnd: async (): Promise<void> => {
      await store.setRun(run.id, 'running')
      for (const action of spec.actions) await step(action)
      await store.setRun(run.id, failedStep === null ? 'completed' : 'failed')
    },
  }
}

interface ConditionDeps {
  readonly scope: Scope
  readonly lookUp: LookUp
  readonly clock: Clock
  readonly untilTime: (dueAt: number) => Promise<void>
}

/** Whether a step is to run, by its condition and what came before. One that cannot be answered is the step's own failure. */
async function askCondition(
  { if: condition }: PlaybookAction,
  hasFailed: boolean,
  { scope, lookUp, clock, untilTime }: ConditionDeps,
): Promise<'yes' | 'no' | { readonly fault: string }> {
  if (condition === undefined) return hasFailed ? 'no' : 'yes'
  for (let tries = 1; ; tries += 1) {
    try {
      return (await isTrue(toExpression(condition, hasFailed), scope, lookUp)) ? 'yes' : 'no'
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error
      if (!(error instanceof NotAsked) || tries === MAX_CONDITION_TRIES) return { fault: `if: ${error.message}` }
      await untilTime(clock.now() + CONDITION_RETRY_MS)
    }
  }
}

/** The condition of a step, without the words that say how those before it ended. */
export function toExpression(condition: string, hasFailed: boolean): string {
  const words = new Map([
    ['always', true],
    ['success', !hasFailed],
    ['failure', hasFailed],
  ])
  return condition.replaceAll(/\b(always|success|failure)\(\)/g, (_call, word: string) => String(words.get(word)))
}

const isCancelled = ({ aborted, reason }: AbortSignal): boolean => aborted && reason === CANCELLED

const isAtAgent = ({ agent_id: id }: StoredAction): boolean => (id ?? NIL_UUID) !== NIL_UUID

/** What is seen of a step: what it prints, and what is told of it, which quotes its script and values that others refused. */
function createShown(store: RunStore, clock: Clock, actionId: string, secrets: readonly string[]) {
  /** Of the run, and of what the step opens besides. */
  let known = secrets
  return {
    takers: {
      openOutput: (more: readonly string[]) => {
        if (more.length > 0) known = collectSecrets({}, [...secrets, ...more])
        return createOutputWriter({ clock, secrets: known, store: (chunks) => store.addOutput(actionId, chunks) })
      },
      keepFiles: keeperOf(store, actionId, secrets),
    },
    mask: (outcome: StepOutcome) => maskDocument(outcome, known) as StepOutcome,
  }
}

const keeperOf =
  (store: RunStore, actionId: string, secrets: readonly string[]) =>
  (files: readonly LeftFile[]): Promise<void> =>
    store.addFiles(
      actionId,
      files.map((file) => maskFile(file, secrets)),
    )

/** Steps from where someone last had the run go on: what was worked before counts no more. Oldest first, as they are given. */
function sinceRetried(actions: readonly StoredAction[]): readonly StoredAction[] {
  const isRetry = (row: StoredAction, index: number): boolean => {
    const before = actions.slice(0, index).findLast(({ name }) => name === row.name)
    const isOver = before?.status === 'failed' && !(before.error ?? '').startsWith(INTERRUPTED)
    return row.retry_count === 0 && isOver
  }
  return actions.slice(Math.max(0, actions.findLastIndex(isRetry)))
}

/** Here: those that waited have no result but what people said, or what an agent did. */
function workedMs(row: StoredAction): number {
  const { start_time: start, end_time: end, result } = row
  return start && end && result && !('approvers' in result) && !isAtAgent(row) ? end.getTime() - start.getTime() : 0
}
