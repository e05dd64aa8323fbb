import { z } from 'zod'

/** Error ids that the sign-in screens act on (first specification, section 8). */
export const IDENTITY_ERROR_IDS = [
  'session_aal2_required',
  'session_already_available',
  'session_refresh_required',
  'session_inactive',
  'self_service_flow_return_to_forbidden',
  'self_service_flow_expired',
  'security_csrf_violation',
  'security_identity_mismatch',
  'browser_location_change_required',
] as const
export type IdentityErrorId = (typeof IDENTITY_ERROR_IDS)[number]

/** Every refusal of the identity service, except 400 on submit: that is the flow itself. */
export const IdentityErrorSchema = z.object({
  error: z.object({
    /** One of `IDENTITY_ERROR_IDS`, another one, or none. */
    id: z.string().optional(),
    /** HTTP status. */
    code: z.number().optional(),
    status: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().catch(''),
  }),
  /** With `browser_location_change_required` and `session_aal2_required`. */
  redirect_browser_to: z.string().optional(),
  /** With `self_service_flow_expired`: the flow that replaces it. */
  use_flow_id: z.string().optional(),
})
export type IdentityError = z.infer<typeof IdentityErrorSchema>
