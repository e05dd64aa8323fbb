import { z } from 'zod'

const text = z.string().max(65_536).nullish()

/** What is tested before it is saved. A `***` stands for what is stored in the row of this id. */
export const TestedConnectionSchema = z.strictObject({
  id: z.guid().optional(),
  type: z.string().max(256),
  url: text,
  username: text,
  password: text,
  certificate: text,
  insecure_tls: z.boolean().nullish(),
  properties: z.record(z.string().max(256), text).nullish(),
})
export type TestedConnection = z.input<typeof TestedConnectionSchema>
