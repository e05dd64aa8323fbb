// Brings the queue to the upstream: definitions first, then results in order, batch by batch. A batch leaves the queue only
// once the upstream has said that it has it. Decides when; what is pushed is `createPushes`. Knows neither files nor HTTP.
import { RESULTS_PER_PUSH } from '@watchroom/shared/agents/upstream'
import { backoffMs, type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../platform/errors.ts'
import { createPushes, MAX_PUSH_BYTES, type PushedDefinitions, type PushesDeps } from './createPushes.ts'
import type { Queue } from './createQueue.ts'
import { AGENT_ERRORS } from './errors.ts'
import { UPSTREAM_BACKOFF } from './upstreamBackoff.ts'

export interface Sender {
  /** Sets what this agent runs. The upstream is told before the next result, and drops what it knew and is missing now. */
  define(definitions: PushedDefinitions): void
  /** Something was appended. */
  wake(): void
  /** The upstream answers again: what waited for that need not wait any longer. */
  retryNow(): void
  /** Sends what waits, for at most `graceMs`. @returns whether everything is sent */
  close(graceMs: number): Promise<boolean>
}

export interface SenderDeps extends Pick<PushesDeps, 'push' | 'settle'> {
  queue: Pick<Queue, 'read' | 'drop' | 'waiting'>
  clock: Clock
  logger: Logger
  /** In [0, 1). */
  random: () => number
}

/** Results that arrive within this time are sent together. */
const GATHER_MS = 100
/** Refused for what it is or for who we are: someone has to do something, so asking often helps nobody. */
const REFUSED_RETRY_MS = 60_000

export function createSender(deps: SenderDeps): Sender {
  const { queue, clock, logger, random } = deps
  const stop = new AbortController()
  const pushes = createPushes({ push: deps.push, settle: deps.settle, logger, signal: stop.signal })
  let isAwake = false
  let isClosing = false
  let failures = 0
  let wakeUp: () => void = () => undefined
  let cutWaiting: AbortController | null = null
  let isUpstreamAway = false

  const wake = (): void => {
    isAwake = true
    wakeUp()
  }

  async function untilAwake(): Promise<void> {
    if (!isAwake && !isClosing) await new Promise<void>((resolve) => (wakeUp = resolve))
    isAwake = false
    if (!isClosing) await pause(GATHER_MS)
  }

  /** Ends early when the upstream is known to be back, or when there is no time left. */
  async function pause(delayMs: number): Promise<void> {
    cutWaiting = new AbortController()
    const signal = AbortSignal.any([cutWaiting.signal, stop.signal])
    await sleep(clock, delayMs, signal).catch(() => undefined)
    cutWaiting = null
  }

  /** @returns false when nothing waits */
  async function sendBatch(): Promise<boolean> {
    const batch = await queue.read({ maxRecords: RESULTS_PER_PUSH, maxBytes: MAX_PUSH_BYTES })
    if (!batch) return false
    if (batch.records.length > 0) await pushes.sendRecords(batch.records)
    await queue.drop(batch.end)
    return true
  }

  async function sendAll(): Promise<void> {
    await pushes.sendDefinitions()
    let isMore = true
    while (isMore && !stop.signal.aborted) {
      isMore = await sendBatch()
      if (isMore) recovered()
    }
    recovered()
  }

  function recovered(): void {
    if (failures > 0) logger.info({ waiting: queue.waiting }, 'the upstream takes results again')
    failures = 0
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      if (failures === 0) await untilAwake()
      try {
        await sendAll()
        if (!isClosing) continue
        // A result of the last moment may still be on its way to the disk.
        if (queue.waiting === 0) return
        await pause(GATHER_MS)
      } catch (error) {
        if (stop.signal.aborted) return
        failures++
        isUpstreamAway = !isRefusal(error)
        const delayMs = isRefusal(error) ? REFUSED_RETRY_MS : backoffMs(failures, UPSTREAM_BACKOFF, random)
        const level = isRefusal(error) ? 'error' : failures === 1 ? 'warn' : 'debug'
        logger[level](
          { err: error, waiting: queue.waiting, failures, retryMs: Math.round(delayMs) },
          'results stay here for now',
        )
        await pause(isClosing ? Math.min(delayMs, 1_000) : delayMs)
      }
    }
  }

  const finished = run()
  return {
    define: (next) => {
      pushes.define(next)
      wake()
    },
    wake,
    retryNow: () => {
      if (failures > 0 && isUpstreamAway) cutWaiting?.abort()
    },
    close: async (graceMs) => {
      isClosing = true
      wake()
      cutWaiting?.abort()
      const cancel = clock.schedule(() => stop.abort(new Error('no time left')), graceMs)
      await finished
      cancel()
      return queue.waiting === 0
    },
  }
}

const REFUSALS: ReadonlySet<string> = new Set([
  AGENT_ERRORS.AGENT_TOKEN_REFUSED.code,
  AGENT_ERRORS.AGENT_PUSH_FORBIDDEN.code,
  AGENT_ERRORS.AGENT_UPSTREAM_UNKNOWN.code,
])
const isRefusal = (error: unknown): boolean => error instanceof CodedError && REFUSALS.has(error.code)
