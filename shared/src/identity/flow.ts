import { z } from 'zod'

// Shapes of the identity service's self-service API (Kratos v1): what its forms are made of. The embedded service writes
// them, the client reads them. Reading is tolerant: an unknown kind of node is kept and not shown.

const optionalText = z.string().nullish().catch(null)

const FlowMessageSchema = z.object({
  id: z.number().catch(0),
  text: z.string(),
  type: z.enum(['info', 'error', 'success']).catch('info'),
  /** Numbers and names in the text, for clients that word it themselves. */
  context: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

const messages = z
  .array(FlowMessageSchema)
  .nullish()
  .transform((list) => list ?? [])

const NodeMetaSchema = z
  .object({
    label: z.object({ id: z.number().optional(), text: z.string(), type: z.string().optional() }).nullish().catch(null),
  })
  .nullish()
  .catch(null)

const InputAttributesSchema = z.object({
  node_type: z.literal('input'),
  name: z.string(),
  /** `hidden`, `submit`, `button`, `checkbox` or any type of an HTML input. */
  type: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null),
  required: z.boolean().nullish().catch(null),
  disabled: z.boolean().nullish().catch(null),
  autocomplete: optionalText,
  pattern: optionalText,
  maxlength: z.number().nullish().catch(null),
  /** What a button does in the page: the name of a function of Kratos's own script. The value is its argument, as JSON. */
  onclickTrigger: optionalText,
})

const TextAttributesSchema = z.object({
  node_type: z.literal('text'),
  id: optionalText,
  text: z.object({
    id: z.number().optional().catch(undefined),
    text: z.string(),
    type: z.string().optional().catch(undefined),
    context: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
})

const ImageAttributesSchema = z.object({
  node_type: z.literal('img'),
  src: z.string(),
  id: optionalText,
})

const AnchorAttributesSchema = z.object({
  node_type: z.literal('a'),
  href: z.string(),
  title: z.object({ text: z.string() }),
  id: optionalText,
})

const UnknownAttributesSchema = z.unknown().transform(() => ({ node_type: 'unknown' as const }))

export const FlowNodeSchema = z.object({
  type: z.string(),
  /** `default` belongs to every form; the others name a method (`password`, `oidc`, `totp`, `profile`, …). */
  group: z.string(),
  attributes: z.union([
    InputAttributesSchema,
    TextAttributesSchema,
    ImageAttributesSchema,
    AnchorAttributesSchema,
    UnknownAttributesSchema,
  ]),
  messages,
  meta: NodeMetaSchema,
})
export type FlowNode = z.infer<typeof FlowNodeSchema>

export const FlowSchema = z.object({
  id: z.string(),
  /** `browser` or `api`. */
  type: optionalText,
  issued_at: optionalText,
  expires_at: optionalText,
  request_url: optionalText,
  return_to: optionalText,
  state: z.unknown().optional(),
  /** The method that leads on: `code`, `link`, `password`, … */
  active: optionalText,
  /** Signing in again to confirm something. */
  refresh: z.boolean().nullish().catch(null),
  /** `aal2` asks for a second factor. */
  requested_aal: optionalText,
  ui: z.object({
    action: z.string(),
    method: z.string(),
    nodes: z.array(FlowNodeSchema),
    messages,
  }),
})
/** One conversation with the identity service: a form, what it said last, and where it will lead. */
export type Flow = z.infer<typeof FlowSchema>

/** Answer to a finished sign-in or registration. Other flows answer with themselves, one step further. */
export const FlowDoneSchema = z.object({
  redirect_browser_to: optionalText,
  continue_with: z
    .array(z.object({ action: z.string(), redirect_browser_to: optionalText }))
    .nullish()
    .catch(null),
})

export const LogoutFlowSchema = z.object({ logout_token: z.string(), logout_url: z.string() })

/** Answer of GET /self-service/errors?id=. */
export const FlowErrorSchema = z.object({
  id: z.string().catch(''),
  error: z
    .object({
      id: optionalText,
      code: z.number().nullish().catch(null),
      status: optionalText,
      message: optionalText,
      reason: optionalText,
    })
    .nullish()
    .catch(null),
})
