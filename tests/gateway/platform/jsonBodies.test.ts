import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'

import { acceptJsonBodies } from '../../../gateway/src/platform/jsonBodies.ts'

it('refuses what is no UTF-8, which would be stored as other characters', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  acceptJsonBodies(app)
  app.post('/', ({ body }) => ({ body }))
  const post = (payload: Buffer) =>
    app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': 'application/json' } })
  const good = await post(Buffer.from('{"name":"Zoë 😀"}'))
  expect([good.statusCode, good.json()]).toEqual([200, { body: { name: 'Zoë 😀' } }])
  const bad = await post(Buffer.from('{"name":"Zo\u00eb"}', 'latin1'))
  expect([bad.statusCode, bad.json()]).toMatchObject([400, { message: 'the body is not UTF-8' }])
})
