import { z } from 'zod'

/** The identity service's, by which a browser is known. */
export const SESSION_COOKIE = 'ory_kratos_session'

const text = z.string().catch('')
const optionalText = z.string().optional().catch(undefined)
const name = z.object({ first: text, last: text })

/** Who is signed in: `GET /sessions/whoami`. Unknown fields are dropped; a real identity service sends many more. */
export const SessionSchema = z.object({
  id: text,
  active: z.boolean().optional(),
  expires_at: optionalText,
  authenticated_at: optionalText,
  authenticator_assurance_level: optionalText,
  authentication_methods: z
    .array(z.object({ method: z.string(), aal: optionalText, completed_at: optionalText }))
    .optional()
    .catch(undefined),
  issued_at: optionalText,
  identity: z.object({
    /** Also the person's id. */
    id: z.string().min(1),
    schema_id: optionalText,
    schema_url: optionalText,
    state: optionalText,
    state_changed_at: optionalText,
    traits: z.object({ email: text, name: name.catch({ first: '', last: '' }) }).catch({
      email: '',
      name: { first: '', last: '' },
    }),
    /** Whether the person proved that they read mail to their address. */
    verifiable_addresses: z
      .array(z.object({ id: text, value: text, verified: z.boolean(), via: text, status: text }))
      .optional()
      .catch(undefined),
    recovery_addresses: z
      .array(z.object({ id: text, value: text, via: text }))
      .optional()
      .catch(undefined),
    created_at: optionalText,
    updated_at: optionalText,
  }),
  /** Where the session is used from. */
  devices: z
    .array(z.object({ id: text, ip_address: text, user_agent: text, location: text }))
    .optional()
    .catch(undefined),
})
export type Session = z.infer<typeof SessionSchema>

/** Answer to a finished sign-in. `session_token` only in `api` flows, which have no cookies. */
export const SignedInSchema = z.object({ session: SessionSchema, session_token: z.string().optional() })
