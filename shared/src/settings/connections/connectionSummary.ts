import { z } from 'zod'

import { ConnectionRowSchema } from './connectionRow.ts'
import { CONNECTION_TYPES, type ConnectionTypeName } from './types/index.ts'

const text = z.string().nullish()

/** A row of `connections_with_status`: a connection, who uses it, and what is known of its credentials and its last test. */
export const ConnectionSummarySchema = z.object({
  ...ConnectionRowSchema.shape,
  id: z.string(),
  name: z.string(),
  namespace: text,
  type: z.string(),
  source: text,
  created_by: z.object({ id: z.string(), name: text }).nullish().catch(null),
  created_at: text,
  updated_at: text,
  deleted_at: text,
  /** Absent where another backend answers, as are the three below. */
  used_by: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })).catch([]),
  /** Where each stored credential stands, for example `properties.accessKey`. */
  credentials: z.array(z.object({ place: z.string(), set_at: text, set_by: text })).catch([]),
  tested_at: text,
  test_outcome: z.enum(['ok', 'failed', 'unsupported']).nullish().catch(null),
  test_message: text,
})
export type ConnectionSummary = z.infer<typeof ConnectionSummarySchema>

export const isConnectionType = (type: string): type is ConnectionTypeName => Object.hasOwn(CONNECTION_TYPES, type)
