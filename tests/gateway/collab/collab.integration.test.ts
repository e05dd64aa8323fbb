import { readIncident, rootOf } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

let backend: TestBackend
let running: RunningGateway
let incidentId: string
let authorId: string

/** PostgREST through the embedded backend, as the service. */
async function database(
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<Record<string, unknown>[]> {
  const answer = await backend.call(`/db/${path}`, {
    ...options,
    headers: { authorization: `Bearer ${backend.serviceToken}`, prefer: 'return=representation' },
  })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? [] : (answer.json() as Record<string, unknown>[])
}

/** A stock y-websocket client: nothing of ours in it but the session header. */
async function connect(role: 'responder' | 'viewer' | 'admin'): Promise<{ doc: Y.Doc; provider: WebsocketProvider }> {
  const { headers } = await running.signInAs(role)
  class SignedInSocket extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols, { headers })
    }
  }
  const doc = new Y.Doc()
  const provider = new WebsocketProvider(running.url.replace('http', 'ws') + '/collab', `incident/${incidentId}`, doc, {
    WebSocketPolyfill: SignedInSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
  // A stock client writes a line to the console for each message type it does not know.
  for (const type of [100, 101, 102, 103]) provider.messageHandlers[type] = () => {}
  await eventually(() => expect(provider.synced).toBe(true))
  return { doc, provider }
}

beforeAll(async () => {
  backend = await startEmbeddedBackend({ profile: 'empty' })
  running = await startGateway({ backend: toGatewayBackend(backend) })
  authorId = (await backend.createPerson('responder')).id
  const people = { created_by: authorId, commander_id: authorId, communicator_id: authorId }
  const [incident] = await database('incidents', {
    method: 'POST',
    body: {
      title: 'Labels are late',
      description: '',
      severity: 'high',
      type: 'availability',
      status: 'open',
      ...people,
    },
  })
  incidentId = String(incident?.['id'])
  await database('hypotheses', {
    method: 'POST',
    body: { incident_id: incidentId, title: 'Printing stalls', type: 'root', status: 'possible', created_by: authorId },
  })
})

afterAll(async () => {
  await running?.stop()
  await backend?.stop()
})

describe('a stock y-websocket client', () => {
  it('[COLLAB-1] syncs, edits, is seen by others, and its edit reaches the backend', async () => {
    const ana = await connect('responder')
    const bo = await connect('responder')
    const root = [...readIncident(ana.doc).hypotheses.values()][0]
    expect(root).toMatchObject({ title: 'Printing stalls', type: 'root' })
    const entry = rootOf(ana.doc, 'hypotheses').get(root?.id ?? '') as Y.Map<unknown>
    ;(entry.get('title') as Y.Text).insert(0, 'Label ')
    await eventually(() =>
      expect(readIncident(bo.doc).hypotheses.get(root?.id ?? '')?.title).toBe('Label Printing stalls'),
    )
    await eventually(async () => {
      expect(await database(`hypotheses?id=eq.${root?.id}&select=title`)).toEqual([{ title: 'Label Printing stalls' }])
    })
    ana.provider.destroy()
    bo.provider.destroy()
  })

  it('[COLLAB-8] reads as a viewer and changes nothing', async () => {
    const viewer = await connect('viewer')
    const ana = await connect('responder')
    rootOf(viewer.doc, 'incident').set('severity', 'critical')
    rootOf(ana.doc, 'incident').set('severity', 'medium')
    await eventually(async () => {
      expect(await database(`incidents?id=eq.${incidentId}&select=severity`)).toEqual([{ severity: 'medium' }])
    })
    viewer.provider.destroy()
    ana.provider.destroy()
  })

  it('[COLLAB-14] sees rows that others write through the API', async () => {
    const ana = await connect('responder')
    const [added] = await database('hypotheses', {
      method: 'POST',
      body: { incident_id: incidentId, title: 'From a script', type: 'factor', status: 'likely', created_by: authorId },
    })
    await eventually(() =>
      expect(readIncident(ana.doc).hypotheses.get(String(added?.['id']))?.title).toBe('From a script'),
    )
    ana.provider.destroy()
  })
})

describe('admission', () => {
  /** Close code of a socket, or the HTTP status that refused its upgrade. */
  const knock = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(running.url.replace('http', 'ws') + path, { headers })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('close', (code) => resolve(code))
      socket.on('error', reject)
    })

  it('[COLLAB-6] refuses a foreign and a missing Origin before the upgrade', async () => {
    const { session } = await running.signInAs('responder')
    const cookie = `ory_kratos_session=${session}`
    expect(await knock(`/collab/incident/${incidentId}`, { cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await knock(`/collab/incident/${incidentId}`, { cookie })).toBe(403)
  })

  it('[COLLAB-6] says with the close code that a session is missing or an incident unknown', async () => {
    const { headers } = await running.signInAs('responder')
    expect(await knock(`/collab/incident/${incidentId}`, { origin: running.url })).toBe(4401)
    expect(await knock('/collab/incident/00000000-0000-4000-8000-00000000dead', headers)).toBe(4404)
    expect(await knock('/collab/secrets/1', headers)).toBe(4404)
  })

  it('closes a socket that sends text or garbage and serves the others', async () => {
    const ana = await connect('responder')
    const { headers } = await running.signInAs('responder')
    const garbage = (message: string | Uint8Array): Promise<number> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${running.url.replace('http', 'ws')}/collab/incident/${incidentId}`, { headers })
        socket.on('open', () => socket.send(message))
        socket.on('close', (code) => resolve(code))
      })
    expect(await garbage('hello')).toBe(4400)
    expect(await garbage(Uint8Array.of(0, 9, 255, 255))).toBe(4400)
    expect(ana.provider.wsconnected).toBe(true)
    ana.provider.destroy()
  })
})

it('tells operators whether the gateway has its own database', async () => {
  const ready = (await (await fetch(`${running.url}/readyz`)).json()) as { dependencies: Record<string, unknown> }
  expect(ready.dependencies['database']).toEqual({ ready: true, state: 'ready' })
})
