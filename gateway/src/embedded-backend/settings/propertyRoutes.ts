import type { FastifyInstance } from 'fastify'

import type { BackendContext } from '../server/context.ts'

/** `GET /properties`: feature flags, read side. They are written through `/db/properties`. */
export async function propertyRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  app.get('/properties', async () => {
    const rows = await context.db
      .selectFrom('properties')
      .select(['name', 'value'])
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .execute()
    return rows.map(({ name, value }) => ({ name, value, source: 'db', type: '', description: '' }))
  })
}
