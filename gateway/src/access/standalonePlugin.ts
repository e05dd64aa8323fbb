import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

import type { Access } from './contract.ts'

/**
 * Who am I, and what may I do, where nobody signs in. The backend knows no such person: there the gateway speaks for itself.
 * Wire shapes are the backend's.
 */
export const standalonePlugin = fastifyPlugin(async (app: FastifyInstance, { access }: { access: Access }) => {
  app.get('/api/auth/whoami', async (request) => {
    const { userId: id, name, email } = (await access.identify(request.headers)) ?? {}
    return { message: 'success', payload: { user: { id, name, email } } }
  })
  app.get('/api/db/people_roles', async (request) => {
    const { userId: id, name, email, roles } = (await access.identify(request.headers)) ?? {}
    return [{ id, name, email, roles }]
  })
})
