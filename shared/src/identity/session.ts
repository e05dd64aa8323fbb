import { z } from 'zod'

/** Who is signed in: `GET /sessions/whoami`. Unknown fields are dropped; a real identity service sends many more. */
export const SessionSchema = z.object({
  id: z.string(),
  active: z.boolean().optional(),
  expires_at: z.string().optional(),
  authenticated_at: z.string().optional(),
  issued_at: z.string().optional(),
  authenticator_assurance_level: z.string().optional(),
  authentication_methods: z
    .array(z.object({ method: z.string(), aal: z.string().optional(), completed_at: z.string().optional() }))
    .optional(),
  identity: z.object({
    /** Also the person's id. */
    id: z.string(),
    schema_id: z.string().optional(),
    state: z.string().optional(),
    traits: z.object({
      email: z.string().catch(''),
      name: z.object({ first: z.string().catch(''), last: z.string().catch('') }).optional(),
    }),
  }),
})
export type Session = z.infer<typeof SessionSchema>

/** Answer to a finished sign-in. `session_token` only in `api` flows, which have no cookies. */
export const SignedInSchema = z.object({ session: SessionSchema, session_token: z.string().optional() })
export type SignedIn = z.infer<typeof SignedInSchema>
