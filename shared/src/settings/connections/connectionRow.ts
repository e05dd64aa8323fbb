import { z } from 'zod'

const text = z.string().nullish()

/** What a row of `connections` keeps of its fields. Stored secrets are `***`. */
export const ConnectionRowSchema = z.object({
  url: text,
  username: text,
  password: text,
  certificate: text,
  insecure_tls: z.boolean().nullish(),
  properties: z.record(z.string(), z.unknown()).nullish().catch(null),
})
export type ConnectionRow = z.infer<typeof ConnectionRowSchema>
