import { z } from 'zod'

import { COMMON_FIELDS, ConnectionReferenceSchema, defineCheckType, hidden, TextValueSchema } from './fields.ts'
import { maskCredentials, toPublicUrl } from './maskCredentials.ts'

const PostgresUrlSchema = z.url({ protocol: /^postgres(ql)?$/, error: 'expected a postgres:// URL' })

const PostgresSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    /** `postgres://user:password@host:port/database`; special characters in the password are percent-encoded. */
    url: PostgresUrlSchema.optional(),
    /** The field's other name for `url`, or the name of a connection that knows the address and how to sign in. */
    connection: z
      .union(
        [ConnectionReferenceSchema, PostgresUrlSchema],
        'expected a postgres:// URL or connection://namespace/name',
      )
      .optional(),
    username: TextValueSchema.optional(),
    password: hidden(TextValueSchema, 'secret').optional(),
    /** `select 1` when absent. */
    query: z.string().min(1).optional(),
    /** Rows that the query must return, exactly. */
    results: z.number().int().min(0).optional(),
  })
  .transform(({ url, connection, ...spec }, context) => {
    const target = url ?? connection
    if (target !== undefined && (url === undefined || connection === undefined)) {
      const isReference = ConnectionReferenceSchema.safeParse(target).success
      const place: { url?: string; connection?: string } = isReference ? { connection: target } : { url: target }
      return { ...spec, ...place }
    }
    context.addIssue({ code: 'custom', path: ['url'], message: 'expected one of url and connection' })
    return z.NEVER
  })

export const postgresCheckType = defineCheckType({
  schema: PostgresSpecSchema,
  endpoint: (spec) => toPublicUrl(maskCredentials(spec.url ?? spec.connection ?? '')),
})
