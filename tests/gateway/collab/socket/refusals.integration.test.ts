import { FRAME, tryReadOwnFrame } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentServer, everyoneIsWhoTheySay, signedInAs, startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { ANA, BO, INCIDENT } from '#support/incidentDocument.ts'

import type { Sight } from '../../../../gateway/src/access/contract.ts'
import { CodedError } from '../../../../gateway/src/platform/errors.ts'

let database: TestDatabase
let server: DocumentServer

beforeAll(async () => {
  database = await startTestDatabase()
  server = await startDocumentServer(database)
})

afterAll(async () => {
  await server?.stop()
  await database?.stop()
})

/** Opens a socket, says `frame` and waits for the answer: a close code, or null when it may stay. */
function say(userId: string, frame: Uint8Array): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(server.url, { headers: signedInAs(userId) })
    socket.on('open', () => socket.send(frame))
    socket.on('error', () => undefined)
    socket.on('close', (code) => resolve(code))
    socket.on('message', (data: Buffer) => {
      // The answer to a question for the document.
      if (data[0] !== 0 || data[1] !== 1) return
      resolve(null)
      socket.terminate()
    })
  })
}

const QUESTION = Uint8Array.of(0, 0, 1, 0)
const NONSENSE = Uint8Array.of(99)

it('[COLLAB-7] sends a person away who is refused again and again, and nobody else', async () => {
  expect(await say(ANA, QUESTION)).toBeNull()
  const codes: (number | null)[] = []
  for (let count = 0; count < 31; count++) codes.push(await say(ANA, NONSENSE))
  expect(new Set(codes)).toEqual(new Set([4400]))
  expect(await say(ANA, QUESTION)).toBe(4429)
  expect(await say(BO, QUESTION)).toBeNull()
})

it('[COLLAB-8] tells a person whose right to write ended while the document was being opened', async () => {
  let mayWrite = true
  let tell: (change: 'all') => void = () => undefined
  const changing = await startDocumentServer(database, {
    access: {
      ...everyoneIsWhoTheySay,
      can: (_identity, action) => {
        if (action !== 'write' || !mayWrite) return action === 'read'
        // Right behind the look at the rights, and before the document is there.
        mayWrite = false
        tell('all')
        return true
      },
      onChange: (listener) => {
        tell = listener
        return () => undefined
      },
    },
  })
  const socket = new WebSocket(changing.url, { headers: signedInAs(ANA) })
  const roles: boolean[] = []
  socket.on('message', (data: Buffer) => {
    const decoder = decoding.createDecoder(data)
    if (decoding.readVarUint(decoder) !== FRAME.role) return
    const role = tryReadOwnFrame('role', decoder)
    if (role && 'canWrite' in role) roles.push(role.canWrite)
  })
  try {
    await eventually(() => expect(roles.at(-1)).toBe(false))
  } finally {
    socket.terminate()
    await changing.stop()
  }
})

it('[COLLAB-42] opens for whom the backend shows the row, to write where it takes edits, and not longer than it does', async () => {
  let sight: Sight = { kind: 'none', reason: 'Access Denied' }
  let mayEdit = false
  let tell: (change: 'all') => void = () => undefined
  const asked: string[] = []
  const judged = await startDocumentServer(database, {
    access: {
      ...everyoneIsWhoTheySay,
      onChange: (listener) => {
        tell = listener
        return () => undefined
      },
    },
    sights: {
      look: (_headers, userId, source) => {
        asked.push(`${userId} ${source}`)
        return Promise.resolve(sight)
      },
      mayEdit: (_headers, _userId, columns) => {
        asked.push(...columns.map(({ table, column }) => `${table}.${column}`))
        return Promise.resolve(mayEdit)
      },
    },
  })
  const open = (): { roles: boolean[]; frames: number[]; closed: Promise<number> } => {
    const socket = new WebSocket(judged.url, { headers: signedInAs(ANA) })
    const roles: boolean[] = []
    const frames: number[] = []
    socket.on('open', () => socket.send(QUESTION))
    socket.on('message', (data: Buffer) => {
      const decoder = decoding.createDecoder(data)
      const frame = decoding.readVarUint(decoder)
      frames.push(frame)
      const role = frame === FRAME.role ? tryReadOwnFrame('role', decoder) : null
      if (role && 'canWrite' in role) roles.push(role.canWrite)
    })
    return { roles, frames, closed: new Promise((resolve) => socket.on('close', resolve)) }
  }
  try {
    for (const seen of ['none', 'some'] as const) {
      sight = seen === 'none' ? { kind: 'none', reason: 'Access Denied' } : { kind: seen }
      const refused = open()
      expect(await refused.closed).toBe(4403)
      expect(refused.frames).toEqual([])
    }
    expect(asked).toContain(`${ANA} incidents?id=eq.${INCIDENT}`)
    expect(asked).toEqual(
      expect.arrayContaining(['incidents.title', 'hypotheses.title', 'evidences.description', 'comments.comment']),
    )
    sight = { kind: 'all' }
    const reader = open()
    await eventually(() => expect(reader.roles.at(-1)).toBe(false))
    mayEdit = true
    tell('all')
    await eventually(() => expect(reader.roles.at(-1)).toBe(true))
    sight = { kind: 'some' }
    tell('all')
    expect(await reader.closed).toBe(4403)
  } finally {
    await judged.stop()
  }
})

it('[COLLAB-42] keeps whoever is in while the gateway itself is refused, and tells whoever comes to come back', async () => {
  let sight: Sight = { kind: 'all' }
  const judged = await startDocumentServer(database, { sights: { look: () => sight, mayEdit: () => true } })
  const open = (): { closed: Promise<number>; roles: boolean[]; socket: WebSocket } => {
    const socket = new WebSocket(judged.url, { headers: signedInAs(ANA) })
    const roles: boolean[] = []
    socket.on('message', (data: Buffer) => {
      const decoder = decoding.createDecoder(data)
      const role = decoding.readVarUint(decoder) === FRAME.role ? tryReadOwnFrame('role', decoder) : null
      if (role && 'canWrite' in role) roles.push(role.canWrite)
    })
    return { socket, roles, closed: new Promise((resolve) => socket.on('close', resolve)) }
  }
  try {
    const inside = open()
    await eventually(() => expect(inside.roles).toEqual([true]))
    sight = { kind: 'some', isMore: true }
    expect(await open().closed).toBe(4505)
    // Frames of whoever is in wait for an answer of now, and are taken with this one.
    const answered = new Promise((resolve) =>
      inside.socket.on('message', (data: Buffer) => data[0] === 0 && data[1] === 1 && resolve(true)),
    )
    inside.socket.send(QUESTION)
    expect(await answered).toBe(true)
    sight = { kind: 'none', reason: 'Access Denied' }
    expect(await open().closed).toBe(4403)
    inside.socket.terminate()
  } finally {
    await judged.stop()
  }
})

it('[COLLAB-40] takes a session that ended between two questions for one that ended', async () => {
  const ended = new CodedError({
    code: 'ACCESS_SESSION_REQUIRED',
    message: 'Sign in to continue',
    status: 401,
    retryable: false,
    reportable: false,
  })
  const judged = await startDocumentServer(database, {
    sights: { look: () => Promise.reject(ended), mayEdit: () => true },
  })
  const socket = new WebSocket(judged.url, { headers: signedInAs(ANA) })
  try {
    expect(await new Promise((resolve) => socket.on('close', resolve))).toBe(4401)
  } finally {
    await judged.stop()
  }
})
