import { afterAll, beforeAll, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startEmbeddedBackend()
})
afterAll(() => backend?.stop())

it('POST /notification/silence/preview names the resource itself', async () => {
  const component = { name: 'shop', external_id: 'shop', status: 'ok', health: 'healthy' }
  const made = await backend.callAsService('/db/components', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: component,
  })
  const [{ id } = { id: '' }] = made.json() as { id: string }[]
  const preview = await backend.callAsService('/notification/silence/preview', {
    method: 'POST',
    body: { component_id: id, recursive: true },
  })
  expect(preview.json()).toEqual({ covered: 1, names: ['shop'], about: 'shop', messages: 0 })
})
