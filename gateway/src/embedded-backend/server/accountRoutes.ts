import { hostname } from 'node:os'

import type { FastifyInstance } from 'fastify'

/** `GET /auth/whoami` (backend reference 3.4). */
export async function accountRoutes(app: FastifyInstance): Promise<void> {
  app.get('/auth/whoami', async ({ principal }, reply) => {
    if (!principal || principal.kind === 'service')
      return reply.code(500).send({ error: '', message: 'Error fetching user' })
    const { id, name, email, roles, roleNames } = principal
    return {
      message: 'success',
      payload: {
        user: { id, name, email, properties: { role: roles[0] ?? 'viewer' } },
        roles: roleNames,
        permissions: roles.map((role) => ({ subject: role })),
        hostname: hostname(),
      },
    }
  })
}
