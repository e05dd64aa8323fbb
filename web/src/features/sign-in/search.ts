import { z } from 'zod'

const text = z.string().optional().catch(undefined)

/** Keys of the sign-in pages, as the identity service and our own redirects spell them. */
export const signInSearch = z.object({
  flow: text,
  return_to: text,
  aal: text,
  refresh: text,
  username: text,
  password: text,
  after_verification_return_to: text,
  invitation: text,
  /** Back from the confirmation that a change asked for. */
  confirmed: text,
  error_code: text,
  id: text,
})
