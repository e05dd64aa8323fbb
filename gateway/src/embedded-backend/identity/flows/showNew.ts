import type { FastifyReply, FastifyRequest } from 'fastify'

import type { FlowStore } from './createFlowStore.ts'
import type { FlowDefinition } from './flowDefinition.ts'
import type { FlowMessage } from './messages.ts'
import type { FlowMaker } from './registerFlow.ts'

interface Deps {
  readonly store: FlowStore
  readonly makerOf: (definition: FlowDefinition) => FlowMaker
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface NewForm {
  /** Why it is new. */
  readonly message?: FlowMessage
  /** For whom was invited. */
  readonly invitation?: string
  /** Of the form that it stands in for. */
  readonly returnTo?: string | null
}

/** Leads a browser to a new form. */
export function createShowNew({ store, makerOf }: Deps) {
  return async (
    { request, reply }: Call,
    definition: FlowDefinition,
    { message, invitation = '', returnTo = null }: NewForm,
  ): Promise<FastifyReply> => {
    const started = await definition.start({
      request,
      reply,
      flavour: 'browser',
      returnTo,
      query: { refresh: '', aal: '', invitation },
    })
    const flow = await makerOf(definition).create({ request, reply }, 'browser', returnTo, started)
    if (message) await store.update(flow, { messages: [message] })
    return reply.redirect(`${definition.page}?flow=${flow.id}`, 303)
  }
}
