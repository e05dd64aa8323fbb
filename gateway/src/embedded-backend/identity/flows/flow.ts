// A conversation with the identity service: what is kept of it between a form and its answer.
import type { FlowKind } from '@watchroom/shared/access'
import type { FlowSchema } from '@watchroom/shared/identity'
import { z } from 'zod'

import { type FlowMessage, FlowMessageSchema } from './messages.ts'
import { type FlowNode, input } from './nodes.ts'

/** Step of a form that nobody can fill in at present. */
export const NOT_OFFERED = 'not_offered'

/** Column `flows.state`. */
export const FlowStateSchema = z.object({
  requestUrl: z.string(),
  /** As Kratos has it: `choose_method`, `sent_email`, `passed_challenge`, `show_form`, `success`; or `NOT_OFFERED`. */
  step: z.string().default('choose_method'),
  /** The method that leads on; null where the person chooses. */
  active: z.string().nullable().default(null),
  refresh: z.boolean().default(false),
  requestedAal: z.string().default('aal1'),
  /** What was typed last, by name of the node; never a password. */
  values: z.record(z.string(), z.string()).default({}),
  messages: z.array(FlowMessageSchema).default([]),
  fieldMessages: z.record(z.string(), z.array(FlowMessageSchema)).default({}),
  /** A code or link that was sent: its hash, and what it is good for. */
  proof: z.object({ hash: z.string(), email: z.string() }).nullable().default(null),
  /** Random, for one answer of a key. */
  challenge: z.string().default(''),
  /** Secrets of what is being set up, sealed. */
  sealed: z.record(z.string(), z.string()).default({}),
})
export type FlowState = z.infer<typeof FlowStateSchema>

export interface Flow {
  readonly id: string
  readonly type: FlowKind
  readonly kind: 'browser' | 'api'
  /** '' in api flows. */
  readonly csrfToken: string
  readonly returnTo: string | null
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** Whose settings, or whose code; null while that is nobody's business. */
  readonly identityId: string | null
  readonly state: FlowState
}

/** A form as a flow shows it. */
export interface FlowForm {
  readonly nodes: readonly FlowNode[]
  /** Shown above those of the last answer. */
  readonly messages?: readonly FlowMessage[]
}

/** Path of the service as browsers see it: the gateway maps it to `/kratos`. */
export const PUBLIC_PATH = '/api/.ory'

/** The wire form. */
export function toWire(flow: Flow, { nodes, messages = [] }: FlowForm): z.input<typeof FlowSchema> {
  const { state } = flow
  return {
    id: flow.id,
    type: flow.kind,
    issued_at: flow.issuedAt.toISOString(),
    expires_at: flow.expiresAt.toISOString(),
    request_url: state.requestUrl,
    ...(flow.returnTo === null ? {} : { return_to: flow.returnTo }),
    ...(flow.type === 'login' ? { refresh: state.refresh, requested_aal: state.requestedAal } : {}),
    ...(state.active === null ? {} : { active: state.active }),
    state: state.step,
    ui: {
      action: `${PUBLIC_PATH}/self-service/${flow.type}?flow=${flow.id}`,
      method: 'POST',
      messages: [...messages, ...state.messages],
      nodes: nodes.map((node) => withMessages(node, state.fieldMessages)),
    },
  }
}

/** First in every form. */
export const csrfNode = ({ csrfToken }: Flow): FlowNode =>
  input('default', { name: 'csrf_token', type: 'hidden', value: csrfToken, required: true })

function withMessages(node: FlowNode, byName: FlowState['fieldMessages']): FlowNode {
  const { attributes } = node
  if (attributes.node_type !== 'input' || attributes.type === 'submit' || attributes.type === 'hidden') return node
  return { ...node, messages: [...(byName[attributes.name] ?? []), ...node.messages] }
}
