// Brings the queue to the upstream: definitions first, then results in order, batch by batch. A batch leaves the queue only
// once the upstream has said that it has it. Knows neither files nor HTTP.
import type { Push, PushedCanary, PushedCheck, RefusedRow } from '@watchroom/shared/agents/upstream'
import { RESULTS_PER_PUSH } from '@watchroom/shared/agents/upstream'
import { backoffMs, type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../platform/errors.ts'
import type { Queue } from './createQueue.ts'
import { AGENT_ERRORS } from './errors.ts'
import { UPSTREAM_BACKOFF } from './upstreamBackoff.ts'

export interface PushedDefinitions {
  readonly pushedCanaries: readonly PushedCanary[]
  readonly pushedChecks: readonly PushedCheck[]
}

export interface Sender {
  /** What this agent runs; the upstream is told before the next result, and whatever it knew before and is missing is gone. */
  define(definitions: PushedDefinitions): void
  /** Something was appended. */
  wake(): void
  /** The upstream answers again: what waited for that need not wait any longer. */
  retryNow(): void
  /** Sends what waits, for at most `graceMs`. @returns whether everything is sent */
  close(graceMs: number): Promise<boolean>
}

export interface LiveIds {
  readonly canaries: string[]
  readonly checks: string[]
}

export interface SenderDeps {
  queue: Pick<Queue, 'read' | 'drop' | 'waiting'>
  /** @returns rows that the upstream cannot keep; it has all others */
  push: (push: Push, signal: AbortSignal) => Promise<readonly RefusedRow[]>
  /** Has the upstream delete what it knew before and is not among these. */
  settle: (live: LiveIds, signal: AbortSignal) => Promise<void>
  clock: Clock
  logger: Logger
  /** In [0, 1). */
  random: () => number
}

/** Under the 1 MiB that a gateway allows, with room for escapes and the frame. */
const MAX_BATCH_BYTES = 600_000
/** Definitions per push; a spec may be long. */
const DEFINITIONS_PER_PUSH = 200
/** Results of one moment go together. */
const GATHER_MS = 100
/** Refused for what it is or for who we are: somebody has to do something, so asking often helps nobody. */
const REFUSED_RETRY_MS = 60_000

export function createSender(deps: SenderDeps): Sender {
  const { queue, clock, logger, random } = deps
  /** Checks whose definition the upstream cannot keep: what they find cannot be kept there either. */
  const refusedChecks = new Set<string>()
  const stop = new AbortController()
  let definitions: PushedDefinitions | null = null
  let isDefined = true
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

  /** Each refused row is told of; nothing is given up without a word. */
  async function push(rows: Push): Promise<void> {
    for (const row of await deps.push(rows, stop.signal)) {
      const { table } = row
      if (table === 'canaries' || table === 'checks') leaveOut({ ...row, table })
      else logger.error({ row }, 'RESULT LOST: the upstream does not keep it')
    }
  }

  function leaveOut({ table, id, ...told }: LeftOut): void {
    logger.error({ ...told, id }, 'the upstream cannot read this definition, it is left out')
    for (const check of definitions?.pushedChecks ?? []) {
      if (table === 'checks' ? check.id === id : check.canary_id === id) refusedChecks.add(check.id)
    }
  }

  async function sendDefinitions(): Promise<void> {
    const sent = definitions
    if (!sent) return
    refusedChecks.clear()
    const { pushedCanaries, pushedChecks } = sent
    for (const part of chunks(pushedCanaries)) await sendRows('canaries', part, (canaries) => ({ canaries }))
    const keepable = pushedChecks.filter(({ id }) => !refusedChecks.has(id))
    for (const part of chunks(keepable)) await sendRows('checks', part, (checks) => ({ checks }))
    const live = { canaries: pushedCanaries.map(({ id }) => id), checks: pushedChecks.map(({ id }) => id) }
    await deps.settle(live, stop.signal)
    if (definitions === sent) isDefined = true
  }

  /** What the upstream cannot read is left out alone: one odd check must not keep the results of all others here. */
  async function sendRows<Row extends { id: string; name: string }>(
    table: 'canaries' | 'checks',
    rows: readonly Row[],
    toPush: (rows: Row[]) => Push,
  ): Promise<void> {
    try {
      await push(toPush([...rows]))
    } catch (error) {
      if (!isCode(error, AGENT_ERRORS.AGENT_PUSH_REFUSED.code)) throw error
      const [only, second] = rows
      if (only && !second) {
        leaveOut({ table, id: only.id, name: only.name, err: error })
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await sendRows(table, rows.slice(0, middle), toPush)
      await sendRows(table, rows.slice(middle), toPush)
    }
  }

  /** @returns false when nothing waits */
  async function sendBatch(): Promise<boolean> {
    const batch = await queue.read({ maxRecords: RESULTS_PER_PUSH, maxBytes: MAX_BATCH_BYTES })
    if (!batch) return false
    if (batch.records.length > 0) await sendRecords(batch.records)
    await queue.drop(batch.end)
    return true
  }

  /** A batch that cannot be read is halved until the culprit stands alone; that one is given up, the others are not. */
  async function sendRecords(records: readonly string[]): Promise<void> {
    try {
      await pushRecords(records)
    } catch (error) {
      if (!isCode(error, AGENT_ERRORS.AGENT_PUSH_REFUSED.code)) throw error
      if (records.length === 1) {
        logger.error({ err: error, result: records[0]?.slice(0, 500) }, 'RESULT LOST: the upstream cannot read it')
        return
      }
      const middle = Math.ceil(records.length / 2)
      await sendRecords(records.slice(0, middle))
      await sendRecords(records.slice(middle))
    }
  }

  /** Definitions may have been deleted there: they are sent again, once, before anything is given up. */
  async function pushRecords(records: readonly string[]): Promise<void> {
    const waiting = records.map((record) => JSON.parse(record) as NonNullable<Push['check_statuses']>[number])
    const results = waiting.filter((result) => !refusedChecks.has(result.check_id))
    giveUp(waiting.length - results.length, 'the upstream cannot keep the definition of their checks')
    if (results.length === 0) return
    try {
      await push({ check_statuses: results })
      return
    } catch (error) {
      if (!isCode(error, AGENT_ERRORS.AGENT_CHECKS_UNKNOWN.code)) throw error
    }
    await sendDefinitions()
    const known = new Set(definitions?.pushedChecks.map(({ id }) => id))
    const kept = results.filter((result) => known.has(result.check_id) && !refusedChecks.has(result.check_id))
    giveUp(results.length - kept.length, 'their checks exist neither here nor upstream')
    if (kept.length > 0) await push({ check_statuses: kept })
  }

  function giveUp(lost: number, reason: string): void {
    if (lost > 0) logger.error({ lost }, `RESULTS LOST: ${reason}`)
  }

  async function sendAll(): Promise<void> {
    if (!isDefined) await sendDefinitions()
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
        if (isClosing) return
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
      definitions = next
      isDefined = false
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

interface LeftOut {
  readonly table: 'canaries' | 'checks'
  readonly id: string
  readonly name?: string | null | undefined
  readonly reason?: string
  readonly err?: unknown
}

const isCode = (error: unknown, code: string): boolean => error instanceof CodedError && error.code === code

const REFUSALS: ReadonlySet<string> = new Set([
  AGENT_ERRORS.AGENT_TOKEN_REFUSED.code,
  AGENT_ERRORS.AGENT_PUSH_FORBIDDEN.code,
  AGENT_ERRORS.AGENT_UPSTREAM_UNKNOWN.code,
])
const isRefusal = (error: unknown): boolean => error instanceof CodedError && REFUSALS.has(error.code)

/** Parts that are bounded in number and in bytes; what is too long alone stands alone. */
function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const size = JSON.stringify(item).length
    const last = parts.at(-1)
    if (!last || last.length >= DEFINITIONS_PER_PUSH || bytes + size > MAX_BATCH_BYTES) {
      parts.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return parts
}
