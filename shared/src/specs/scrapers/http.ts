import { z } from 'zod'

import { duration, required } from '../common.ts'
import { ITEM_FIELDS } from './itemFields.ts'

const HeaderSchema = z.strictObject({ name: required.max(200), value: z.string().max(10_000) })

/** Answers of a server, each a document. */
export const HttpElementSchema = z
  .strictObject({
    ...ITEM_FIELDS,
    /** Of the connection when absent. */
    url: z.string().trim().max(2_000).optional(),
    /** Whose address, credentials and certificates are used: `connection://namespace/name`. */
    connection: z.string().trim().max(300).optional(),
    method: z.enum(['GET', 'POST']).optional(),
    headers: z.array(HeaderSchema).max(50).optional(),
    body: z.string().max(100_000).optional(),
    /** How an answer is written; by its content type when absent. */
    format: z.enum(['json', 'yaml']).optional(),
    /** Where an answer says at which address it goes on. A `Link` header with `rel="next"` is followed without. */
    next: ITEM_FIELDS.items,
    /** Of one answer. */
    timeout: duration.optional(),
  })
  .refine(({ url, connection }) => Boolean(url) || Boolean(connection), {
    message: 'name an address or a connection',
    path: ['url'],
  })
export type HttpElement = z.output<typeof HttpElementSchema>
