// Saved wallboards, and the screens without an account that show them.

import type { CheckBoardRow } from '@watchroom/shared/health'
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { RouteShorthandOptions } from 'fastify'
import type { Pool } from 'pg'

import type { Access, Identity, Sights } from '../access/contract.ts'
import type { RoutePolicy } from '../platform/http/defineRoute.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Feed } from '../polling/contract.ts'
import type { Wall } from './contract.ts'
import { createBoardFeeds } from './createBoardFeeds.ts'
import { createMakers } from './createMakers.ts'
import { createWallStore } from './createWallStore.ts'
import { readDeviceSecret } from './deviceCookie.ts'
import { wallRoutes } from './routes.ts'

/** Boards are read again this often although every write is announced: announcements are lost while the database is away. */
const REFRESH_MS = 15_000
/** While they cannot be read at all. */
const RETRY_MS = 1_000

export interface WallDeps {
  readonly checks: Feed<CheckBoardRow>
  /** @throws CodedError DATABASE_UNAVAILABLE while there is none */
  readonly pool: () => Pool
  readonly backend: BackendClient
  readonly access: Pick<Access, 'onChange'>
  readonly sights: Pick<Sights, 'showsAll'>
  readonly clock: Clock
  readonly logger: Logger
  readonly createId: () => string
  readonly createSecret: () => string
  readonly policy: RoutePolicy<Identity>
  readonly enterRoute: RouteShorthandOptions
}

export function createWall(deps: WallDeps): Wall {
  const { clock, logger } = deps
  const store = createWallStore(deps.pool)
  const feeds = createBoardFeeds({ checks: deps.checks, clock })
  const makers = createMakers(deps)
  const listeners = new Set<() => void>()
  const timer = createTimer(clock)
  let reads = 0
  let isClosed = false

  const readBoards = async (): Promise<void> => {
    const number = ++reads
    let delayMs = REFRESH_MS
    try {
      const boards = await store.boards()
      // A read that a later one overtook knows less than that one.
      if (!isClosed && number === reads) feeds.setBoards(boards)
    } catch (error) {
      // The boards read last stay; the database tells of changes again when it is back.
      logger.debug({ err: error }, 'wallboards not read')
      delayMs = RETRY_MS
    }
    if (!isClosed) timer.set(() => void readBoards(), delayMs)
  }
  void readBoards()

  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const unlisten = deps.access.onChange((change) => {
    makers.forget(change === 'all' ? null : change.userId)
    tell()
  })

  const changed = async (): Promise<void> => {
    await readBoards()
    tell()
  }

  return {
    devices: {
      identify: async (headers) => {
        const secret = readDeviceSecret(headers)
        const device = secret === null ? null : await store.findDevice(secret)
        return device?.state === 'active' && (await makers.mayShow(device.makerId))
          ? { linkId: device.linkId, linkName: device.linkName, boardId: device.boardId }
          : null
      },
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    feed: feeds.feed,
    wake: () => void changed(),
    register: async (app) => {
      await app.register(wallRoutes, { ...deps, store, makers, onWrite: changed })
    },
    close: () => {
      isClosed = true
      timer.clear()
      feeds.close()
      unlisten()
      listeners.clear()
    },
  }
}
