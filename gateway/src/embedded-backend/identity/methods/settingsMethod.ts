import type { FastifyRequest } from 'fastify'

import type { Flow } from '../flows/flow.ts'
import type { FlowAnswer, FlowBody, SubmitCall } from '../flows/flowDefinition.ts'
import type { FlowNode } from '../flows/nodes.ts'
import type { Identity } from '../identity.ts'
import type { ActiveSession } from '../sessions/createSessions.ts'

/** One section of a person's settings. */
export interface SettingsMethod {
  /** Name in `method`, and group of its nodes. */
  readonly name: string
  /** Names of its buttons, beside those that begin with its own. */
  readonly buttons?: readonly string[]
  /** Whether this change asks for a sign-in of a short while ago. */
  isSensitive(body: FlowBody, owner: Identity): boolean
  /** What was typed and may be kept until the change is confirmed, by the name of its node; without it nothing is. */
  toKeep?(body: FlowBody): Readonly<Record<string, string>>
  /** Empty where the method is not offered. */
  nodes(flow: Flow, owner: Identity, request: FastifyRequest): Promise<readonly FlowNode[]>
  /** @returns `saved`, or the form with what is wrong */
  save(call: SubmitCall, session: ActiveSession): Promise<FlowAnswer | 'saved'>
}

/** Whether the form asks for this, by a button or a box of that name. */
export const isPressed = (body: FlowBody, name: string): boolean => body[name] === true || body[name] === 'true'

/** What was typed; '' for anything else. */
export function textOf(body: FlowBody, name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}
