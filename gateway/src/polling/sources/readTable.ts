import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import { readUpstream } from './upstream.ts'

const AnswerSchema = z.array(z.unknown())

/** Rows of an answer; those that the schema refuses are counted and left out. */
export function parseRows<Row>(
  answer: readonly unknown[],
  schema: z.ZodType<Row>,
): { readonly rows: Row[]; readonly droppedRows: number } {
  const rows = answer.flatMap((raw) => {
    const row = schema.safeParse(raw)
    return row.success ? [row.data] : []
  })
  return { rows, droppedRows: answer.length - rows.length }
}

/**
 * Rows of one call that answers with a list of them, as the database API does.
 *
 * @throws CodedError of `pollingErrors`
 */
export function readTable<Row>(
  backend: BackendClient,
  path: string,
  schema: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<{ readonly rows: Row[]; readonly droppedRows: number }> {
  return readUpstream(backend, path, signal, async (response) =>
    parseRows(AnswerSchema.parse(await response.json()), schema),
  )
}
