// The identity service's self-service API (Kratos v1 shapes) as the sign-in screens read it. Unknown fields are dropped: a real
// identity service sends many more.
import { z } from 'zod'

export const UiMessageSchema = z.object({
  id: z.number(),
  text: z.string(),
  type: z.enum(['info', 'error', 'success']).catch('info'),
  context: z.record(z.string(), z.unknown()).nullish(),
})
export type UiMessage = z.infer<typeof UiMessageSchema>

export const UI_NODE_GROUPS = [
  'default',
  'password',
  'oidc',
  'profile',
  'link',
  'code',
  'totp',
  'lookup_secret',
  'webauthn',
  'passkey',
] as const

export const UiNodeSchema = z.object({
  type: z.enum(['input', 'text', 'img', 'a', 'script']),
  group: z.string(),
  attributes: z.object({
    node_type: z.string().optional(),
    /** Absent on texts, pictures and links. */
    name: z.string().optional(),
    /** Of an input: text, password, email, hidden, submit, button, checkbox … */
    type: z.string().optional(),
    value: z.unknown().optional(),
    required: z.boolean().optional(),
    disabled: z.boolean().optional(),
    autocomplete: z.string().optional(),
    pattern: z.string().optional(),
    href: z.string().optional(),
    src: z.string().optional(),
  }),
  messages: z.array(UiMessageSchema).default([]),
  meta: z.object({ label: UiMessageSchema.optional() }).default({}),
})
export type UiNode = z.infer<typeof UiNodeSchema>

export const FlowSchema = z.object({
  id: z.string(),
  /** `browser` works with cookies and a CSRF token, `api` with neither. */
  type: z.enum(['browser', 'api']),
  issued_at: z.string(),
  expires_at: z.string(),
  request_url: z.string().catch(''),
  return_to: z.string().optional(),
  state: z.string().nullish(),
  refresh: z.boolean().optional(),
  requested_aal: z.string().optional(),
  ui: z.object({
    /** Where the form is posted; only its path and query matter. */
    action: z.string(),
    method: z.string(),
    nodes: z.array(UiNodeSchema),
    messages: z.array(UiMessageSchema).optional(),
  }),
})
export type Flow = z.infer<typeof FlowSchema>

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

/** Answer to a successful login: `session_token` only in `api` flows. */
export const LoginSuccessSchema = z.object({ session: SessionSchema, session_token: z.string().optional() })
export type LoginSuccess = z.infer<typeof LoginSuccessSchema>

export const LogoutFlowSchema = z.object({ logout_token: z.string(), logout_url: z.string() })
export type LogoutFlow = z.infer<typeof LogoutFlowSchema>

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

export const KratosErrorSchema = z.object({
  error: z.object({
    /** One of `IDENTITY_ERROR_IDS`, or another, or none. */
    id: z.string().optional(),
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
export type KratosError = z.infer<typeof KratosErrorSchema>

/** `GET /self-service/errors?id=` */
export const FlowErrorSchema = z.object({ id: z.string(), error: z.record(z.string(), z.unknown()) })
export type FlowError = z.infer<typeof FlowErrorSchema>
