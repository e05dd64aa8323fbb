// What a hostile client does, one attack a name. Only `npm run bench hostile` runs them, against a gateway that it started itself.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { FRAME, rootOf, SYNC } from '@watchroom/shared/collab'
import { LIVE_EVENT, PROTOCOL_VERSIONS } from '@watchroom/shared/protocol'
import * as encoding from 'lib0/encoding'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

export interface HostileTask {
  readonly scenario: HostileScenario
  /** Of the gateway, on loopback. */
  readonly url: string
  readonly incidentId: string
  /** An editor's session cookie: the most that an attacker who is nobody special can have. */
  readonly cookie: string
  readonly durationMs: number
}

type Attack = (task: HostileTask, isOver: () => boolean) => Promise<void>

const NESTED = 'select=*,hypotheses(*,evidences(*),comments(*)),comments(*),responders(*)'

/** Repeats `work` in parallel until the time is over; what the gateway refuses is tried again. */
async function repeat(lanes: number, isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      await work().catch(() => undefined)
      // A refusal comes at once; without a turn of the loop this process would only fill its own memory.
      await pause(1)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

type Call = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

async function send(task: HostileTask, path: string, init: Call = {}): Promise<void> {
  const answer = await fetch(task.url + path, {
    ...init,
    headers: { cookie: task.cookie, origin: task.url, 'content-type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(task.durationMs),
  })
  await answer.arrayBuffer()
}

const post = (task: HostileTask, path: string, body: string): Promise<void> =>
  send(task, path, { method: 'POST', body })

/** A canary whose one http check judges itself by an expression. */
const trial = (expr: string): string =>
  JSON.stringify({
    spec: { http: [{ name: 'bomb', url: 'http://127.0.0.1:9/', test: { expr } }], exec: [] },
  })

const ATTACKS = {
  'nested embeds, 25 in parallel': (task, isOver) =>
    repeat(25, isOver, () => send(task, `/api/db/incidents?${NESTED}&limit=1000`)),

  'bodies of a mebibyte': (task, isOver) => {
    const body = JSON.stringify({ name: 'x'.repeat(1_000_000) })
    return repeat(16, isOver, () => post(task, '/api/db/saved_query', body))
  },

  'JSON 100,000 deep': (task, isOver) => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000)
    return repeat(16, isOver, () => post(task, '/api/canary/api/summary', body))
  },

  'a summary by 60,000 labels': (task, isOver) => {
    const Labels = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`l${index}`, 'x']))
    const body = JSON.stringify({ Labels })
    return repeat(4, isOver, () => post(task, '/api/canary/api/summary', body))
  },

  'expressions that build 300 MB': (task, isOver) => {
    let expr = '"0123456789"'
    for (let doubling = 0; doubling < 5; doubling++) expr = `(${expr} + ${expr})`
    const body = trial(`[${Array.from({ length: 60 }, () => expr).join(',')}].map(x, x + x + x).size() > 0`)
    return repeat(8, isOver, () => post(task, '/api/canary/api/try', body))
  },

  'Basic sign-ins with made-up names': (task, isOver) =>
    repeat(50, isOver, () => {
      const made = Buffer.from(`${randomBytes(6).toString('hex')}@x.test:guess`).toString('base64')
      return send(task, '/api/auth/whoami', { headers: { authorization: `Basic ${made}`, cookie: '' } })
    }),

  'made-up client ids in a document': async (task, isOver) => {
    while (!isOver()) {
      const socket = await openDocument(task)
      while (socket.readyState === socket.OPEN && !isOver()) {
        for (let count = 0; count < 40; count++) socket.send(toEdit())
        await pause(8)
      }
      socket.terminate()
      await pause(250)
    }
  },

  'a live socket that loops messages': (task, isOver) => loopLive(task, isOver, () => 'same'),

  'thousands of subscriptions': (task, isOver) => loopLive(task, isOver, (count) => `s${count}`),

  'half-sent requests, 500 at once': async (task, isOver) => {
    const { hostname, port } = new URL(task.url)
    const open = () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(`POST /api/db/saved_query HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 1000\r\n`)
      return socket
    }
    let sockets = Array.from({ length: 500 }, open)
    while (!isOver()) {
      for (const socket of sockets) if (socket.writable) socket.write('X-Slow: 1\r\n')
      sockets = sockets.map((socket) => (socket.destroyed ? open() : socket))
      await pause(500)
    }
    for (const socket of sockets) socket.destroy()
  },
} as const satisfies Record<string, Attack>

export type HostileScenario = keyof typeof ATTACKS
export const HOSTILE_SCENARIOS = Object.keys(ATTACKS) as HostileScenario[]

export const runAttack = (task: HostileTask): Promise<void> => {
  const endsAt = performance.now() + task.durationMs
  const attack: Attack = ATTACKS[task.scenario]
  return attack(task, () => performance.now() > endsAt)
}

/** A valid edit by a client id that nobody has used before. */
function toEdit(): Uint8Array {
  const doc = new Y.Doc()
  const comment = new Y.Map<unknown>()
  comment.set('core', { hypothesis_id: null })
  rootOf(doc, 'comments').set(randomBytes(8).toString('hex'), comment)
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.sync)
  encoding.writeVarUint(encoder, SYNC.update)
  encoding.writeVarUint8Array(encoder, Y.encodeStateAsUpdate(doc))
  return encoding.toUint8Array(encoder)
}

function openDocument(task: HostileTask): Promise<WebSocket> {
  const socket = new WebSocket(`${task.url.replace('http', 'ws')}/collab/incident/${task.incidentId}`, {
    headers: { cookie: task.cookie, origin: task.url },
  })
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.once('close', () => resolve(socket))
  })
}

async function loopLive(task: HostileTask, isOver: () => boolean, nameOf: (count: number) => string): Promise<void> {
  let count = 0
  const run = async (): Promise<void> => {
    while (!isOver()) {
      const socket = io(task.url, {
        path: '/socket.io/',
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { versions: [...PROTOCOL_VERSIONS], as: 'person' },
        extraHeaders: { cookie: task.cookie, origin: task.url },
      })
      await pause(100)
      while (socket.connected && !isOver()) {
        for (let burst = 0; burst < 100; burst++) {
          const id = nameOf(count++)
          socket.emit(LIVE_EVENT, { type: 'subscribe', id, topic: 'checks' })
          if (id === 'same') socket.emit(LIVE_EVENT, { type: 'unsubscribe', id })
        }
        await pause(5)
      }
      socket.disconnect()
      await pause(100)
    }
  }
  await Promise.all(Array.from({ length: 10 }, run))
}
