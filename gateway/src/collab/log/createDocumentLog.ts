// Keeps the updates of shared documents in PostgreSQL. Knows nothing of Yjs or sockets: an update is bytes with a sequence.

import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { isUniqueViolation } from '../../platform/database/sqlState.ts'
import { CodedError } from '../../platform/errors.ts'
import { COLLAB_ERRORS } from '../errors.ts'
import { createPinnedConnection, type PinnedConnectionDeps } from './createPinnedConnection.ts'

/** Updates that wait together go into one statement, so that a commit is paid once; more than these wait for the next. */
const MAX_GROUP = 500
/** While each look at the network brings more updates, the group waits for them, but no longer than so many looks. */
const MAX_LOOKS = 8
/** Snapshots that stay besides the newest: the one before, in case the newest cannot be read. */
const KEPT_SNAPSHOTS = 2
/** Entries younger than this stay even when a snapshot holds them, for whoever is just loading. */
const TRIM_AGE = '60 seconds'

const INSERT_UPDATE =
  'insert into watchroom.document_update (document, epoch, sequence, update) values ($1, $2, $3, $4)'
/** Rows that belong to one epoch of a document. */
const EPOCH_TABLES = ['document_update', 'document_snapshot', 'document_client'] as const
/** An update that brings nothing: it only takes the place of the next one. */
const END_OF_EPOCH = Uint8Array.of(0, 0)

export interface LogEntry {
  readonly document: string
  readonly epoch: string
  /** Next after the newest of this document and epoch; the caller counts. */
  readonly sequence: number
  readonly update: Uint8Array
  /** Null for the server's own. */
  readonly userId: string | null
  /** Client ids seen for the first time with this update; they belong to `userId` from now on. */
  readonly newClientIds: readonly number[]
}

export interface StoredDocument {
  readonly epoch: string
  /** State up to and including `upTo`, then the updates after it in order. */
  readonly snapshot: { readonly upTo: number; readonly state: Uint8Array } | null
  readonly updates: readonly {
    readonly sequence: number
    readonly update: Uint8Array
    readonly userId: string | null
  }[]
  readonly clients: ReadonlyMap<number, string>
}

export interface DocumentLog {
  /** Null when the document has never been opened. @throws CodedError COLLAB_LOG_UNAVAILABLE */
  load(document: string): Promise<StoredDocument | null>
  /** Starts a document with its seed, unless someone else was first: then that one counts. @returns whether ours counts */
  start(document: string, epoch: string, seed: Uint8Array): Promise<boolean>
  /**
   * Resolves when the entry is durable. Entries of one document resolve in the order they were given.
   *
   * @throws CodedError COLLAB_LOG_UNAVAILABLE or COLLAB_LOG_CONFLICT; entries of the same document given later fail too
   */
  append(entry: LogEntry): Promise<void>
  saveSnapshot(document: string, epoch: string, upTo: number, state: Uint8Array): Promise<void>
  /**
   * Another epoch begins with `seed`. The former one ends behind `upTo`: whoever still writes into it collides. It is kept in case
   * someone has to look; those before it are forgotten.
   *
   * @throws CodedError COLLAB_LOG_CONFLICT when someone wrote or replaced meanwhile; nothing is changed then
   */
  replace(
    document: string,
    from: { epoch: string; upTo: number },
    to: { epoch: string; seed: Uint8Array },
  ): Promise<void>
  /** Writes what waits and lets go of the database; nothing is appended any more. */
  close(): Promise<void>
}

interface Waiting {
  readonly entry: LogEntry
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function createDocumentLog(deps: PinnedConnectionDeps): DocumentLog {
  const { logger } = deps
  const connection = createPinnedConnection(deps)
  let waiting: Waiting[] = []
  let isClosed = false
  let writing: Promise<void> | null = null

  /** Whether updates came together of late. Who types alone waits for nobody. */
  let hasCompany = false

  /** A look at the network takes a tenth of a millisecond, a commit one or more: people who type together share one. */
  const gather = async (): Promise<void> => {
    // What arrived together with the first, then what came while that was looked at.
    await endOfTurn()
    for (let look = 0, seen = 0; look < MAX_LOOKS && waiting.length > seen; look++) {
      seen = waiting.length
      await endOfTurn()
    }
  }

  const writeAll = async (): Promise<void> => {
    if (hasCompany) await gather()
    hasCompany = false
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      await writeGroup(group)
      if (group.length > 1 || waiting.length > 0) hasCompany = true
    }
    writing = null
  }

  /** A group fails or succeeds as a whole; after a collision each document is tried alone, so that one cannot fail others. */
  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      await insertEntries(
        connection.use(),
        group.map(({ entry }) => entry),
      )
      for (const { resolve } of group) resolve()
    } catch (error) {
      const documents = new Set(group.map(({ entry }) => entry.document))
      if (isUniqueViolation(error) && documents.size > 1) {
        for (const document of documents) await writeGroup(group.filter(({ entry }) => entry.document === document))
        return
      }
      const definition = isUniqueViolation(error)
        ? COLLAB_ERRORS.COLLAB_LOG_CONFLICT
        : COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE
      const coded = new CodedError(definition, { cause: error })
      logger.error({ err: error, updates: group.length, documents: documents.size }, 'document log not written')
      const failed = waiting.filter(({ entry }) => documents.has(entry.document))
      waiting = waiting.filter(({ entry }) => !documents.has(entry.document))
      for (const { reject } of [...group, ...failed]) reject(coded)
    }
  }

  const ask = async <Answer>(question: (client: PoolClient) => Promise<Answer>): Promise<Answer> => {
    try {
      return await inTransaction(deps.pool(), question)
    } catch (error) {
      if (error instanceof CodedError) throw error
      const definition = isUniqueViolation(error)
        ? COLLAB_ERRORS.COLLAB_LOG_CONFLICT
        : COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE
      throw new CodedError(definition, { cause: error })
    }
  }

  return {
    load: (document) => ask((client) => loadDocument(client, document)),
    start: (document, epoch, seed) =>
      ask(async (client) => {
        const { rowCount } = await client.query(
          'insert into watchroom.document (name, epoch) values ($1, $2) on conflict (name) do nothing',
          [document, epoch],
        )
        if (rowCount === 0) return false
        await client.query(INSERT_UPDATE, [document, epoch, 1, Buffer.from(seed)])
        return true
      }),
    append: (entry) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE))
        waiting.push({ entry, resolve, reject })
        writing ??= Promise.resolve().then(writeAll)
      }),
    saveSnapshot: (document, epoch, upTo, state) =>
      ask(async (client) => {
        await client.query(
          `insert into watchroom.document_snapshot (document, epoch, up_to, state) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [document, epoch, upTo, Buffer.from(state)],
        )
        await trim(client, document, epoch)
      }),
    replace: (document, from, to) =>
      ask(async (client) => {
        await client.query(INSERT_UPDATE, [document, from.epoch, from.upTo + 1, Buffer.from(END_OF_EPOCH)])
        const { rowCount } = await client.query(
          'update watchroom.document set epoch = $3 where name = $1 and epoch = $2',
          [document, from.epoch, to.epoch],
        )
        if (rowCount === 0) throw new CodedError(COLLAB_ERRORS.COLLAB_LOG_CONFLICT)
        await client.query(INSERT_UPDATE, [document, to.epoch, 1, Buffer.from(to.seed)])
        for (const table of EPOCH_TABLES) {
          await client.query(`delete from watchroom.${table} where document = $1 and epoch not in ($2, $3)`, [
            document,
            from.epoch,
            to.epoch,
          ])
        }
      }),
    close: async () => {
      isClosed = true
      await writing
      await connection.close()
    },
  }
}

/** Resolves when everything that had arrived by now was looked at. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const INSERT_UPDATES = `insert into watchroom.document_update (document, epoch, sequence, update, user_id)
  select * from unnest($1::text[], $2::uuid[], $3::bigint[], $4::bytea[], $5::uuid[])`

const INSERT_UPDATES_AND_CLIENTS = `
  with known as (
    insert into watchroom.document_client (document, epoch, client_id, user_id)
    select * from unnest($6::text[], $7::uuid[], $8::bigint[], $9::uuid[]) on conflict do nothing
  ) ${INSERT_UPDATES}`

/** One statement in any case: it is a commit of its own, and needs one answer. */
async function insertEntries(pool: Pool, entries: readonly LogEntry[]): Promise<void> {
  const updates = [
    entries.map(({ document }) => document),
    entries.map(({ epoch }) => epoch),
    entries.map(({ sequence }) => sequence),
    entries.map(({ update }) => Buffer.from(update.buffer, update.byteOffset, update.byteLength)),
    entries.map(({ userId }) => userId),
  ]
  const clients = entries.flatMap((entry) => entry.newClientIds.map((clientId) => ({ entry, clientId })))
  if (clients.length === 0) {
    await pool.query({ name: 'append-updates', text: INSERT_UPDATES, values: updates })
    return
  }
  await pool.query({
    name: 'append-updates-and-clients',
    text: INSERT_UPDATES_AND_CLIENTS,
    values: [
      ...updates,
      clients.map(({ entry }) => entry.document),
      clients.map(({ entry }) => entry.epoch),
      clients.map(({ clientId }) => clientId),
      clients.map(({ entry }) => entry.userId),
    ],
  })
}

async function loadDocument(client: PoolClient, document: string): Promise<StoredDocument | null> {
  const { rows: found } = await client.query<{ epoch: string }>(
    'select epoch from watchroom.document where name = $1',
    [document],
  )
  const epoch = found[0]?.epoch
  if (!epoch) return null
  const key = [document, epoch]
  const { rows: snapshots } = await client.query<{ up_to: string; state: Buffer }>(
    `select up_to, state from watchroom.document_snapshot where document = $1 and epoch = $2 order by up_to desc limit 1`,
    key,
  )
  const snapshot = snapshots[0] ? { upTo: Number(snapshots[0].up_to), state: snapshots[0].state } : null
  const { rows: updates } = await client.query<{ sequence: string; update: Buffer; user_id: string | null }>(
    `select sequence, update, user_id from watchroom.document_update where document = $1 and epoch = $2 and sequence > $3
     order by sequence`,
    [...key, snapshot?.upTo ?? 0],
  )
  const { rows: clients } = await client.query<{ client_id: string; user_id: string }>(
    'select client_id, user_id from watchroom.document_client where document = $1 and epoch = $2',
    key,
  )
  return {
    epoch,
    snapshot,
    updates: updates.map(({ sequence, update, user_id: userId }) => ({ sequence: Number(sequence), update, userId })),
    clients: new Map(clients.map(({ client_id: id, user_id: userId }) => [Number(id), userId])),
  }
}

/** Removes what two snapshots hold, and older snapshots. */
async function trim(client: PoolClient, document: string, epoch: string): Promise<void> {
  await client.query(
    `with kept as (
       select up_to from watchroom.document_snapshot where document = $1 and epoch = $2 order by up_to desc limit $3
     ), dropped as (
       delete from watchroom.document_snapshot
       where document = $1 and epoch = $2 and up_to < (select min(up_to) from kept)
     )
     delete from watchroom.document_update
     where document = $1 and epoch = $2 and (select count(*) from kept) = $3
       and sequence <= (select min(up_to) from kept) and created_at < now() - $4::interval`,
    [document, epoch, KEPT_SNAPSHOTS, TRIM_AGE],
  )
}
