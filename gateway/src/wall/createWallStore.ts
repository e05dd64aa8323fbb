// Wallboards, links and devices in PostgreSQL. Secrets come in plain and are stored as hashes: they are 256 random bits, so a
// fast hash is enough.

import { createHash } from 'node:crypto'

import { toWakePayload, WAKE_CHANNEL } from '@watchroom/shared/protocol'
import {
  type WallBoard,
  type WallBoardInput,
  WallBoardSchema,
  type WallLink,
  type WallLinkInput,
} from '@watchroom/shared/wall'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../platform/database/inTransaction.ts'
import { isUniqueViolation } from '../platform/database/sqlState.ts'
import { CodedError } from '../platform/errors.ts'
import { wallErrors } from './errors.ts'

/** Nobody hangs up more; a script that runs wild stops here. */
const MAX_BOARDS = 200
const MAX_LINKS = 500
/** Browsers per link. One that loses its cookies comes anew; the oldest are forgotten. */
const MAX_DEVICES = 20
/** A screen that is there all the time is written down this often, in seconds. */
const SEEN_SECONDS = 20

export interface Author {
  readonly userId: string
  readonly name: string
}

export interface FoundDevice {
  readonly linkId: string
  readonly linkName: string
  readonly boardId: string
  /** Who made the link. */
  readonly makerId: string
  readonly state: WallLink['state']
}

export interface WallStore {
  readonly boards: () => Promise<WallBoard[]>
  readonly createBoard: (id: string, input: WallBoardInput, author: Author) => Promise<WallBoard>
  /**
   * @param mayShow whether whoever changes it also decides what screens without an account show
   * @throws CodedError WALL_FILTER_SHOWN for another filter while such a screen may show the board
   */
  readonly changeBoard: (id: string, input: WallBoardInput, mayShow: boolean) => Promise<WallBoard>
  readonly removeBoard: (id: string) => Promise<void>
  readonly links: () => Promise<WallLink[]>
  readonly createLink: (
    link: { id: string; boardId: string; token: string } & WallLinkInput,
    author: Author,
  ) => Promise<WallLink>
  readonly withdrawLink: (id: string) => Promise<void>
  /**
   * Lets a browser in by a link's token. One that opens the link again, as a screen does each morning, keeps its secret.
   *
   * @param known the secret that the browser has already
   * @returns the device, and the secret when it is a new one
   * @throws CodedError WALL_LINK_UNKNOWN, WALL_LINK_WITHDRAWN, WALL_LINK_EXPIRED
   */
  readonly enter: (
    token: string,
    secrets: { fresh: string; known: string | null },
  ) => Promise<{ device: FoundDevice; secret: string | null }>
  /** Null when nobody was ever let in with this secret. Notes that the screen is there. */
  readonly findDevice: (secret: string) => Promise<FoundDevice | null>
}

const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const BOARD = 'id, name, filter, group_by as "groupBy"'
const STATE = `case when withdrawn_at is not null then 'withdrawn' when expires_at <= now() then 'expired' else 'active' end`
const DEVICE = `l.id as "linkId", l.name as "linkName", l.board_id as "boardId", l.created_by as "makerId",
  ${STATE} as state`
const LINK = `id, board_id as "boardId", name, ${STATE} as state, created_by_name as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt", last_seen_at as "lastSeenAt"`

interface LinkRow extends Omit<WallLink, 'createdAt' | 'expiresAt' | 'lastSeenAt'> {
  createdAt: Date
  expiresAt: Date | null
  lastSeenAt: Date | null
}

const toLink = ({ createdAt, expiresAt, lastSeenAt, ...rest }: LinkRow): WallLink => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
})

/** @param pool throws DATABASE_UNAVAILABLE while there is none */
export function createWallStore(pool: () => Pool): WallStore {
  /** Writes, and tells every gateway of it when the write is durable. */
  const write = <Answer>(work: (client: PoolClient) => Promise<Answer>): Promise<Answer> =>
    inTransaction(pool(), async (client) => {
      const answer = await work(client)
      await client.query('select pg_notify($1, $2)', [WAKE_CHANNEL, toWakePayload({ name: 'wall', id: null })])
      return answer
    })

  const requireRoom = async (client: PoolClient, table: 'wall_board' | 'wall_link', count: number): Promise<void> => {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from watchroom.${table}`)
    if ((rows[0]?.count ?? 0) >= count) throw new CodedError(wallErrors.WALL_TOO_MANY, { values: { count } })
  }

  const first = <Row>(
    rows: readonly Row[],
    error: typeof wallErrors.WALL_BOARD_UNKNOWN | typeof wallErrors.WALL_LINK_UNKNOWN,
  ): Row => {
    const [row] = rows
    if (row === undefined) throw new CodedError<string>(error)
    return row
  }

  return {
    boards: async () => {
      const { rows } = await pool().query(`select ${BOARD} from watchroom.wall_board order by lower(name)`)
      // One that another version saved in words unknown here is left out: it must not take all others off their walls.
      return rows.flatMap((row) => {
        const board = WallBoardSchema.safeParse(row)
        return board.success ? [board.data] : []
      })
    },

    createBoard: (id, { name, filter, groupBy }, author) =>
      named(() =>
        write(async (client) => {
          await requireRoom(client, 'wall_board', MAX_BOARDS)
          const { rows } = await client.query<WallBoard>(
            `insert into watchroom.wall_board (id, name, filter, group_by, created_by)
             values ($1, $2, $3, $4, $5) returning ${BOARD}`,
            [id, name, filter, groupBy, author.userId],
          )
          return WallBoardSchema.parse(rows[0])
        }),
      ),

    changeBoard: (id, { name, filter, groupBy }, mayShow) =>
      named(() =>
        write(async (client) => {
          // Waits for a link that is being made, which holds on to the board: only what is asked afterwards sees it.
          await client.query('select from watchroom.wall_board where id = $1 for update', [id])
          const { rows: before } = await client.query<{ isShownOtherwise: boolean }>(
            `select filter <> $2::jsonb and exists (
               select from watchroom.wall_link where board_id = board.id and ${STATE} = 'active') as "isShownOtherwise"
             from watchroom.wall_board board where id = $1`,
            [id, filter],
          )
          if (!mayShow && before[0]?.isShownOtherwise === true) throw new CodedError(wallErrors.WALL_FILTER_SHOWN)
          const { rows } = await client.query<WallBoard>(
            `update watchroom.wall_board set name = $2, filter = $3, group_by = $4, updated_at = now()
             where id = $1 returning ${BOARD}`,
            [id, name, filter, groupBy],
          )
          return WallBoardSchema.parse(first(rows, wallErrors.WALL_BOARD_UNKNOWN))
        }),
      ),

    removeBoard: (id) =>
      write(async (client) => {
        const { rows } = await client.query('delete from watchroom.wall_board where id = $1 returning id', [id])
        first(rows, wallErrors.WALL_BOARD_UNKNOWN)
      }),

    links: async () => {
      const { rows } = await pool().query<LinkRow>(
        `select ${LINK} from watchroom.wall_link order by withdrawn_at is not null, created_at desc`,
      )
      return rows.map(toLink)
    },

    createLink: ({ id, boardId, name, token, expiresAt }, author) =>
      write(async (client) => {
        await requireRoom(client, 'wall_link', MAX_LINKS)
        const { rows } = await client.query<LinkRow>(
          `insert into watchroom.wall_link (id, board_id, name, token_hash, created_by, created_by_name, expires_at)
           select $1, board.id, $3, $4, $5, $6, $7 from watchroom.wall_board board where board.id = $2
           returning ${LINK}`,
          [id, boardId, name, hash(token), author.userId, author.name, expiresAt],
        )
        return toLink(first(rows, wallErrors.WALL_BOARD_UNKNOWN))
      }),

    withdrawLink: (id) =>
      write(async (client) => {
        const { rows } = await client.query(
          'update watchroom.wall_link set withdrawn_at = coalesce(withdrawn_at, now()) where id = $1 returning id',
          [id],
        )
        first(rows, wallErrors.WALL_LINK_UNKNOWN)
      }),

    enter: (token, { fresh, known }) =>
      inTransaction(pool(), async (client) => {
        const { rows } = await client.query<FoundDevice>(
          `select ${DEVICE} from watchroom.wall_link l where token_hash = $1 for no key update`,
          [hash(token)],
        )
        const device = first(rows, wallErrors.WALL_LINK_UNKNOWN)
        requireActive(device)
        const { rows: sameDevice } = await client.query(
          'select 1 from watchroom.wall_device where secret_hash = $1 and link_id = $2',
          [hash(known ?? ''), device.linkId],
        )
        await client.query('update watchroom.wall_link set last_seen_at = now() where id = $1', [device.linkId])
        if (sameDevice.length > 0) return { device, secret: null }
        await client.query(
          `delete from watchroom.wall_device where secret_hash in (
             select secret_hash from watchroom.wall_device where link_id = $1 order by created_at desc offset $2)`,
          [device.linkId, MAX_DEVICES - 1],
        )
        await client.query('insert into watchroom.wall_device (secret_hash, link_id) values ($1, $2)', [
          hash(fresh),
          device.linkId,
        ])
        return { device, secret: fresh }
      }),

    findDevice: async (secret) => {
      const { rows } = await pool().query<FoundDevice>(
        `select ${DEVICE} from watchroom.wall_device d join watchroom.wall_link l on l.id = d.link_id
         where d.secret_hash = $1`,
        [hash(secret)],
      )
      const device = rows[0]
      if (device?.state === 'active') {
        await pool().query(
          `update watchroom.wall_link set last_seen_at = now()
           where id = $1 and (last_seen_at is null or last_seen_at < now() - make_interval(secs => $2))`,
          [device.linkId, SEEN_SECONDS],
        )
      }
      return device ?? null
    },
  }
}

/** @throws CodedError WALL_LINK_WITHDRAWN, WALL_LINK_EXPIRED */
export function requireActive({ state }: Pick<FoundDevice, 'state'>): void {
  if (state === 'withdrawn') throw new CodedError(wallErrors.WALL_LINK_WITHDRAWN)
  if (state === 'expired') throw new CodedError(wallErrors.WALL_LINK_EXPIRED)
}

async function named<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new CodedError(wallErrors.WALL_BOARD_NAME_TAKEN, {
        cause: error,
        details: [{ field: 'name', message: wallErrors.WALL_BOARD_NAME_TAKEN.message }],
      })
    }
    throw error
  }
}
