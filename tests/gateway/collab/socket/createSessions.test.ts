import { EventEmitter } from 'node:events'

import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'

import { FakeClock } from '#support/fakeClock.ts'
import { INCIDENT } from '#support/incidentDocument.ts'

import type { Access } from '../../../../gateway/src/access/contract.ts'
import { incidentKind } from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'
import { createSessions } from '../../../../gateway/src/collab/socket/createSessions.ts'
import { SESSION_WATCH_SETTINGS } from '../../../../gateway/src/platform/createSessionWatch.ts'

const ANA = { userId: 'ana', name: 'Ana', email: 'ana@example.com', roles: ['responder'] } as const

/** How often the backend is asked who someone is, where it announces nothing and takes a while to answer. */
function createWorld() {
  const clock = new FakeClock()
  let looks = 0
  const access: Access = {
    identify: async () => {
      looks += 1
      await new Promise<void>((resolve) => clock.schedule(resolve, 300))
      return ANA
    },
    isAnnounced: () => false,
    can: () => true,
    callerOf: () => null,
    onChange: () => () => undefined,
    invalidate: () => undefined,
    forget: () => undefined,
  }
  const sessions = createSessions({
    access,
    sights: { look: () => ({ kind: 'all' }), mayEdit: () => true },
    clock,
    random: () => 0.5,
    logger: pino({ level: 'silent' }),
    sessionWatch: SESSION_WATCH_SETTINGS,
  })
  const { watch } = sessions.start(new EventEmitter() as WebSocket, {
    kind: incidentKind,
    name: `incident/${INCIDENT}`,
    headers: {},
    address: '127.0.0.1',
    identity: ANA,
    peer: {
      socketId: 's1',
      user: { id: 'ana', name: 'Ana', avatar: null },
      canWrite: true,
      isModerator: false,
      send: () => undefined,
      flush: () => undefined,
      close: () => undefined,
      bufferedBytes: () => 0,
    },
  })
  return { clock, watch, looks: () => looks }
}

it('[COLLAB-40] looks again in time at whoever goes on editing, so that none of their frames waits', async () => {
  const { clock, watch, looks } = createWorld()
  for (let edit = 0; edit < 100; edit++) {
    await clock.advance(200)
    expect(watch.isConfirmed()).toBe(true)
    watch.keepFresh()
  }
  // 20 s in steps of 2.5 s and a little, the first look, and the regular one.
  expect(looks()).toBeGreaterThanOrEqual(7)
  expect(looks()).toBeLessThanOrEqual(10)
})

it('[COLLAB-40] judges no edit by an answer that is older than 4 s', async () => {
  const { clock, watch } = createWorld()
  await clock.advance(4_500)
  expect(watch.isConfirmed()).toBe(false)
  await Promise.all([watch.confirm(), clock.advance(300)])
  expect(watch.isConfirmed()).toBe(true)
})
