import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, titleAt } from '#support/incidentWorld.ts'

import type { IncidentConnection } from '../../../web/src/collab/createIncidentConnection.ts'
import { createOpenIncidents, type OpenIncidents } from '../../../web/src/collab/openIncidents.ts'

const QUEUE = testId('h', 2)

let world: IncidentWorld
let documents: OpenIncidents
let opened: IncidentConnection[]

const options = {
  incidentId: INCIDENT,
  user: { id: ANA, name: 'Ana', avatar: null },
  canWrite: true,
  isModerator: false,
  now: () => world.clock.now(),
  onSessionEnded: () => {},
}

beforeEach(async () => {
  world = await createIncidentWorld()
  opened = []
  documents = createOpenIncidents(({ user }) => {
    const connection = world.connect({ userId: user.id })
    opened.push(connection)
    return connection
  })
})
afterEach(() => world.close())

const retitle = ({ connection }: { connection: IncidentConnection }, title: string): void => {
  const { edit } = connection.room()
  edit.replaceText(edit.hypothesisTitle(QUEUE), title)
}

const mayLeave = (): boolean => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('open documents', () => {
  it('are shared by screens of the same incident and closed with the last one', async () => {
    const first = documents.open(options)
    const second = documents.open(options)
    await world.settle()
    expect(opened).toHaveLength(1)
    first.release()
    first.release()
    await world.settle()
    expect(world.server.sockets[0]?.isOpen()).toBe(true)
    second.release()
    await world.settle()
    expect(world.server.sockets[0]?.isOpen()).toBe(false)
  })

  it('go on when someone has signed in again after the session ended', async () => {
    const screen = documents.open(options)
    await world.settle()
    world.server.refuseWith = CLOSE_CODES.loginNeeded.code
    world.server.sockets.at(-1)?.cut()
    await world.settle()
    retitle(screen, 'Queue is stuck')
    screen.release()
    await world.clock.advance(60_000)
    world.server.refuseWith = null
    documents.open(options)
    await world.clock.advance(1_000)
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('stay connected for edits that are not sent, without showing the person, and are found again', async () => {
    const bo = await world.openPage({ userId: BO })
    const screen = documents.open(options)
    await world.settle()
    world.server.sockets.at(-1)?.cut()
    await world.settle()
    retitle(screen, 'Queue is stuck')
    screen.release()
    expect(documents.open(options).connection).toBe(screen.connection)
    const again = documents.open(options)
    again.release()
    await world.clock.advance(2_000)
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(bo.room().peers).toHaveLength(1)
  })

  it('stay the same ones when rights change, with what was refused meanwhile', async () => {
    const screen = documents.open(options)
    await world.settle()
    const socket = world.server.sockets.at(-1)
    if (!socket) throw new Error('not connected')
    // On its way while the right to write ends.
    retitle(screen, 'Queue is stuck')
    world.server.room?.changeRole(socket.peer, { canWrite: false, isModerator: true })
    const again = documents.open({ ...options, canWrite: false, isModerator: true })
    screen.release()
    await world.clock.advance(5_000)
    expect(opened).toHaveLength(1)
    expect(again.connection.room().rejected.map(({ text }) => text)).toEqual(['Queue is stuck'])
    expect(again.connection.room().canModerate).toBe(true)
    again.connection.setModerator(false)
    expect(again.connection.room()).toMatchObject({ canWrite: true, canModerate: false })
  })

  it('close once the last edit is sent', async () => {
    const screen = documents.open(options)
    await world.settle()
    world.server.cut()
    await world.settle()
    retitle(screen, 'Queue is stuck')
    screen.release()
    await world.clock.advance(2_000)
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(world.server.sockets.at(-1)?.isOpen()).toBe(false)
    documents.open(options)
    expect(opened).toHaveLength(2)
  })

  it('ask before the page is left while something is only typed', async () => {
    const screen = documents.open(options)
    await world.settle()
    expect(mayLeave()).toBe(true)
    world.log.hold = true
    retitle(screen, 'Queue is stuck')
    await world.settle()
    expect(mayLeave()).toBe(false)
    world.log.hold = false
    world.log.release()
    await world.settle()
    expect(mayLeave()).toBe(true)
  })

  it('follow the network as the browser sees it', async () => {
    const { connection } = documents.open(options)
    await world.settle()
    window.dispatchEvent(new Event('offline'))
    await world.clock.advance(0)
    expect(connection.room().link).toBe('offline')
    window.dispatchEvent(new Event('online'))
    await world.settle()
    expect(connection.room().link).toBe('online')
  })
})
