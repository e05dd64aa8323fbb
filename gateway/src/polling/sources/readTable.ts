import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import { readUpstream } from './upstream.ts'

const AnswerSchema = z.array(z.unknown())

/**
 * Rows of one call of the database API; those that the schema refuses are counted and left out.
 *
 * @throws CodedError of `pollingErrors`
 */
export function readTable<Row>(
  backend: BackendClient,
  path: string,
  schema: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<{ readonly rows: Row[]; readonly droppedRows: number }> {
  return readUpstream(backend, path, signal, async (response) => {
    const answer = AnswerSchema.parse(await response.json())
    const rows = answer.flatMap((raw) => {
      const row = schema.safeParse(raw)
      return row.success ? [row.data] : []
    })
    return { rows, droppedRows: answer.length - rows.length }
  })
}
