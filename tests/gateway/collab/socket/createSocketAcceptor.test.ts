import { EventEmitter } from 'node:events'

import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { WebSocket } from 'ws'

import { everyoneIsWhoTheySay } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { ANA, INCIDENT } from '#support/incidentDocument.ts'

import type { DocumentHub } from '../../../../gateway/src/collab/createDocumentHub.ts'
import { incidentKind } from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'
import type { OpenDocument } from '../../../../gateway/src/collab/openDocument.ts'
import { createSocketAcceptor } from '../../../../gateway/src/collab/socket/createSocketAcceptor.ts'
import { SESSION_WATCH_SETTINGS } from '../../../../gateway/src/platform/createSessionWatch.ts'

/** The part of a socket in use here; what is sent over it nobody reads. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  isPaused = false

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  send(): void {}
  ping(): void {}
  terminate(): void {}

  /** @returns whether it is read on */
  hear(kib: number): boolean {
    this.emit('message', Buffer.alloc(kib * 1024), true)
    return !this.isPaused
  }
}

let clock: FakeClock
let socket: FakeSocket
let taken: number[]
let dismissed: number[]
/** Answers who it is. */
let answer: () => void

beforeEach(() => {
  clock = new FakeClock()
  socket = new FakeSocket()
  taken = []
  dismissed = []
})

async function accept(opened: Promise<OpenDocument>): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const acceptor = createSocketAcceptor({
    hub: { open: () => opened, join: () => {}, leave: () => {} } as Partial<DocumentHub> as DocumentHub,
    access: {
      ...everyoneIsWhoTheySay,
      identify: async (headers, options) => {
        await answered
        return everyoneIsWhoTheySay.identify(headers, options)
      },
    },
    sights: { look: () => ({ kind: 'all' }), mayEdit: () => true },
    clock,
    random: () => 0.5,
    logger: pino({ level: 'silent' }),
    readerSettings: { askMs: 5_000, cutMs: 15_000 },
    sessionWatch: SESSION_WATCH_SETTINGS,
    dismiss: (_socket, code) => void dismissed.push(code),
    onStuck: () => {},
  })
  onTestFinished(() => {
    acceptor.stop()
    acceptor.close()
  })
  // Of socket, request and document only what the acceptor uses.
  acceptor.accept({
    socket: socket as unknown as WebSocket,
    request: {
      id: 'r1',
      ip: '127.0.0.1',
      headers: { 'x-session-token': ANA },
      raw: { socket: { cork: () => {}, uncork: () => {} } },
    } as unknown as FastifyRequest,
    identity: { userId: ANA, name: 'Ana', email: '', roles: ['responder'] },
    rights: { canWrite: true, isModerator: false },
    kind: incidentKind,
    address: { name: `incident/${INCIDENT}`, epoch: undefined, page: 'p1', wantsBeat: false },
  })
  await clock.advance(0)
}

const room = {
  epoch: 'e1',
  peers: new Map(),
  receive: (_: unknown, frame: Uint8Array) => void taken.push(frame.length),
}
// No more of it is used here.
const document = { room } as unknown as OpenDocument

describe('[COLLAB-10] frames that wait', () => {
  it('for what their sender may are not read on from 512 KiB on, and are taken once that is known', async () => {
    await accept(Promise.resolve(document))
    // Nobody has said anew for longer than an answer counts.
    await clock.advance(4_500)
    expect([socket.hear(200), socket.hear(200), socket.hear(200)]).toEqual([true, true, false])
    expect(taken).toEqual([])
    answer()
    await eventually(async () => {
      await clock.advance(0)
      expect([taken.length, socket.isPaused]).toEqual([3, false])
    })
    expect(dismissed).toEqual([])
  })

  it('for their turn are not read on from 512 KiB on either', async () => {
    await accept(Promise.resolve(document))
    // What a person may send at once.
    for (let count = 0; count < 1_000; count++) socket.hear(1)
    expect(taken).toHaveLength(1_000)
    expect([socket.hear(200), socket.hear(200), socket.hear(200)]).toEqual([true, true, false])
    await eventually(async () => {
      await clock.advance(10)
      expect([taken.length, socket.isPaused]).toEqual([1_003, false])
    })
  })

  it('wherever they wait are counted together: those whose turn comes do not open the socket for more', async () => {
    await accept(Promise.resolve(document))
    await clock.advance(3_950)
    for (let count = 0; count < 1_050; count++) socket.hear(1)
    // By now nobody has said anew for longer than an answer counts.
    await clock.advance(60)
    expect([socket.hear(200), socket.hear(200), socket.hear(200)]).toEqual([true, true, false])
    expect(taken.length).toBeLessThan(1_050)
    await eventually(async () => {
      await clock.advance(10)
      expect(taken).toHaveLength(1_050)
    })
    expect(socket.isPaused).toBe(true)
    answer()
    await eventually(async () => {
      await clock.advance(10)
      expect([taken.length, socket.isPaused]).toEqual([1_053, false])
    })
  })

  it('for the document to be opened are refused beyond 512 KiB', async () => {
    await accept(new Promise(() => {}))
    socket.hear(200)
    socket.hear(200)
    expect(dismissed).toEqual([])
    socket.hear(200)
    expect(dismissed).toEqual([4413])
  })
})
