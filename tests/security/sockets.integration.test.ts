// One person, or one address, with too many sockets, subscriptions or messages: bounded, and nobody else is turned away.
import { connect, type Socket } from 'node:net'

import { checksTopic, CLOSE_CODES } from '@watchroom/shared/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { type BenchClient, openBenchClient } from '#support/benchClient.ts'
import { startTestDatabase } from '#support/database.ts'
import { signedInAs, startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { startGateway } from '#support/gateway.ts'
import { ANA, BO } from '#support/incidentDocument.ts'
import { buildSummary, type LiveGateway, useLiveGateway } from '#support/liveGateway.ts'

interface RawSocket {
  readonly socket: WebSocket
  readonly received: string[]
  readonly isClosed: () => boolean
}

/** A live socket without our client. */
async function openRaw(gateway: LiveGateway, session: string | null): Promise<RawSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { origin: gateway.url, ...(session === null ? {} : { cookie: `ory_kratos_session=${session}` }) },
  })
  onTestFinished(() => socket.terminate())
  const received: string[] = []
  let isClosed = false
  socket.on('message', (data: Buffer) => received.push(data.toString()))
  socket.on('close', () => (isClosed = true))
  return new Promise((resolve) => {
    socket.on('open', () => resolve({ socket, received, isClosed: () => isClosed }))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => resolve(0))
  })
}

async function openGreeted(gateway: LiveGateway, session: string): Promise<RawSocket> {
  const raw = await openRaw(gateway, session)
  if (typeof raw === 'number') throw new Error(`refused with ${raw}`)
  raw.socket.send('40{"versions":[1]}')
  await eventually(() => expect(raw.received.some((text) => text.startsWith('40') || text.startsWith('44'))).toBe(true))
  return raw
}

const subscribe = (raw: RawSocket, id: string): void =>
  raw.socket.send(`42${JSON.stringify(['live', { type: 'subscribe', id, topic: 'checks', params: {} }])}`)

describe('one person', () => {
  it('[LIVE-61] has only so many sockets, and others have theirs', async () => {
    const gateway = await useLiveGateway({ settings: { maxSocketsPerPerson: 3 } })
    const own = [
      await openGreeted(gateway, 'session-editor'),
      await openGreeted(gateway, 'session-editor'),
      await openGreeted(gateway, 'session-editor'),
    ]
    const refused = await openGreeted(gateway, 'session-editor')
    expect(refused.received.at(-1)).toContain(`"code":${CLOSE_CODES.rateExceeded.code}`)
    await eventually(() => expect(refused.isClosed()).toBe(true))
    expect((await openGreeted(gateway, 'session-viewer')).received.join()).toContain('welcome')
    own[0]?.socket.close()
    await eventually(() => expect(own[0]?.isClosed()).toBe(true))
    await eventually(async () => {
      const again = await openGreeted(gateway, 'session-editor')
      expect(again.received.at(-1)).not.toContain('4429')
    })
  })

  it('[LIVE-61] has only so many subscriptions over all sockets', async () => {
    const gateway = await useLiveGateway({ settings: { maxSubscriptionsPerPerson: 5 } })
    gateway.backend.json('GET /canary/api/summary', { checks_summary: buildSummary(1) })
    const sockets = [await openGreeted(gateway, 'session-editor'), await openGreeted(gateway, 'session-editor')]
    for (const [index, raw] of sockets.entries()) for (let n = 0; n < 4; n++) subscribe(raw, `${index}-${n}`)
    const denials = (): string[] =>
      sockets.flatMap(({ received }) => received.filter((text) => text.includes('denied')))
    await eventually(() => expect(denials()).toHaveLength(3))
    expect(denials()[0]).toContain('LIVE_TOO_MANY_TOPICS')
    const other = gateway.openClient({ session: 'session-viewer' }).watch(checksTopic, {})
    await eventually(() => expect(other.view().rows).toHaveLength(1))
    // What a socket had is free again when it goes.
    sockets[0]?.socket.close()
    const third = await openGreeted(gateway, 'session-editor')
    await eventually(() => {
      subscribe(third, `again-${third.received.length}`)
      expect(third.received.some((text) => text.includes('snapshot'))).toBe(true)
    })
  })

  it('[LIVE-61] sends only so many messages over all sockets', async () => {
    const gateway = await useLiveGateway({ settings: { messagesPerSecondPerPerson: 1, messageBurstPerPerson: 10 } })
    const sockets = [await openGreeted(gateway, 'session-editor'), await openGreeted(gateway, 'session-editor')]
    const other = await openGreeted(gateway, 'session-viewer')
    for (let n = 0; n < 8; n++) for (const raw of sockets) subscribe(raw, `s${n}`)
    await eventually(() => expect(sockets.some(({ isClosed }) => isClosed())).toBe(true))
    expect(sockets.map(({ received }) => received.join()).join()).toContain(`"code":${CLOSE_CODES.rateExceeded.code}`)
    expect(other.isClosed()).toBe(false)
  })

  it('[LIVE-61] is refused further sockets when too many were cut, and keeps those that behave', async () => {
    const gateway = await useLiveGateway({
      settings: { messagesPerSecond: 1, messageBurst: 3, cutBurstPerPerson: 2, cutsPerSecondPerPerson: 1 / 3_600 },
    })
    const quiet = await openGreeted(gateway, 'session-editor')
    for (let count = 0; count < 2; count++) {
      const loud = await openGreeted(gateway, 'session-editor')
      for (let n = 0; n < 8; n++) subscribe(loud, `s${n}`)
      await eventually(() => expect(loud.isClosed()).toBe(true))
      expect(loud.received.join()).toContain(`"code":${CLOSE_CODES.rateExceeded.code}`)
    }
    const refused = await openGreeted(gateway, 'session-editor')
    expect(refused.received.at(-1)).toContain(`44{`)
    expect(refused.received.at(-1)).toContain(`"code":${CLOSE_CODES.rateExceeded.code}`)
    expect(quiet.isClosed()).toBe(false)
    expect((await openGreeted(gateway, 'session-viewer')).received.join()).toContain('welcome')
  })
})

describe('one address', () => {
  it('[LIVE-55] has only so many sockets, and gets them back', async () => {
    const gateway = await useLiveGateway({ settings: { maxSocketsPerAddress: 2 } })
    const [first] = [await openGreeted(gateway, 'session-editor'), await openGreeted(gateway, 'session-viewer')]
    expect(await openRaw(gateway, 'session-admin')).toBe(400)
    first.socket.close()
    await eventually(async () => expect(await openRaw(gateway, 'session-admin')).not.toBe(400))
  })

  it('[LIVE-55] has only so many sockets that say nothing', async () => {
    // Longer than a busy machine takes to open three.
    const gateway = await useLiveGateway({ settings: { maxPendingSocketsPerAddress: 2, handshakeMs: 3_000 } })
    expect(await openRaw(gateway, null)).not.toBe(400)
    expect(await openRaw(gateway, null)).not.toBe(400)
    expect(await openRaw(gateway, null)).toBe(400)
    await eventually(async () => expect(await openRaw(gateway, null)).not.toBe(400))
  })
})

describe('a document', () => {
  it('[COLLAB-41] has only so many sockets of one person and of one address, and gives places back', async () => {
    const database = await startTestDatabase()
    const server = await startDocumentServer(database, { socketLimits: { perPerson: 2, perAddress: 3 } })
    onTestFinished(async () => {
      await server.stop()
      await database.stop()
    })
    const open = async (userId: string): Promise<BenchClient> => {
      const wire = { url: server.url, headers: signedInAs(userId), prefix: null }
      const client = openBenchClient(wire)
      onTestFinished(() => client.close())
      await eventually(() => expect(client.isSynced() || client.closed() !== null).toBe(true))
      return client
    }
    const [first] = [await open(ANA), await open(ANA)]
    expect((await open(ANA)).closed()).toBe(CLOSE_CODES.rateExceeded.code)
    expect((await open(BO)).closed()).toBeNull()
    expect((await open(BO)).closed()).toBe(CLOSE_CODES.rateExceeded.code)
    first.close()
    await eventually(async () => expect((await open(BO)).closed()).toBeNull())
  })
})

describe('one socket', () => {
  it('[LIVE-62] ends when it greets a second time before it is answered', async () => {
    const gateway = await useLiveGateway()
    const raw = await openRaw(gateway, 'session-editor')
    if (typeof raw === 'number') throw new Error('refused')
    for (let n = 0; n < 10; n++) raw.socket.send('40{"versions":[1]}')
    await eventually(() => expect(raw.isClosed()).toBe(true))
    await eventually(async () => expect(await gateway.metric('watchroom_live_sockets')).toBe(0))
    expect((await openGreeted(gateway, 'session-editor')).received.join()).toContain('welcome')
  })
})

describe('an upgrade', () => {
  it('that is refused leaves nothing open, although its peer keeps its half', async () => {
    const backend = await FakeBackend.start()
    const gateway = await startGateway({ backend })
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await gateway.stop()
      await backend.stop()
    })
    const { port } = new URL(gateway.url)
    const open = (path: string, host: string): Socket => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      )
      sockets.push(socket)
      return socket
    }
    for (const path of ['/nowhere', '/socket.io/?EIO=4&transport=websocket', '/collab/incident/x']) {
      open(path, `127.0.0.1:${port}`)
    }
    open('/collab/incident/x', 'foreign.example')
    const count = (): Promise<number> =>
      new Promise((resolve, reject) =>
        gateway.gateway.app.server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      )
    await eventually(async () => expect(await count()).toBe(0))
  })
})
