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

/** Leads a browser to a new form, which says why it is new, or is for whom was invited. */
export function createShowNew({ store, makerOf }: Deps) {
  return async (
    { request, reply }: Call,
    definition: FlowDefinition,
    { message, invitation = '' }: { readonly message?: FlowMessage; readonly invitation?: string },
  ): Promise<FastifyReply> => {
    const started = await definition.start({
      request,
      reply,
      flavour: 'browser',
      returnTo: null,
      query: { refresh: '', aal: '', invitation },
    })
    const flow = await makerOf(definition).create({ request, reply }, 'browser', null, started)
    if (message) await store.update(flow, { messages: [message] })
    return reply.redirect(`${definition.page}?flow=${flow.id}`, 303)
  }
}
