// Keeps the backend's rows equal to one document, and the document equal to what others write into the rows (COLLAB-5,
// COLLAB-14). What still has to be written is always the difference between the document and the rows both sides last agreed
// on: nothing is queued that a crash could lose, and a repeated write meets its own row.

import { encodeOwnFrame, type IncidentRows, mergeRows, projectIncident } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import type { BaseStore } from './createBaseStore.ts'
import type { Room } from './createRoom.ts'
import type { Entity, EntityRow, IncidentTables, RowWrite } from './incidentTables.ts'
import { type Base, isEqual, planWrites, toBase } from './planWrites.ts'

/** Second specification, section 9: how long a status and a text rest before they are written. */
const STATUS_DELAY_MS = 200
const TITLE_DELAY_MS = 1_000
/** Steady typing is written at least this often: others read the rows too. */
const MAX_DELAY_MS = 1_500
/** Rows of others are looked for this often, and at once when the database says that something changed. */
const REFRESH_MS = 5_000
const RETRY_MS = 500
const MAX_RETRY_MS = 60_000

export interface WriteBackDeps {
  readonly room: Room
  readonly incidentId: string
  readonly tables: IncidentTables
  readonly base: BaseStore
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly logger: Logger
}

export interface WriteBack {
  /** The document changed. */
  noteChange(): void
  /** Somebody may have written rows. */
  wake(): void
  /** Nothing is left to write and nothing is on its way. */
  isIdle(): boolean
  /** Writes what is due now, once; resolves when that is done or has failed. */
  flush(): Promise<void>
  /** Names of what the backend refused, with its words. */
  problems(): { entity: string; id: string; message: string }[]
  close(): void
}

export function createWriteBack(deps: WriteBackDeps, startBase: IncidentRows): WriteBack {
  const { room, clock, logger } = deps
  const base: Base = toBase(startBase)
  /** What the backend refused, by entity and id, with the wish it refused: an unchanged wish is not repeated. */
  const refused = new Map<string, { key: string; entity: string; id: string; message: string }>()
  let cancelWrite: (() => void) | null = null
  let cancelRefresh: (() => void) | null = null
  let changedAt: number | null = null
  let attempts = 0
  let savedUpTo = 0
  let isClosed = false
  /** One thing at a time: a read that overlaps a write would take our own write for news. */
  let work: Promise<void> = Promise.resolve()

  const run = (task: () => Promise<void>): Promise<void> => {
    work = work
      .then(task)
      .catch((error: unknown) => logger.error({ err: error, incidentId: deps.incidentId }, 'write-back failed'))
    return work
  }

  const planned = (): RowWrite[] => {
    const writes = planWrites(deps.incidentId, base, projectIncident(room.doc))
    return writes.filter(({ entity, id, key }) => refused.get(`${entity}/${id}`)?.key !== key)
  }

  const scheduleWrite = (delayMs: number): void => {
    cancelWrite?.()
    cancelWrite = isClosed ? null : clock.schedule(() => void run(writeAll), delayMs)
  }

  const writeAll = async (): Promise<void> => {
    cancelWrite = null
    changedAt = null
    const upTo = room.sequence()
    for (const write of planned()) {
      const outcome = await deps.tables.write(deps.incidentId, write)
      const name = `${write.entity}/${write.id}`
      switch (outcome.kind) {
        case 'written':
          refused.delete(name)
          await agree(write)
          break
        case 'missing':
          // Removed by others; the refresh below decides what becomes of our change.
          await setBase(write.entity, write.id, null)
          break
        case 'refused':
          logger.warn(
            { incidentId: deps.incidentId, entity: write.entity, id: write.id, reason: outcome.message },
            'row refused',
          )
          refused.set(name, { key: write.key, entity: write.entity, id: write.id, message: outcome.message })
          break
        case 'later':
          attempts += 1
          logger.info({ incidentId: deps.incidentId, attempts, reason: outcome.message }, 'rows not written yet')
          scheduleWrite(outcome.retryAfterMs ?? retryDelay(attempts, deps.random))
          return
      }
    }
    attempts = 0
    savedUpTo = upTo
    announce()
  }

  const agree = async (write: RowWrite): Promise<void> => {
    if (write.kind === 'delete') return setBase(write.entity, write.id, null)
    const former = base.get(write.entity)?.get(write.id)
    await setBase(write.entity, write.id, { ...former, ...write.row } as EntityRow)
  }

  const setBase = async (entity: Entity, id: string, row: EntityRow | null): Promise<void> => {
    if (row === null) base.get(entity)?.delete(id)
    else base.get(entity)?.set(id, row)
    await deps.base.save([{ entity, id, row }])
  }

  const announce = (): void => {
    room.broadcast(encodeOwnFrame({ type: 'saved', value: { sequence: savedUpTo, problems: problems() } }))
  }

  const problems = (): { entity: string; id: string; message: string }[] =>
    [...refused.values()].map(({ entity, id, message }) => ({ entity, id, message }))

  const scheduleRefresh = (delayMs: number): void => {
    cancelRefresh?.()
    cancelRefresh = isClosed ? null : clock.schedule(() => void run(refresh), delayMs)
  }

  /** Reads the rows and merges what others changed. The rows read are what both sides agree on from then on. */
  const refresh = async (): Promise<void> => {
    cancelRefresh = null
    try {
      const actual = await deps.tables.read(deps.incidentId)
      if (!actual || isClosed) return
      const agreed = fromBase(base, actual.incident.id)
      if (isEqual(sorted(agreed), sorted(actual))) return
      await room.writeAsServer((doc) => mergeRows(doc, agreed, actual, { now: new Date(clock.now()).toISOString() }))
      await adopt(actual)
    } catch (error) {
      // The rows we have stay; the next look comes anyway.
      logger.info({ err: error, incidentId: deps.incidentId }, 'rows of others not read')
    } finally {
      scheduleRefresh(REFRESH_MS * (0.9 + deps.random() / 5))
    }
    if (planned().length > 0) scheduleWrite(STATUS_DELAY_MS)
  }

  const adopt = async (actual: IncidentRows): Promise<void> => {
    const next = toBase(actual)
    const changes: { entity: Entity; id: string; row: EntityRow | null }[] = []
    for (const [entity, rows] of next) {
      const former = base.get(entity) ?? new Map<string, EntityRow>()
      for (const [id, row] of rows) if (!isEqual(former.get(id), row)) changes.push({ entity, id, row })
      for (const id of former.keys()) if (!rows.has(id)) changes.push({ entity, id, row: null })
      base.set(entity, rows)
    }
    await deps.base.save(changes)
  }

  scheduleRefresh(0)
  if (planned().length > 0) scheduleWrite(0)

  return {
    noteChange: () => {
      if (isClosed) return
      const now = clock.monotonic()
      changedAt ??= now
      // While a retry is due, its delay counts: a down backend is not asked at every keystroke.
      if (attempts > 0) return
      const rest = isTextOnly(planned()) ? TITLE_DELAY_MS : STATUS_DELAY_MS
      scheduleWrite(Math.max(0, Math.min(rest, changedAt + MAX_DELAY_MS - now)))
    },
    wake: () => scheduleRefresh(0),
    isIdle: () => cancelWrite === null && planned().length === 0,
    flush: () => {
      cancelWrite?.()
      return run(writeAll)
    },
    problems,
    close: () => {
      isClosed = true
      cancelWrite?.()
      cancelRefresh?.()
    },
  }
}

/** Doubles from half a second to a minute, half of it by chance, so that many documents do not come back together. */
function retryDelay(attempts: number, random: () => number): number {
  const delay = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (attempts - 1))
  return delay * (0.5 + random())
}

const TEXT_FIELDS = new Set(['title', 'description', 'comment'])

function isTextOnly(writes: readonly RowWrite[]): boolean {
  return writes.every(
    (write) => write.kind === 'update' && Object.keys(write.row).every((field) => TEXT_FIELDS.has(field)),
  )
}

function fromBase(base: Base, incidentId: string): IncidentRows {
  const rows = <Row>(entity: Entity): Row[] => [...(base.get(entity)?.values() ?? [])] as Row[]
  const incident = base.get('incidents')?.get(incidentId) as IncidentRows['incident']
  return { incident, hypotheses: rows('hypotheses'), evidences: rows('evidences'), comments: rows('comments') }
}

function sorted(rows: IncidentRows): unknown {
  const byId = (list: readonly { id: string }[]): unknown[] => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [rows.incident, byId(rows.hypotheses), byId(rows.evidences), byId(rows.comments)]
}
