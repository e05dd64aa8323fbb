import type { FastifyRequest } from 'fastify'

import type { Flow } from '../flows/flow.ts'
import type { FlowAnswer, FlowBody, SubmitCall } from '../flows/flowDefinition.ts'
import type { FlowNode } from '../flows/nodes.ts'
import type { Identity } from '../identity.ts'

/** One way to prove who someone is. */
export interface LoginMethod {
  /** Name in `method`, and group of its nodes. */
  readonly name: string
  /** What a session is worth with it: the first proof, or the second. */
  readonly aal: 'aal1' | 'aal2'
  /** Names of its buttons, beside those that begin with its own. */
  readonly buttons?: readonly string[]
  /** Short enough to be tried out: tries are slowed down. */
  readonly isGuessable?: true
  /** @param owner who has to prove that it is them; null at a first sign-in. Empty where the method is not offered */
  nodes(flow: Flow, owner: Identity | null, request: FastifyRequest): Promise<readonly FlowNode[]>
  prove(call: SubmitCall, owner: Identity | null): Promise<LoginProof>
}

export type LoginProof =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly answer: FlowAnswer }

/** The method that a form was sent for: the one it names, or that of the button that was pressed. */
export function methodOf<Method extends Pick<LoginMethod, 'name' | 'buttons'>>(
  body: FlowBody,
  methods: readonly Method[],
): Method | undefined {
  const named = methods.find(({ name }) => name === body['method'])
  if (named !== undefined) return named
  const pressed = Object.entries(body).flatMap(([key, value]) =>
    value === undefined || value === '' || value === false ? [] : [key],
  )
  return methods.find(({ name, buttons = [] }) =>
    pressed.some((key) => key.startsWith(`${name}_`) || buttons.includes(key)),
  )
}
