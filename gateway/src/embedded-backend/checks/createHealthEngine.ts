// The health engine: canaries in, check results and the health board out. Wires the parts; each of them can be read alone.
import { randomBytes } from 'node:crypto'

import { toStoredDuration } from '@watchroom/shared/health'

import type { CheckOutcome, RunnableCheck } from '../../check-runner/contract.ts'
import type { SchedulerMetrics } from '../../check-runner/createScheduler.ts'
import type { FolderRules } from '../../check-runner/folderRules.ts'
import type { Executor } from '../../executor/contract.ts'
import { createNetwork } from '../outbound/createNetwork.ts'
import type { ChannelListener } from '../postgres/createChannels.ts'
import type { BackendContext } from '../server/context.ts'
import { createCanarySync, SYNC_DELAY_MS } from './createCanarySync.ts'
import { createCheckOpener } from './createCheckOpener.ts'
import { createCheckRuns } from './createCheckRuns.ts'
import { type CheckSummaryStore, createCheckSummary } from './createCheckSummary.ts'
import { createLocalChecks } from './createLocalChecks.ts'
import { createPasses } from './createPasses.ts'
import { createRemoteSync } from './createRemoteSync.ts'
import {
  type CheckResult,
  createResultStore,
  type ResultStoreMetrics,
  type StoredResults,
} from './createResultStore.ts'
import { createSealedRunner } from './createSealedRunner.ts'
import { createTopicNotifier } from './createTopicNotifier.ts'
import { markLocalAgent, readLocalMarks } from './remoteChecks.ts'
import { createSelfProbes } from './selfProbes.ts'
import type { SyncedCanaries } from './syncCanaries.ts'

export interface HealthEngine {
  /** Reads all canaries and begins to run their checks. */
  start(): Promise<void>
  /** Aborts what runs and writes what is left. */
  close(): Promise<void>
  readonly summary: CheckSummaryStore
  /** Runs a check now and stores the result; null when the engine does not run a check of this id. */
  runNow(checkId: string): Promise<CheckResult | null>
  /**
   * Runs a check that need not exist, once, and stores nothing.
   *
   * @param secrets what was filled into it, to be masked in the outcome
   */
  runOnce(check: RunnableCheck, signal: AbortSignal, secrets?: readonly string[]): Promise<CheckOutcome>
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
  context: Pick<BackendContext, 'pool' | 'channels' | 'vault' | 'clock' | 'logger' | 'random'> & {
    options: Pick<BackendContext['options'], 'dataDirectory'>
  }
  /** Runs programs of checks; without it they do not run. */
  executor?: Executor
  /** Where checks may look; without it nowhere. */
  folders?: FolderRules
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
/** Finds what a lost notification left behind. */
const RESYNC_MS = 5 * 60_000
/** How old results of other agents' checks and edits in the rows of `checks` may be on the board. */
const REFRESH_MS = 15_000
/** First specification, section 9. */
const DEFAULT_AGENT_OFFLINE_MS = 61_000

export function createHealthEngine(deps: HealthEngineDeps): HealthEngine {
  const { context, version, postgrestSocketPath } = deps
  const { pool, channels, vault, clock, random } = context
  const logger = context.logger.child({ part: 'checks' })

  const summary = createCheckSummary({ clock, epoch: randomBytes(6).toString('hex'), runnerName: 'local' })
  const notifier = createTopicNotifier('checks', { pool, clock, logger })
  const agentsNotifier = createTopicNotifier('agents', { pool, clock, logger })
  const offlineAfterMs = deps.agentOfflineAfterMs ?? DEFAULT_AGENT_OFFLINE_MS
  const store = createResultStore({ pool, clock, logger, random, onStored: handleStored })
  const selfProbes = createSelfProbes({
    clock,
    pool,
    dataDirectory: context.options.dataDirectory,
    scheduler: () => runs.scheduler.metrics(),
    postgrestSocketPath,
    confinement: deps.executor?.confinement,
    version,
  })

  const network = createNetwork()
  const runSealed = createSealedRunner({
    clock,
    logger,
    selfProbes: selfProbes.probes,
    wayOut: network,
    executor: deps.executor,
    folders: deps.folders,
    opener: createCheckOpener({ pool, vault, clock, network }),
  })
  const passes = createPasses({ clock, logger })
  const runs = createCheckRuns({
    clock,
    random,
    logger,
    store,
    findCheck: (id) => checks.get(id),
    runSealed,
    ...(deps.maxConcurrent === undefined ? {} : { maxConcurrent: deps.maxConcurrent }),
  })
  const { scheduler } = runs
  const checks = createLocalChecks({ pool, clock, summary, scheduler, isClosed: passes.isClosed })
  const canarySync = createCanarySync({ pool, vault, logger, passes, apply: applyCanaries })
  const remote = createRemoteSync({
    pool,
    clock,
    summary,
    offlineAfterMs,
    onAgents: () => agentsNotifier.notify(),
    onBoard: () => notifier.notify(),
  })
  const planRefresh = passes.soonOnce('refresh of checks of agents', SYNC_DELAY_MS, refresh)
  let listener: ChannelListener | null = null

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

  async function applyCanaries(synced: SyncedCanaries): Promise<void> {
    if (await checks.apply(synced)) notifier.notify()
  }

  /** Brings in what others wrote: checks of other agents, and what people change in rows of checks. */
  async function refresh(): Promise<void> {
    const changes = await remote.refresh()
    const marked = checks.applyMarks(await readLocalMarks(pool))
    if (changes + marked > 0) notifier.notify()
  }

  return {
    summary,
    start: async () => {
      const startedAt = clock.monotonic()
      if (deps.firstRunDelayMs !== undefined) {
        scheduler.pause()
        passes.after(deps.firstRunDelayMs, () => scheduler.resume())
      }
      await canarySync.syncAll()
      await refresh()
      listener = channels.listen({
        channel: CANARY_CHANNEL,
        onNotification: (canaryId) => {
          canarySync.plan(new Set([canaryId]))
          if (remote.hasCanary(canaryId)) planRefresh()
        },
        onConnected: () => canarySync.plan('all'),
      })
      passes.repeat('resync of canaries', RESYNC_MS, async () => canarySync.plan('all'))
      passes.repeat('refresh of checks', REFRESH_MS, () => passes.inTurn(refresh))
      await markLocalAgent(pool, clock.now())
      passes.repeat('sign of life', Math.min(REFRESH_MS, offlineAfterMs / 3), () => markLocalAgent(pool, clock.now()))
      logger.info(
        { checks: checks.size(), durationMs: Math.round(clock.monotonic() - startedAt) },
        'checks are running',
      )
    },
    close: async () => {
      const lastPass = passes.close()
      listener?.close()
      remote.close()
      await scheduler.close()
      await lastPass
      await store.close()
      notifier.close()
      agentsNotifier.close()
      selfProbes.close()
    },
    runNow: runs.runNow,
    agentSeen: (agentId, at) => remote.agentSeen(agentId, at),
    pushed: (pushed) => {
      remote.setStates(pushed.states)
      if (pushed.results.length > 0) handleStored(pushed)
      if (pushed.isDefinitionChanged) planRefresh()
    },
    remoteChanged: planRefresh,
    runOnce: (check, signal, secrets = []) => runSealed({ check, signal, secrets }),
    pause: () => scheduler.pause(),
    resume: () => scheduler.resume(),
    metrics: () => ({ ...scheduler.metrics(), ...store.metrics() }),
  }
}
