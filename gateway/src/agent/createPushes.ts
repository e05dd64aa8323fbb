// What is pushed to the upstream, and what becomes of it when the upstream cannot keep it: one odd row never holds up the others.
import type { Push, PushedCanary, PushedCheck, RefusedRow } from '@watchroom/shared/agents/upstream'
import type { Logger } from 'pino'

import { createApart, isCode } from './createApart.ts'
import { AGENT_ERRORS } from './errors.ts'

/** Under the 1 MiB that a gateway allows, with room for escapes and the frame. */
export const MAX_PUSH_BYTES = 600_000
/** Definitions per push; a spec may be long. */
const DEFINITIONS_PER_PUSH = 200

export interface PushedDefinitions {
  readonly pushedCanaries: readonly PushedCanary[]
  readonly pushedChecks: readonly PushedCheck[]
}

export interface LiveIds {
  readonly canaries: string[]
  readonly checks: string[]
}

export interface PushesDeps {
  /** @returns rows that the upstream cannot keep; it has all others */
  push: (push: Push, signal: AbortSignal) => Promise<{ readonly refused: readonly RefusedRow[] }>
  /** Has the upstream delete what it knew before and is not among these. */
  settle: (live: LiveIds, signal: AbortSignal) => Promise<void>
  logger: Logger
  signal: AbortSignal
}

export interface Pushes {
  define(definitions: PushedDefinitions): void
  /** Those that the upstream was not told of yet. */
  sendDefinitions(): Promise<void>
  /** Results, each a line of JSON. */
  sendRecords(records: readonly string[]): Promise<void>
}

export function createPushes(deps: PushesDeps): Pushes {
  const { logger, signal } = deps
  const sendApart = createApart()
  /** Checks whose definition the upstream cannot keep: what they find cannot be kept there either. */
  const refusedChecks = new Set<string>()
  let definitions: PushedDefinitions | null = null
  let isDefined = true

  /** Reports every refused row: nothing is dropped silently. */
  async function push(rows: Push): Promise<void> {
    const { refused } = await deps.push(rows, signal)
    for (const row of refused) {
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
    for (const part of inParts(pushedCanaries)) await sendRows('canaries', part, (canaries) => ({ canaries }))
    const keepable = pushedChecks.filter(({ id }) => !refusedChecks.has(id))
    for (const part of inParts(keepable)) await sendRows('checks', part, (checks) => ({ checks }))
    const live = { canaries: pushedCanaries.map(({ id }) => id), checks: pushedChecks.map(({ id }) => id) }
    await deps.settle(live, signal)
    if (definitions === sent) isDefined = true
  }

  /** What the upstream cannot read is left out alone: one odd check must not keep the results of all others here. */
  async function sendRows<Row extends { id: string; name: string }>(
    table: 'canaries' | 'checks',
    rows: readonly Row[],
    toPush: (rows: Row[]) => Push,
  ): Promise<void> {
    await sendApart({
      key: rows[0]?.id ?? '',
      rows,
      push: async (part) => {
        await push(toPush([...part]))
        return true
      },
      giveUp: ({ id, name }, err) => leaveOut({ table, id, name, err }),
    })
  }

  /** A batch that cannot be read is halved until the culprit stands alone; that one is given up, the others are not. */
  const sendRecords = (records: readonly string[]): Promise<void> =>
    sendApart({
      key: records[0] ?? '',
      rows: records,
      push: pushRecords,
      giveUp: (record, err) =>
        logger.error({ err, result: record.slice(0, 500) }, 'RESULT LOST: the upstream cannot read it'),
    })

  /** Definitions may have been deleted there: they are sent again, once, before anything is given up. */
  async function pushRecords(records: readonly string[]): Promise<boolean> {
    const waiting = records.map((record) => JSON.parse(record) as NonNullable<Push['check_statuses']>[number])
    const results = waiting.filter((result) => !refusedChecks.has(result.check_id))
    giveUp(waiting.length - results.length, 'the upstream cannot keep the definition of their checks')
    if (results.length === 0) return false
    try {
      await push({ check_statuses: results })
      return true
    } catch (error) {
      if (!isCode(error, AGENT_ERRORS.AGENT_CHECKS_UNKNOWN.code)) throw error
    }
    await sendDefinitions()
    const known = new Set(definitions?.pushedChecks.map(({ id }) => id))
    const kept = results.filter((result) => known.has(result.check_id) && !refusedChecks.has(result.check_id))
    giveUp(results.length - kept.length, 'their checks exist neither here nor upstream')
    if (kept.length > 0) await push({ check_statuses: kept })
    return kept.length > 0
  }

  function giveUp(lost: number, reason: string): void {
    if (lost > 0) logger.error({ lost }, `RESULTS LOST: ${reason}`)
  }

  return {
    define: (next) => {
      definitions = next
      isDefined = false
    },
    sendDefinitions: async () => {
      if (!isDefined) await sendDefinitions()
    },
    sendRecords,
  }
}

interface LeftOut {
  readonly table: 'canaries' | 'checks'
  readonly id: string
  readonly name?: string | null | undefined
  readonly reason?: string
  readonly err?: unknown
}

/** Parts that are bounded in number and in bytes. A row beyond the bound is a part of its own. */
export function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const size = JSON.stringify(item).length
    const last = parts.at(-1)
    if (!last || last.length >= DEFINITIONS_PER_PUSH || bytes + size > MAX_PUSH_BYTES) {
      parts.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return parts
}
