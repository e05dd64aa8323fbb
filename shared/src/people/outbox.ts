import { z } from 'zod'

import { TimeSchema } from './time.ts'

const OutboxMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  template: z.string(),
  /** '' once a mail server has taken it: the text is not kept. */
  subject: z.string(),
  text: z.string().nullable(),
  createdAt: TimeSchema,
  sentAt: TimeSchema.nullable(),
  state: z.enum(['sent', 'waiting', 'failed']),
  attempts: z.number(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
})

/** Answer of `GET /mail/outbox`: what waits and failed first, then what was sent, newest first. */
export const OutboxSchema = z.object({
  /** Nobody takes mails away here: they are kept, with what they say, for administrators to hand on. */
  isKept: z.boolean(),
  mails: z.array(OutboxMailSchema),
})
export type OutboxMail = z.output<typeof OutboxMailSchema>
