import {
  compactIncident,
  encodeOwnFrame,
  type IncidentEditor,
  type IncidentRows,
  readIncident,
  type Saved,
  seedIncident,
} from '@watchroom/shared/collab'
import { pino } from 'pino'

import { incidentKind } from '../../gateway/src/collab/documents/incident/incidentKind.ts'
import { createRoom } from '../../gateway/src/collab/room/createRoom.ts'
import { createIncidentConnection, type IncidentConnection } from '../../web/src/collab/createIncidentConnection.ts'
import { FakeClock } from './fakeClock.ts'
import { ANA, buildIncidentRows, INCIDENT } from './incidentDocument.ts'
import { createMemoryDocumentLog, type MemoryDocumentLog } from './memoryDocumentLog.ts'
import { createMemoryDocumentStorage, type MemoryDocumentStorage } from './memoryDocumentStorage.ts'
import { createRandom } from './random.ts'
import { createRoomServer, type RoomServer } from './roomSocket.ts'

const NAME = `incident/${INCIDENT}`

/** A gateway's room with its log, and browsers that open it over sockets in memory. */
export interface IncidentWorld {
  readonly clock: FakeClock
  readonly log: MemoryDocumentLog
  readonly server: RoomServer
  /** Sign-ins that were asked for. */
  readonly signIns: string[]
  /** A document as a page opens it, still loading. */
  connect(options?: PageOptions): IncidentConnection
  /** A page of a browser. Pages with the same storage are the same browser. */
  openPage(options?: PageOptions): Promise<Page>
  /** Tells everyone how far the backend's tables are, as the write-back does. */
  saved(problems?: Saved['problems'], sequence?: number): Promise<void>
  /** The gateway stops; `startGateway` reads its log again. */
  stopGateway(): Promise<void>
  startGateway(): Promise<void>
  /** The document continues in another epoch, without its history; everyone is told to come back. */
  renew(epoch: string): Promise<void>
  /** Lets frames under way arrive, without time passing to speak of. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface PageOptions {
  userId?: string
  name?: string
  canWrite?: boolean
  isModerator?: boolean
  storage?: MemoryDocumentStorage
}

export interface Page extends IncidentConnection {
  readonly edit: IncidentEditor
  /** Numbers of times that a listener was told of news. */
  readonly renders: () => number
}

export async function createIncidentWorld(rows: IncidentRows = buildIncidentRows()): Promise<IncidentWorld> {
  const clock = new FakeClock()
  const log = createMemoryDocumentLog()
  const server = createRoomServer()
  const signIns: string[] = []
  const pages: IncidentConnection[] = []
  const random = createRandom(7)
  await log.start(NAME, 'epoch-1', seedIncident(rows, 'epoch-1'))

  const world: IncidentWorld = {
    clock,
    log,
    server,
    signIns,
    connect: (options = {}) => {
      const { userId = ANA, canWrite = true, isModerator = false } = options
      const connection = createIncidentConnection({
        incidentId: INCIDENT,
        user: { id: userId, name: options.name ?? userId.slice(-2), avatar: null },
        canWrite,
        isModerator,
        serverUrl: 'ws://watchroom.test/collab',
        openSocket: server.openSocket({ ...options, userId }),
        clock,
        now: clock.now,
        random,
        storage: options.storage ?? createMemoryDocumentStorage(),
        onSessionEnded: () => signIns.push(userId),
      })
      pages.push(connection)
      return connection
    },
    openPage: async (options = {}) => {
      const connection = world.connect(options)
      let renders = 0
      connection.subscribe(() => (renders += 1))
      await world.settle()
      return {
        ...connection,
        get edit() {
          return connection.room().edit
        },
        renders: () => renders,
      }
    },
    saved: async (problems = [], sequence = server.room?.sequence() ?? 0) => {
      const latest = server.room?.sequence() ?? 0
      server.room?.broadcast(encodeOwnFrame({ type: 'saved', value: { sequence, latest, problems } }))
      await world.settle()
    },
    stopGateway: async () => {
      const stopped = server.room
      server.room = null
      await stopped?.close(4503, 'come back')
      await world.settle()
    },
    startGateway: async () => {
      const stored = await log.load(NAME)
      if (!stored) throw new Error('nothing is stored')
      server.room = createRoom({
        name: NAME,
        stored,
        log,
        clock,
        cpuMs: () => 0,
        logger: pino({ level: 'silent' }),
        kind: incidentKind,
        onChange: () => {},
        onFailed: () => {
          server.room = null
        },
      })
    },
    renew: async (epoch) => {
      const former = server.room
      if (!former) throw new Error('the gateway is away')
      const seed = compactIncident(former.doc, epoch)
      const from = { epoch: former.epoch, upTo: former.sequence() }
      server.room = null
      await former.close(4504, 'epoch changing')
      await log.replace(NAME, from, { epoch, seed })
      await world.startGateway()
      await world.settle()
    },
    settle: async () => {
      // A burst of updates goes through the log one after the other, each a chain of promises.
      for (let turn = 0; turn < 50; turn++) await clock.advance(0)
      await clock.advance(20)
    },
    close: async () => {
      log.hold = false
      log.release()
      await Promise.all(pages.map((page) => page.close()))
      await world.stopGateway()
    },
  }
  await world.startGateway()
  return world
}

/** Title of a hypothesis as the gateway has it. */
export function titleAt(world: IncidentWorld, id: string): string | undefined {
  return world.server.room ? readIncident(world.server.room.doc).hypotheses.get(id)?.title : undefined
}
