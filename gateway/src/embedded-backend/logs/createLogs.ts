// Logs as one part of the backend: the selector of a component leads to those that hold its lines.
import type { Clock } from '@watchroom/shared/kernel'
import type { LogPage, LogQuery } from '@watchroom/shared/logs'
import type { Pool } from 'pg'

import { Refusal } from '../../platform/http/refusal.ts'
import { tryParseDateMath } from '../server/dateMath.ts'
import { findSelector } from './findSelector.ts'

export interface Logs {
  /** @throws Refusal */
  search(query: LogQuery): Promise<LogPage>
}

export function createLogs({ pool, clock }: { pool: Pick<Pool, 'query'>; clock: Clock }): Logs {
  return {
    search: async (query) => {
      readRange(query, clock.now())
      await findSelector(pool, query.id, query.name)
      return {}
    },
  }
}

interface Range {
  /** Milliseconds since the epoch, both inclusive. */
  readonly start: number
  readonly end: number
}

/** @throws Refusal that names the field */
function readRange({ start, end }: Pick<LogQuery, 'start' | 'end'>, now: number): Range {
  const read = (field: string, text: string): number => {
    const at = tryParseDateMath(text, now)?.getTime()
    if (at !== undefined) return at
    throw new Refusal(400, { error: `${field}: not a time: ${text.slice(0, 100)}`, message: 'invalid request' })
  }
  const range = { start: read('start', start), end: read('end', end) }
  if (range.start <= range.end) return range
  throw new Refusal(400, { error: 'start: must not be after end', message: 'invalid request' })
}
