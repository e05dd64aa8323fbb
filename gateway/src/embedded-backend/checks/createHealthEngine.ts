// The health engine: canaries in, check results and the health board out. Wires the parts; each of them can be read alone.
import { randomBytes } from 'node:crypto'

import { sleep } from '@watchroom/shared/kernel'

import type { CheckOutcome, RunDeps, RunnableCheck } from '../../check-runner/contract.ts'
import {
  type CheckRun,
  createScheduler,
  type ScheduledCheck,
  type SchedulerMetrics,
} from '../../check-runner/createScheduler.ts'
import { RUN_DEADLINE_MARGIN_MS, runCheck } from '../../check-runner/runCheck.ts'
import { toOutcome } from '../../check-runner/toOutcome.ts'
import type { BackendContext } from '../server/context.ts'
import { createAgentWatch } from './createAgentWatch.ts'
import { type ChannelListener, createChannelListener } from './createChannelListener.ts'
import { type CheckSummaryStore, createCheckSummary, type SummaryRun } from './createCheckSummary.ts'
import {
  type CheckResult,
  createResultStore,
  type ResultStoreMetrics,
  type StoredResults,
  toStoredDuration,
} from './createResultStore.ts'
import { createTopicNotifier } from './createTopicNotifier.ts'
import { loadRuns } from './loadRuns.ts'
import {
  type LocalMarks,
  markLocalAgent,
  readAgents,
  readLocalMarks,
  readRemoteChecks,
  type RemoteCheck,
} from './remoteChecks.ts'
import { createSelfProbes } from './selfProbes.ts'
import { type EngineCheck, readCanaryVersions, syncCanaries } from './syncCanaries.ts'

export interface HealthEngine {
  /** Reads all canaries and begins to run their checks. */
  start(): Promise<void>
  /** Aborts what runs and writes what is left. */
  close(): Promise<void>
  readonly summary: CheckSummaryStore
  /** Runs a check now and stores the result; null when the engine does not run a check of this id. */
  runNow(checkId: string): Promise<CheckResult | null>
  /** Runs a check that need not exist, once, and stores nothing. */
  runOnce(check: RunnableCheck, signal: AbortSignal): Promise<CheckOutcome>
  /** Stops starting checks until `resume`. */
  pause(): void
  resume(): void
  /** An agent gave a sign of life, at this moment of our clock. */
  agentSeen(agentId: string, at: number): void
  /** An agent's results were committed: they are on the board at once. */
  pushed(pushed: PushedChanges): void
  /** Checks of agents were changed past the engine. */
  remoteChanged(): void
  metrics(): SchedulerMetrics & ResultStoreMetrics
}

export interface PushedChanges extends StoredResults {
  /** Checks were added, changed or deleted, too. */
  readonly isDefinitionChanged: boolean
}

export interface HealthEngineDeps {
  context: Pick<BackendContext, 'pool' | 'clock' | 'logger' | 'random'> & {
    options: Pick<BackendContext['options'], 'dataDirectory'>
  }
  /** Asked at each run of the probe, because a restart may move it. */
  postgrestSocketPath: () => string
  version: string
  /** What an agent's checks last said is unknown this long after the agent was seen. */
  agentOfflineAfterMs?: number
  /** Slots of the scheduler. */
  maxConcurrent?: number
  /** The gateway opens its door a moment after us; a check of it before that would fail at every start. */
  firstRunDelayMs?: number
}

/** The database says here that a canary was written; the payload is its id. */
const CANARY_CHANNEL = 'watchroom_canaries'
/** A burst of edits, for example an import, becomes one pass. */
const SYNC_DELAY_MS = 20
/** Finds what a lost notification left behind. */
const RESYNC_MS = 5 * 60_000
/** How old results of other agents' checks and edits in the rows of `checks` may be on the board. */
const REFRESH_MS = 15_000
const RETRY_MS = 2_000
/** First specification, section 9. */
const DEFAULT_AGENT_OFFLINE_MS = 61_000
const STORE_WAIT_MS = 5_000

export function createHealthEngine(deps: HealthEngineDeps): HealthEngine {
  const { context, version, postgrestSocketPath } = deps
  const { pool, clock, random } = context
  const logger = context.logger.child({ part: 'checks' })

  const checks = new Map<string, EngineCheck>()
  /** Checks of other agents as they are on the board. */
  const remote = new Map<string, RemoteCheck>()
  let remoteCanaries: ReadonlySet<string> = new Set()
  const summary = createCheckSummary({ clock, epoch: randomBytes(6).toString('hex'), runnerName: 'local' })
  const notifier = createTopicNotifier('checks', { pool, clock, logger })
  const agentsNotifier = createTopicNotifier('agents', { pool, clock, logger })
  const offlineAfterMs = deps.agentOfflineAfterMs ?? DEFAULT_AGENT_OFFLINE_MS
  const agentWatch = createAgentWatch({
    clock,
    offlineAfterMs,
    onChange: (ids) => {
      agentsNotifier.notify()
      showSilence(new Set(ids))
    },
  })
  const store = createResultStore({ pool, clock, logger, random, onStored: handleStored })
  const scheduler = createScheduler<CheckOutcome>({
    clock,
    random,
    execute,
    record: (run) => {
      if (run.ending.kind === 'failed') {
        logger.error({ err: run.ending.error, checkId: run.id }, 'check run failed for a reason of our own')
      }
      const result = toResult(run)
      if (result) store.add(result)
    },
    ...(deps.maxConcurrent === undefined ? {} : { maxConcurrent: deps.maxConcurrent }),
  })
  const selfProbes = createSelfProbes({
    clock,
    pool,
    dataDirectory: context.options.dataDirectory,
    scheduler: () => scheduler.metrics(),
    postgrestSocketPath,
    version,
  })

  let listener: ChannelListener | null = null
  const cancels = new Set<() => void>()
  let isClosed = false
  let pending: Set<string> | 'all' = new Set()
  /** Of the canaries, as of the last pass over all. */
  let versions = new Map<string, string>()
  /** Ends with the last pass that is under way or waits. */
  let turn: Promise<void> = Promise.resolve()
  let isSyncPlanned = false
  let isRefreshPlanned = false

  function execute(id: string, signal: AbortSignal): Promise<CheckOutcome> {
    const work = checks.get(id)?.work
    if (!work) return Promise.reject(new Error('check was removed'))
    if (work.kind === 'broken') {
      return Promise.resolve({ passed: false, invalid: true, durationMs: 0, error: work.reason })
    }
    return runOnce({ ...work.check, id }, signal)
  }

  function runOnce(check: RunnableCheck, signal: AbortSignal): Promise<CheckOutcome> {
    const runDeps: RunDeps = { signal, clock, logger, allowExec: true, selfProbes: selfProbes.probes }
    return runCheck(check, runDeps)
  }

  function toResult(run: CheckRun<CheckOutcome>): CheckResult | null {
    const check = checks.get(run.id)
    if (!check) return null
    const outcome = toOutcome(run)
    return {
      checkId: run.id,
      startedAt: run.startedAt,
      durationMs: outcome.durationMs,
      passed: outcome.passed,
      isInvalid: outcome.invalid ?? false,
      message: outcome.message ?? null,
      error: outcome.error ?? null,
      details: outcome.details ?? null,
      severity: check.severity,
      nextRuntimeAt: run.nextDueAt,
    }
  }

  function handleStored({ results, states }: StoredResults): void {
    for (const result of results) {
      summary.addRuns(result.checkId, [
        {
          startedAt: result.startedAt,
          durationMs: toStoredDuration(result.durationMs),
          passed: result.passed,
          error: result.error ?? result.message,
        },
      ])
    }
    for (const [id, state] of states) summary.setState(id, state)
    notifier.notify()
  }

  function showSilence(agentIds: ReadonlySet<string>): void {
    let isChanged = false
    for (const [id, { summary: check }] of remote) {
      if (!agentIds.has(check.agentId)) continue
      summary.setUnknownSince(id, agentWatch.silentSince(check.agentId))
      isChanged = true
    }
    if (isChanged) notifier.notify()
  }

  function handlePushed(pushed: PushedChanges): void {
    for (const [id, state] of pushed.states) {
      const check = remote.get(id)
      if (check) remote.set(id, { ...check, state })
    }
    if (pushed.results.length > 0) handleStored(pushed)
    if (pushed.isDefinitionChanged) planRefresh()
  }

  /** A push of many batches becomes one pass. */
  function planRefresh(): void {
    if (isClosed || isRefreshPlanned) return
    isRefreshPlanned = true
    const cancel = clock.schedule(() => {
      cancels.delete(cancel)
      isRefreshPlanned = false
      inTurn(refresh).catch((error: unknown) => {
        // The next round of the refresh finds the same.
        if (!isClosed) logger.warn({ err: error }, 'checks of agents could not be read')
      })
    }, SYNC_DELAY_MS)
    cancels.add(cancel)
  }

  /** Repeats `work` until the engine is closed; a failure is logged and the next time comes sooner. */
  function repeat(name: string, periodMs: number, work: () => Promise<void>): void {
    const plan = (delayMs: number): void => {
      if (isClosed) return
      const cancel = clock.schedule(() => {
        cancels.delete(cancel)
        work().then(
          () => plan(periodMs),
          (error: unknown) => {
            if (!isClosed) logger.warn({ err: error }, `${name} failed, trying again`)
            plan(Math.min(periodMs, RETRY_MS))
          },
        )
      }, delayMs)
      cancels.add(cancel)
    }
    plan(periodMs)
  }

  /** @param ids which canaries changed; the pass is made soon, once for many calls */
  function planSync(ids: ReadonlySet<string> | 'all', delayMs = SYNC_DELAY_MS): void {
    if (isClosed) return
    pending = ids === 'all' || pending === 'all' ? 'all' : new Set([...pending, ...ids])
    if (isSyncPlanned) return
    isSyncPlanned = true
    const cancel = clock.schedule(() => {
      cancels.delete(cancel)
      isSyncPlanned = false
      const which = pending
      pending = new Set()
      void inTurn(() => syncPatiently(which))
    }, delayMs)
    cancels.add(cancel)
  }

  /** One pass over the database at a time: a later one must not undo what an earlier one has not yet applied. */
  async function inTurn(work: () => Promise<void>): Promise<void> {
    const previous = turn
    let finish = (): void => undefined
    turn = new Promise((resolve) => {
      finish = resolve
    })
    await previous
    try {
      if (!isClosed) await work()
    } finally {
      finish()
    }
  }

  async function syncPatiently(which: ReadonlySet<string> | 'all'): Promise<void> {
    try {
      await sync(which)
    } catch (error) {
      if (isClosed) return
      logger.warn({ err: error }, 'canaries could not be read, trying again')
      versions = new Map()
      planSync('all', RETRY_MS)
    }
  }

  /** Canaries that differ from what was seen last, also those that are gone. */
  async function findEdited(): Promise<string[]> {
    const seen = versions
    versions = await readCanaryVersions(pool)
    const gone = [...seen.keys()].filter((id) => !versions.has(id))
    const edited = [...versions].filter(([id, version]) => seen.get(id) !== version)
    return [...edited.map(([id]) => id), ...gone]
  }

  function forget(id: string): void {
    checks.delete(id)
    scheduler.remove(id)
    summary.remove(id)
  }

  async function sync(which: ReadonlySet<string> | 'all'): Promise<void> {
    const synced = await syncCanaries({ pool, logger }, which === 'all' ? await findEdited() : which)
    if (isClosed) return
    const found = new Set(synced.checks.map(({ id }) => id))
    let isChanged = false
    for (const [id, check] of checks) {
      if (!synced.canaryIds.has(check.canaryId) || found.has(id)) continue
      forget(id)
      isChanged = true
    }
    const added: EngineCheck[] = []
    const edited: string[] = []
    for (const check of synced.checks) {
      const known = checks.get(check.id)
      checks.set(check.id, check)
      if (!known) {
        added.push(check)
        continue
      }
      if (JSON.stringify(known.work) !== JSON.stringify(check.work)) edited.push(check.id)
      if (JSON.stringify(known.summary) === JSON.stringify(check.summary)) continue
      summary.put(check.summary)
      isChanged = true
    }
    await show(added)
    if (isClosed) return
    isChanged ||= added.length > 0
    scheduler.set(synced.checks.map(toScheduled))
    scheduler.runSoon(edited)
    if (isChanged) notifier.notify()
  }

  /** Puts checks on the board, each together with its past. */
  async function show(shown: readonly Pick<EngineCheck, 'summary' | 'state'>[]): Promise<void> {
    const byId = new Map(shown.map((check) => [check.summary.id, check]))
    const put = (id: string, runs: readonly SummaryRun[]): void => {
      const check = byId.get(id)
      if (!check) return
      summary.put(check.summary)
      summary.setState(id, check.state)
      summary.addRuns(id, runs)
    }
    const ran: string[] = []
    for (const [id, { state }] of byId) {
      if (state.lastRuntimeAt === null) put(id, [])
      else ran.push(id)
    }
    await loadRuns({ pool, now: clock.now() }, ran, put)
  }

  /** Brings in what others wrote: checks of other agents, and what people change in rows of checks. */
  async function refresh(): Promise<void> {
    const agents = await readAgents(pool)
    const found = await readRemoteChecks(pool)
    const changed: RemoteCheck[] = []
    const ids = new Set<string>()
    for (const check of found) {
      const { id } = check.summary
      ids.add(id)
      const known = remote.get(id)
      if (known && JSON.stringify(known) === JSON.stringify(check)) continue
      remote.set(id, check)
      changed.push(check)
    }
    remoteCanaries = new Set(found.map((check) => check.summary.canaryId))
    const vanished = [...remote.keys()].filter((id) => !ids.has(id))
    for (const id of vanished) {
      remote.delete(id)
      summary.remove(id)
    }
    await show(changed)
    for (const { summary: check } of changed) summary.setUnknownSince(check.id, agentWatch.silentSince(check.agentId))
    agentWatch.set(agents)
    const marked = applyMarks(await readLocalMarks(pool))
    if (changed.length + vanished.length + marked > 0) notifier.notify()
  }

  /** @returns how many checks it changed */
  function applyMarks({ silencedAt, deleted }: LocalMarks): number {
    let changes = 0
    for (const [id, check] of checks) {
      const silenced = silencedAt.get(id) ?? null
      if (deleted.has(id)) {
        forget(id)
      } else if (check.summary.silencedAt !== silenced) {
        const changed = { ...check, summary: { ...check.summary, silencedAt: silenced } }
        checks.set(id, changed)
        summary.put(changed.summary)
      } else {
        continue
      }
      changes++
    }
    return changes
  }

  return {
    summary,
    start: async () => {
      const startedAt = clock.monotonic()
      if (deps.firstRunDelayMs !== undefined) {
        scheduler.pause()
        cancels.add(clock.schedule(() => scheduler.resume(), deps.firstRunDelayMs))
      }
      await sync('all')
      await refresh()
      listener = createChannelListener({
        pool,
        clock,
        logger,
        channel: CANARY_CHANNEL,
        onNotification: (canaryId) => {
          planSync(new Set([canaryId]))
          if (remoteCanaries.has(canaryId)) planRefresh()
        },
        onConnected: () => planSync('all'),
      })
      repeat('resync of canaries', RESYNC_MS, async () => planSync('all'))
      repeat('refresh of checks', REFRESH_MS, () => inTurn(refresh))
      await markLocalAgent(pool, clock.now())
      repeat('sign of life', Math.min(REFRESH_MS, offlineAfterMs / 3), () => markLocalAgent(pool, clock.now()))
      logger.info({ checks: checks.size, durationMs: Math.round(clock.monotonic() - startedAt) }, 'checks are running')
    },
    close: async () => {
      isClosed = true
      listener?.close()
      agentWatch.close()
      for (const cancel of cancels) cancel()
      await scheduler.close()
      await turn
      await store.close()
      notifier.close()
      agentsNotifier.close()
      selfProbes.close()
    },
    runNow: async (checkId) => {
      const run = await scheduler.runNow(checkId)
      if (!run) return null
      // Who asked reads the row next; with the database away the answer alone has to do.
      const giveUp = new AbortController()
      await Promise.race([store.flushed(), sleep(clock, STORE_WAIT_MS, giveUp.signal).catch(() => null)])
      giveUp.abort()
      return toResult(run)
    },
    agentSeen: (agentId, at) => agentWatch.seen(agentId, at),
    pushed: handlePushed,
    remoteChanged: planRefresh,
    runOnce,
    pause: () => scheduler.pause(),
    resume: () => scheduler.resume(),
    metrics: () => ({ ...scheduler.metrics(), ...store.metrics() }),
  }
}

function toScheduled({ id, schedule, work, summary, state }: EngineCheck): ScheduledCheck {
  return {
    id,
    lane: summary.type,
    schedule,
    deadlineMs: (work.kind === 'run' ? work.check.timeoutMs : 0) + RUN_DEADLINE_MARGIN_MS,
    lastRuntime: state.lastRuntimeAt,
    nextRuntime: state.nextRuntimeAt,
  }
}
