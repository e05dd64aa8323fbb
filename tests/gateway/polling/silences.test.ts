import { expect, it, onTestFinished } from 'vitest'

import { FakeBackend, SERVICE_TOKEN } from '#support/fakeBackend.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createSilencesSource } from '../../../gateway/src/polling/sources/silences.ts'

const SILENCES = 'GET /db/notification_silences'
const COVERED = 'GET /db/silenced_resources'

const ROW = {
  id: 's1',
  updated_at: '2026-01-01T00:00:00+00:00',
  from: '2026-01-01T00:00:00+00:00',
  until: '2026-01-02T00:00:00+00:00',
  description: null,
  recursive: true,
  check: null,
  canary: null,
  component: { id: 'k1', name: 'Shop' },
  config: null,
}
const SHOWN = {
  id: 's1',
  version: ROW.updated_at,
  from: ROW.from,
  until: ROW.until,
  description: null,
  about: { kind: 'component', id: 'k1', name: 'Shop' },
  isRecursive: true,
}

const json = (body: unknown) => [200, JSON.stringify(body)] as const

/** @param covered status and body of what the backend says of what is covered */
async function read(covered: readonly [number, string]) {
  const backend = await FakeBackend.start()
  const client = createBackendClient({ backendUrl: backend.url, token: SERVICE_TOKEN })
  onTestFinished(async () => {
    await client.close()
    await backend.stop()
  })
  backend.json(SILENCES, [ROW, { ...ROW, id: 's2', component: null }])
  const [status, body] = covered
  backend.on(COVERED, (_request, response) => void response.writeHead(status).end(body))
  return createSilencesSource({ backend: client, clock: systemClock }).read(new AbortController().signal)
}

it('says of each silence what it names, and what the backend says that it covers', async () => {
  const covered = [
    { silence_id: 's1', resource_id: 'k1' },
    { silence_id: 's1', resource_id: 'c1' },
  ]
  expect(await read(json(covered))).toMatchObject({
    kind: 'all',
    droppedRows: 0,
    rows: [
      { ...SHOWN, covers: ['k1', 'c1'] },
      { ...SHOWN, id: 's2', about: null, covers: [] },
    ],
  })
})

it.each([
  ['has no such relation', 404, '{"code":"42P01","message":"relation does not exist"}'],
  ['does not know it, without a word', 404, ''],
  ['says so in other words', 404, '{"message":"no such relation"}'],
  ['gives it to nobody', 403, '{"message":"forbidden"}'],
])('of a backend that %s a silence covers what it names', async (_name, status, body) => {
  expect(await read([status, body])).toMatchObject({
    rows: [
      { ...SHOWN, covers: ['k1'] },
      { id: 's2', covers: [] },
    ],
  })
})
