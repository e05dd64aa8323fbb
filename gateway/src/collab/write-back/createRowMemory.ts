// Reading the rows of a large document again costs little more than what changed of them: the rest is recognized as it came.

import { deepEqual } from '@watchroom/shared/protocol'
import type { z } from 'zod'

/** Rows that are parsed before everyone else gets a turn of the event loop. */
const PARSED_AT_ONCE = 200

export interface RowMemory {
  /** The row that `raw` says; the same object as the last time when it came as it came then. @throws ZodError */
  recall<Row>(table: string, raw: { readonly id: string }, schema: z.ZodType<Row>): Row
  /** Lets others have a turn, when much was parsed since the last one. */
  rest(): Promise<void>
  /** One reading is complete: what it did not meet is forgotten. */
  forgetOthers(): void
}

interface Known {
  readonly raw: unknown
  readonly row: unknown
}

/** Of one document. */
export function createRowMemory(): RowMemory {
  let before = new Map<string, Known>()
  let met = new Map<string, Known>()
  let parsed = 0
  return {
    recall: <Row>(table: string, raw: { readonly id: string }, schema: z.ZodType<Row>): Row => {
      const key = `${table}/${raw.id}`
      const known = before.get(key)
      if (known && deepEqual(known.raw, raw)) {
        met.set(key, known)
        // Parsed by the same schema: tables are told apart by the key.
        return known.row as Row
      }
      parsed += 1
      const row = schema.parse(raw)
      met.set(key, { raw, row })
      return row
    },
    rest: async () => {
      if (parsed < PARSED_AT_ONCE) return
      parsed = 0
      await new Promise((resolve) => setImmediate(resolve))
    },
    forgetOthers: () => {
      before = met
      met = new Map()
    },
  }
}
