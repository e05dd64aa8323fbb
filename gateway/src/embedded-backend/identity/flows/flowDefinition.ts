// What one kind of flow says of itself. `registerFlow` does what all kinds have in common: cookies, expiry, CSRF, redirects.
import type { FlowKind } from '@watchroom/shared/access'
import type { Session } from '@watchroom/shared/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Visitor } from '../methods/createProviderAccounts.ts'
import type { Flavour } from '../requests.ts'
import type { FlowChanges } from './createFlowStore.ts'
import type { Flow, FlowForm, FlowState } from './flow.ts'

export interface StartCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly flavour: Flavour
  readonly returnTo: string | null
  readonly query: { readonly refresh: string; readonly aal: string; readonly invitation: string }
}

export interface FlowStart {
  readonly state?: Partial<FlowState>
  readonly identityId?: string
}

export interface SubmitCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly flow: Flow
  readonly body: FlowBody
}

/** Someone came back from a provider, who says who they are there. */
export interface ReturnCall extends Omit<SubmitCall, 'body'> {
  readonly visitor: Visitor
}

/** As it came; each reader parses the fields that it needs. */
export type FlowBody = Readonly<Record<string, unknown>>

/** What was done until its end does not show in the time of an answer. */
export interface AnswerStep {
  /** Monotonic, in milliseconds. */
  readonly startedAt: number
  readonly ms: number
}

/** The form again, with remarks or one step further. */
interface FormAnswer {
  readonly kind: 'form'
  readonly changes: FlowChanges
  readonly status: number
  readonly retryAfterMs?: number
  /** At whose end it is sent. */
  readonly step?: AnswerStep
}

export type FlowAnswer =
  | FormAnswer
  /** Someone is signed in, and the flow is over. */
  | { readonly kind: 'signed-in'; readonly session: Session; readonly token: string }
  /** Goes on elsewhere: the flow is over, or waits for what comes back. */
  | { readonly kind: 'moved'; readonly to: string }

export interface FlowDefinition {
  readonly type: FlowKind
  /** Where people see its form. */
  readonly page: string
  readonly lifetimeMs: number
  /** @throws IdentityRefusal when it cannot be started */
  start(call: StartCall): Promise<FlowStart>
  /** What `start` was given for it; without it nobody is invited to this kind. */
  invitationOf?(flow: Flow): string | null
  /**
   * Without it a flow belongs to a browser alone. With it its owner reads it also after a sign-in, which gives the browser another cookie.
   *
   * @throws IdentityRefusal when the flow is not the caller's
   */
  admit?(request: FastifyRequest, flow: Flow): Promise<void>
  toForm(flow: Flow, request: FastifyRequest): Promise<FlowForm>
  submit(call: SubmitCall): Promise<FlowAnswer>
}

/** A flow from which people go to a provider, and come back. */
export interface ReturnableFlow extends FlowDefinition {
  /** @throws IdentityRefusal as `submit` does */
  accept(call: ReturnCall): Promise<FlowAnswer>
}

/** The form again, with nothing left of what it said before. */
export const again = (changes: FlowChanges, status = 400): FormAnswer => ({
  kind: 'form',
  changes: { messages: [], fieldMessages: {}, ...changes },
  status,
})
