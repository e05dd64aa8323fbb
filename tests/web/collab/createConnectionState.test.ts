import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { type ConnectionState, createConnectionState } from '../../../web/src/collab/createConnectionState.ts'
import { toEnding } from '../../../web/src/collab/toEnding.ts'

const LONG_MS = 3_600_000

let clock: FakeClock
let sockets: number
let connection: ConnectionState
beforeEach(() => {
  clock = new FakeClock()
  sockets = 0
  connection = createConnectionState({
    clock,
    random: () => 0.5,
    connect: () => (sockets += 1),
    disconnect: () => connection.end({ kind: 'retry' }),
    onChange: () => undefined,
  })
})

describe('a connection', () => {
  it('waits for the storage, whoever nudges, and for a socket that is on its way', () => {
    connection.nudge()
    expect(sockets).toBe(0)
    connection.connect()
    connection.nudge()
    expect(sockets).toBe(1)
    expect(connection.shown()).toMatchObject({ state: 'loading', link: 'connecting' })
  })

  it('gives up a socket that brings no document, and tries again', async () => {
    connection.connect()
    await clock.advance(20_000)
    expect(connection.shown()).toMatchObject({ state: 'loading', link: 'offline' })
    await clock.advance(1_000)
    expect(sockets).toBe(2)
  })

  it('is ready and unlinked with the document of an earlier page, and stays ready when the link is lost', () => {
    connection.ready()
    expect(connection.shown()).toMatchObject({ state: 'ready', link: 'connecting' })
    connection.synced()
    expect(connection.shown()).toMatchObject({ state: 'ready', link: 'online' })
    connection.end({ kind: 'retry' })
    expect(connection.shown()).toMatchObject({ state: 'ready', link: 'offline' })
  })

  it('knows when the link last said something, from when that proves nothing any more', async () => {
    connection.synced()
    connection.beat(2_000)
    await clock.advance(1_000)
    connection.heard()
    const heardAt = clock.now()
    expect(connection.shown().heardAt).toBeNull()
    await clock.advance(3_000)
    expect(connection.shown()).toMatchObject({ link: 'offline', heardAt })
    connection.end({ kind: 'retry' })
    expect(connection.shown()).toMatchObject({ link: 'offline', heardAt })
    connection.synced()
    expect(connection.shown().heardAt).toBeNull()
  })

  it('has neither document nor link while it starts over', () => {
    connection.synced()
    connection.startOver()
    expect(connection.shown()).toMatchObject({ state: 'loading', link: 'connecting' })
  })

  it('says why it has to wait until it is back, also while it tries', async () => {
    connection.end({ kind: 'pause', reason: 'too much' })
    await clock.advance(300_000)
    expect(sockets).toBe(1)
    connection.end({ kind: 'retry' })
    expect(connection.obstacle()).toBe('too much')
    connection.synced()
    expect(connection.obstacle()).toBeNull()
  })

  it.each([
    [{ kind: 'denied', lost: '' }],
    [{ kind: 'notFound', lost: '' }],
    [{ kind: 'failed', failure: 'no epoch' }],
  ] as const)('is over with %o: nothing connects again, and no timer is left', async (ending) => {
    connection.connect()
    connection.end(ending)
    // What follows the end of its own socket.
    connection.end({ kind: 'retry' })
    connection.nudge()
    connection.connect()
    await clock.advance(LONG_MS)
    expect(connection.shown()).toMatchObject({ state: ending.kind, link: 'offline' })
    expect(sockets).toBe(1)
    expect(clock.pending).toBe(0)
  })
})

describe('the end of a socket', () => {
  it.each(Object.entries(CLOSE_CODES))(
    '%s asks for what its reaction says, or starts the document over',
    (_, known) => {
      const { kind } = toEnding(known.code, 'no')
      const allowed = {
        retry: ['retry'],
        signIn: ['signIn'],
        reload: ['failed', 'renew'],
        stop: ['pause', 'renew', 'denied', 'notFound'],
      }
      expect(allowed[known.reaction]).toContain(kind)
    },
  )

  it('of a code from a newer gateway follows its range', () => {
    expect(toEnding(4_477, undefined)).toEqual({ kind: 'pause', reason: 'The gateway ended the connection (4477)' })
    expect(toEnding(4_577, undefined)).toEqual({ kind: 'retry' })
  })
})
