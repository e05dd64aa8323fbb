// Steps of playbooks on this agent: waits for them, does them, tells how they ended. Each is begun at most once, whatever dies.
import { randomUUID } from 'node:crypto'

import type { GivenStep, Push, PushedStep } from '@watchroom/shared/agents/upstream'
import { backoffMs, type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { Executor } from '../executor/contract.ts'
import { CodedError } from '../platform/errors.ts'
import type { StepOutcome } from '../step-runner/contract.ts'
import { toStepFileRow } from '../step-runner/stepFile.ts'
import type { AgentIdentity } from './createIdentity.ts'
import { inParts } from './createPushes.ts'
import { isUpstreamAway } from './errors.ts'
import type { AgentOptions } from './options.ts'
import { runGivenStep } from './runGivenStep.ts'
import type { StepFiles } from './stepFiles.ts'
import { UPSTREAM_BACKOFF } from './upstreamBackoff.ts'

export interface AgentSteps {
  start(files: StepFiles, executor: Executor): void
  /** Ends what runs, and reports how it ended: now, or at the next start. */
  close(): Promise<void>
}

export interface AgentStepsDeps {
  readonly options: Pick<AgentOptions, 'exec'>
  readonly upstream: Pick<AgentIdentity, 'awaitStep' | 'push' | 'upload' | 'isPlain'>
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  /** Aborted when the agent stops. */
  readonly signal: AbortSignal
}

const MAX_WORKING = 4
/** The same as for results that are refused. */
const REFUSED_RETRY_MS = 60_000
/** Between two questions to an upstream that answers at once even when it has no step. */
const PAUSE_MS = 1_000
/** How soon a step ends that was cancelled and prints nothing. */
const ASK_MS = 3_000
/** How long a stopping agent may take to tell the upstream how its steps ended. */
const LAST_WORD_MS = 3_000
const INTERRUPTED = 'The agent ended while this step ran. What it did by then is not known'

export function createAgentSteps({ options, upstream, clock, logger, random, signal }: AgentStepsDeps): AgentSteps {
  const working = new Map<string, { readonly stop: AbortController; ended: Promise<void> }>()
  const silent = new AbortController()
  let loops: Promise<unknown> = Promise.resolve()

  /** Again and again while the upstream is away. @throws when it never takes it, or there is no time left */
  async function untilTaken<Value>(tell: (stop: AbortSignal) => Promise<Value>, stop: AbortSignal): Promise<Value> {
    for (let failures = 1; ; failures++) {
      try {
        return await tell(stop)
      } catch (error) {
        if (stop.aborted || !isUpstreamAway(error)) throw error
        await sleep(clock, backoffMs(failures, UPSTREAM_BACKOFF, random), stop)
      }
    }
  }

  async function push(rows: Push, stop: AbortSignal): Promise<void> {
    const { ended } = await untilTaken((signalOfCall) => upstream.push(rows, signalOfCall), stop)
    for (const id of ended) working.get(id)?.stop.abort(new Error('nobody waits for this step any more'))
  }

  async function report(files: StepFiles, done: PushedStep): Promise<void> {
    try {
      await push({ playbook_actions: [done] }, silent.signal)
    } catch (error) {
      if (silent.signal.aborted) return
      if (!(error instanceof CodedError)) throw error
      logger.error({ err: error, stepId: done.id }, 'STEP LOST: the upstream does not take how it ended')
    }
    await files.remove(done.id)
  }

  async function perform(given: GivenStep, id: string, files: StepFiles, executor: Executor): Promise<void> {
    const { action } = given
    const stop = working.get(id)?.stop ?? new AbortController()
    const startedAt = clock.monotonic()
    await files.write(id, { action, done: null })
    const outcome = await runGivenStep(given, {
      exec: options.exec,
      clock,
      logger,
      executor,
      signal: AbortSignal.any([signal, stop.signal]),
      storeOutput: async (chunks) => {
        if (upstream.isPlain()) return
        const outputs = chunks.map((chunk) => ({ ...chunk, action_id: id }))
        for (const part of inParts(outputs)) await push({ outputs: part, working: [id] }, silent.signal)
      },
      storeFile: async (file) => {
        const artifact = { id: randomUUID(), playbook_run_action_id: id, ...toStepFileRow(file) }
        await push({ artifacts: [artifact] }, silent.signal)
        await untilTaken((stopOfCall) => upstream.upload(artifact.id, file.content, stopOfCall), silent.signal)
      },
    })
    const error = signal.aborted && outcome.error !== null ? `${INTERRUPTED}.` : outcome.error
    const endedAt = toUpstreamTime(action, clock.now()) + Math.round(clock.monotonic() - startedAt)
    const done = toDone(action, id, { ...outcome, error }, endedAt)
    await files.write(id, { action, done })
    await report(files, done)
  }

  function begin(given: GivenStep, id: string, files: StepFiles, executor: Executor): void {
    const entry = { stop: new AbortController(), ended: Promise.resolve() }
    working.set(id, entry)
    entry.ended = perform(given, id, files, executor)
      .catch((error: unknown) => {
        logger.error({ err: error, stepId: id }, 'a step of a playbook failed for a reason of our own')
        const outcome = { error: 'the agent could not do it; see its log', result: null }
        return report(files, toDone(given.action, id, outcome, toUpstreamTime(given.action, clock.now())))
      })
      .catch((error: unknown) => logger.error({ err: error, stepId: id }, 'how a step ended is not told'))
      .finally(() => working.delete(id))
  }

  async function takeSteps(files: StepFiles, executor: Executor): Promise<void> {
    while (!signal.aborted) {
      if (working.size >= MAX_WORKING) await Promise.race([...working.values()].map(({ ended }) => ended))
      const askedAt = clock.monotonic()
      const given = await untilTaken((stop) => upstream.awaitStep(stop), signal)
      const id = given?.action.id
      if (given && id !== undefined) begin(given, id, files, executor)
      else if (clock.monotonic() - askedAt < PAUSE_MS) await sleep(clock, PAUSE_MS, signal)
    }
  }

  /** What the upstream refuses now it may give later: it may be replaced by another. */
  const takeStepsForGood = async (files: StepFiles, executor: Executor): Promise<void> => {
    for (let failures = 0; ; failures++) {
      try {
        return await takeSteps(files, executor)
      } catch (error) {
        if (signal.aborted) return
        logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'the upstream gives no steps of playbooks')
        await sleep(clock, REFUSED_RETRY_MS, signal).catch(() => undefined)
      }
    }
  }

  async function askWhetherWanted(): Promise<void> {
    while (!signal.aborted) {
      await sleep(clock, ASK_MS, signal)
      const ids = [...working.keys()]
      if (ids.length > 0 && !upstream.isPlain()) {
        await push({ working: ids }, signal).catch((error: unknown) =>
          logger.debug({ err: error }, 'whether steps are wanted is not known'),
        )
      }
    }
  }

  async function tellOfEarlier(files: StepFiles): Promise<void> {
    for (const { action, done } of await files.readAll()) {
      if (action.id === undefined) continue
      const outcome = { error: `${INTERRUPTED}, and it is not begun again.`, result: null }
      await report(files, done ?? toDone(action, action.id, outcome, toUpstreamTime(action, clock.now())))
    }
  }

  return {
    start: (files, executor) => {
      const fails = (error: unknown): void => {
        if (!signal.aborted) logger.error({ err: error }, 'steps of playbooks are not looked after')
      }
      loops = Promise.all([
        tellOfEarlier(files).catch(fails),
        takeStepsForGood(files, executor).catch(fails),
        askWhetherWanted().catch(fails),
      ])
    },
    close: async () => {
      const cancelDeadline = clock.schedule(() => silent.abort(new Error('no time left')), LAST_WORD_MS)
      await Promise.all([...working.values()].map(({ ended }) => ended))
      silent.abort(new Error('the agent stops'))
      cancelDeadline()
      await loops
    },
  }
}

/** When the step began, on the upstream's clock, which said so when it gave the step. */
function toUpstreamTime({ start_time: startTime }: GivenStep['action'], now: number): number {
  const startedAt = startTime ? Date.parse(startTime) : Number.NaN
  return Number.isNaN(startedAt) ? now : startedAt
}

function toDone(
  { start_time: startTime }: GivenStep['action'],
  id: string,
  { error, result }: StepOutcome,
  endedAt: number,
): PushedStep {
  const status = error === null ? 'completed' : 'failed'
  return { id, status, start_time: startTime, end_time: new Date(endedAt).toISOString(), result, error }
}
