// Keeps the backend's rows equal to one document, and the document equal to what others write into the rows (COLLAB-5,
// COLLAB-14). What still has to be written is always the difference between the document and the rows both sides last agreed
// on: nothing is queued that a crash could lose, and a repeated write meets its own row.

import {
  encodeOwnFrame,
  fieldOfColumn,
  type IncidentRows,
  type IncidentView,
  isUnreadable,
  mergeRows,
  projectIncident,
  REST_MS,
} from '@watchroom/shared/collab'
import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import { authorOf } from './authorOf.ts'
import type { BaseStore } from './createBaseStore.ts'
import { createHeldWrites, nameOf, needs, WRITE_BACKOFF } from './createHeldWrites.ts'
import type { Room } from './createRoom.ts'
import { createRowMemory } from './createRowMemory.ts'
import type { Entity, EntityRow, IncidentTables, RowWrite, WriteOutcome } from './incidentTables.ts'
import { type Base, hasSameFields, planWrites, toBase } from './planWrites.ts'

/** Steady typing is written at least this often: others read the rows too. */
const MAX_DELAY_MS = 1_500
/** Rows of others are looked for this often, and at once when the database says that something changed. */
const REFRESH_MS = 5_000
/** Between two looks: our own writes are announced too, one by one. */
const REFRESH_GAP_MS = 250
/** An announcement of our own write comes within milliseconds; later, it is somebody else's. */
const ECHO_MS = 2_000
/** Rows that failed for the first time while none was taken: then it is not they who are to blame. */
const FAILURES_OF_BACKEND = 2
/** Rows of one document written at the same time. */
const PARALLEL_WRITES = 4

export interface WriteBackDeps {
  readonly room: Pick<Room, 'doc' | 'view' | 'sequence' | 'authors' | 'writeAsServer' | 'broadcast'>
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
  /** The database announced one transaction on rows of this incident: our own write, or news. */
  hear(): void
  /** Nothing is left to write and nothing is on its way. */
  isIdle(): boolean
  /** Writes what is due now, once; resolves when that is done or has failed. */
  flush(): Promise<void>
  /** How far the backend holds the document, for somebody who joins. */
  savedFrame(): Uint8Array
  close(): void
}

interface Refusal {
  /** Of the wish that was refused. */
  readonly key: string
  readonly entity: string
  readonly id: string
  readonly message: string
}

export function createWriteBack(deps: WriteBackDeps, startBase: IncidentRows): WriteBack {
  const { room, clock, logger, incidentId } = deps
  const base: Base = toBase(startBase)
  /** Rows agreed on since the start. */
  let agreements = 0
  /** The newest plan, which stays right as long as neither side of it changes. */
  let planned: { view: IncidentView; agreements: number; writes: readonly RowWrite[] } | null = null
  const memory = createRowMemory()
  /** What the backend refused, by entity and id: an unchanged wish is not repeated. */
  const refused = new Map<string, Refusal>()
  const writeTimer = createTimer(clock)
  const refreshTimer = createTimer(clock)
  /** Since when there is something to write, and when it last changed. */
  let firstChangeAt: number | null = null
  let lastChangeAt = 0
  const held = createHeldWrites({ clock, random: deps.random })
  /** Consecutive failures of the backend as such; while there are some, the retry's delay counts and no change of the document shortens it. */
  let attempts = 0
  let savedUpTo = 0
  let refreshedAt = -Infinity
  let isRefreshQueued = false
  let isWriting = false
  let isClosed = false
  /** When writes were sent whose announcements are still to come, oldest first. */
  let echoes: number[] = []
  /** One thing at a time: a read that overlaps a write would take our own write for news. */
  let work: Promise<void> = Promise.resolve()

  const run = (task: () => Promise<void>): Promise<void> => {
    work = work
      .then(task)
      .catch((error: unknown) => logger.error({ err: error, incidentId }, 'write-back failed unexpectedly'))
    return work
  }

  /** What cannot be read here is left alone, as long as what it hangs on is there (DOC-20). */
  const isKept = (entity: Entity, id: string): boolean => {
    const root = ROOT_OF[entity]
    if (root === null || !isUnreadable(room.doc, root, id)) return false
    const row = base.get(entity)?.get(id)
    const hangsOn = row && 'hypothesis_id' in row ? row.hypothesis_id : null
    return hangsOn === null || !room.view().hypotheses.get(hangsOn)?.removed
  }

  /** Everything that differs, and of it what the backend has not refused already. */
  const plan = (): RowWrite[] => {
    const view = room.view()
    if (planned?.view !== view || planned.agreements !== agreements) {
      planned = { view, agreements, writes: planWrites(incidentId, base, projectIncident(room.doc, view), isKept) }
    }
    const all = planned.writes
    const wishes = new Set(all.map(({ key }) => key))
    for (const [name, { key }] of refused) if (!wishes.has(key)) refused.delete(name)
    held.keepOnly(new Set(all.map(nameOf)))
    return all.filter((write) => !refused.has(nameOf(write)))
  }

  // ---- document → rows ----------------------------------------------------------------------------------------------

  const planWrite = (delayMs: number): void => {
    if (!isClosed) writeTimer.set(writeWhenRested, delayMs)
  }

  /** Texts rest longest, severity and type longer than a status; what waits is looked at now and not at every keystroke. */
  const writeWhenRested = (): void => {
    const now = clock.monotonic()
    const restOf = (delayMs: number): number =>
      Math.min(lastChangeAt + delayMs, (firstChangeAt ?? 0) + MAX_DELAY_MS) - now
    const restMs = attempts === 0 && restOf(REST_MS.text) > 0 ? restOf(delayOf(plan())) : 0
    if (restMs > 0) planWrite(restMs)
    else void run(writeAll)
  }

  const writeAll = async (): Promise<void> => {
    writeTimer.clear()
    firstChangeAt = null
    const upTo = room.sequence()
    isWriting = true
    const pass = startPass()
    try {
      for (const batch of toBatches(freshFirst(plan()))) {
        if (isClosed) return
        const due = batch.filter((write) => !mustWait(write, pass))
        if (due.length > 0) await writeBatch(due, pass)
        const isBackendDown = pass.written === 0 && pass.failed >= FAILURES_OF_BACKEND
        if (isBackendDown || pass.retryAfterMs !== null) return retry(pass.retryAfterMs ?? 0)
      }
    } catch (error) {
      logger.error({ err: error, incidentId }, 'rows not written back')
      return retry(0)
    } finally {
      isWriting = false
    }
    // The backend is well again: nobody waits out what was its fault.
    if (attempts > 0 && pass.written > 0) held.makeDue()
    attempts = 0
    if (pass.heldBack.length === 0) savedUpTo = upTo
    room.broadcast(savedFrame())
    continueWriting()
  }

  /** One walk through everything that is to be written. */
  interface Pass {
    written: number
    /** Those that had not failed before. */
    failed: number
    /** Not to be written in this pass, in the order of the plan. */
    readonly heldBack: RowWrite[]
    /** The backend asked for a pause. */
    retryAfterMs: number | null
  }

  const startPass = (): Pass => ({ written: 0, failed: 0, heldBack: [], retryAfterMs: null })

  /** Rows that failed before come behind all others, with what needs them: they must not be taken for the whole backend. */
  const freshFirst = (writes: readonly RowWrite[]): RowWrite[] => {
    const last: RowWrite[] = []
    const first = writes.filter((write) => {
      const isLast = held.hasFailed(write) || last.some((other) => needs(write, other, base))
      if (isLast) last.push(write)
      return !isLast
    })
    return [...first, ...last]
  }

  const mustWait = (write: RowWrite, { heldBack }: Pass): boolean => {
    const isHeld = held.isWaiting(write) || heldBack.some((other) => needs(write, other, base))
    if (isHeld) heldBack.push(write)
    return isHeld
  }

  const continueWriting = (): void => {
    if (attempts > 0 || writeTimer.isSet()) return
    const wishes = plan()
    if (wishes.length === 0) return
    const pass = startPass()
    const isAnyDue = wishes.some((write) => !mustWait(write, pass))
    const nextInMs = (held.nextAt() ?? 0) - clock.monotonic()
    planWrite(isAnyDue ? REST_MS.value : Math.max(REST_MS.value, nextInMs))
  }

  const writeBatch = async (batch: readonly RowWrite[], pass: Pass): Promise<void> => {
    const sentAt = clock.monotonic()
    echoes.push(...batch.map(() => sentAt))
    const outcomes = await Promise.all(
      batch.map((write) => deps.tables.write(incidentId, write, authorOf(room.authors, write))),
    )
    // What was not carried out is not announced.
    for (const { kind } of outcomes) if (kind === 'refused' || kind === 'missing') echoes.pop()
    const agreed: Agreement[] = []
    for (const [index, write] of batch.entries()) {
      const outcome = outcomes[index] as WriteOutcome
      if (outcome.kind === 'later') {
        const { entity, id } = write
        logger.info({ incidentId, entity, id, reason: outcome.message }, 'row not written yet')
        if (!held.hasFailed(write)) pass.failed += 1
        pass.heldBack.push(write)
        held.fail(write, outcome.message)
        if (outcome.retryAfterMs !== undefined) {
          pass.retryAfterMs = Math.max(pass.retryAfterMs ?? 0, outcome.retryAfterMs)
        }
      } else {
        pass.written += 1
        held.settle(write)
        agreed.push(...settle(write, outcome))
      }
    }
    await agree(agreed)
  }

  interface Agreement {
    readonly entity: Entity
    readonly id: string
    readonly row: EntityRow | null
  }

  /** What both sides agree on after a write was answered. */
  const settle = (write: RowWrite, outcome: Exclude<WriteOutcome, { kind: 'later' }>): Agreement[] => {
    const { entity, id, key } = write
    if (outcome.kind === 'refused' || (outcome.kind === 'missing' && entity === 'incidents')) {
      const message = outcome.kind === 'refused' ? outcome.message : 'This incident no longer exists'
      const detail = outcome.kind === 'refused' ? outcome.detail : undefined
      logger.warn({ incidentId, entity, id, reason: message, detail }, 'row refused')
      refused.set(nameOf(write), { key, entity, id, message })
      return []
    }
    if (outcome.kind === 'missing') {
      // Removed by others. What hung on it is found by the look at the rows; our change brings the row itself back.
      lookAtRows(0)
      return [{ entity, id, row: null }]
    }
    if (write.kind === 'delete') return [{ entity, id, row: null }]
    // What was refused may have been refused for want of this row.
    if (write.kind === 'insert') refused.clear()
    return [{ entity, id, row: { ...base.get(entity)?.get(id), ...write.row } as EntityRow }]
  }

  const agree = async (changes: readonly Agreement[]): Promise<void> => {
    agreements += changes.length
    for (const { entity, id, row } of changes) {
      if (row === null) base.get(entity)?.delete(id)
      else base.get(entity)?.set(id, row)
    }
    if (changes.length > 0) await deps.base.save(changes)
  }

  const retry = (atLeastMs: number): void => {
    attempts += 1
    // Problems may be new.
    room.broadcast(savedFrame())
    planWrite(Math.max(atLeastMs, backoffMs(attempts, WRITE_BACKOFF, deps.random)))
  }

  const savedFrame = (): Uint8Array => {
    const problems = [
      ...[...refused.values()].map(({ entity, id, message }) => ({ entity, id, message })),
      ...held.problems(),
    ]
    return encodeOwnFrame({ type: 'saved', value: { sequence: savedUpTo, problems } })
  }

  // ---- rows → document ----------------------------------------------------------------------------------------------

  const lookAtRows = (delayMs: number): void => {
    if (isClosed || isRefreshQueued) return
    const gapMs = refreshedAt + REFRESH_GAP_MS - clock.monotonic()
    refreshTimer.set(
      () => {
        isRefreshQueued = true
        void run(refresh)
      },
      Math.max(delayMs, gapMs),
    )
  }

  const refresh = async (): Promise<void> => {
    isRefreshQueued = false
    if (isClosed) return
    refreshedAt = clock.monotonic()
    try {
      const actual = await deps.tables.read(incidentId, memory)
      if (actual) await adopt(actual)
    } catch (error) {
      // The rows we have stay; the next look comes anyway.
      logger.info({ err: error, incidentId }, 'rows of others not read')
    }
    // Unless somebody asked for an earlier look meanwhile.
    if (!refreshTimer.isSet()) lookAtRows(REFRESH_MS * (0.9 + deps.random() / 5))
    continueWriting()
  }

  /** What is to be agreed on so that `actual` is. */
  const differences = (actual: IncidentRows): Agreement[] => {
    const changes: Agreement[] = []
    for (const [entity, rows] of toBase(actual)) {
      const former = base.get(entity) ?? new Map<string, EntityRow>()
      for (const [id, row] of rows) {
        if (!hasSameFields(former.get(id), row)) changes.push({ entity, id, row })
        // The same under another object: the next look need not compare its fields again.
        else former.set(id, row)
      }
      for (const id of former.keys()) if (!rows.has(id)) changes.push({ entity, id, row: null })
    }
    return changes
  }

  /** Merges what others changed; the rows read are what both sides agree on from then on. */
  const adopt = async (actual: IncidentRows): Promise<void> => {
    const changes = differences(actual)
    if (changes.length === 0) return
    const agreed = fromBase(base, incidentId)
    await room.writeAsServer((doc) => mergeRows(doc, agreed, actual, { now: new Date(clock.now()).toISOString() }))
    await agree(changes)
    // Other rows than those it was refused for: worth asking again.
    refused.clear()
  }

  const close = (): void => {
    isClosed = true
    writeTimer.clear()
    refreshTimer.clear()
  }

  if (plan().length === 0) savedUpTo = room.sequence()
  // After a restart the rows may be ahead of what is known to be agreed on: looking comes before writing.
  lookAtRows(0)

  return {
    noteChange: () => {
      lastChangeAt = clock.monotonic()
      firstChangeAt ??= lastChangeAt
      if (attempts > 0) return
      planWrite(Math.max(0, Math.min(REST_MS.value, firstChangeAt + MAX_DELAY_MS - lastChangeAt)))
    },
    wake: () => lookAtRows(0),
    hear: () => {
      echoes = echoes.filter((sentAt) => clock.monotonic() - sentAt < ECHO_MS)
      if (echoes.shift() === undefined) lookAtRows(0)
    },
    isIdle: () => !writeTimer.isSet() && !isWriting && plan().length === 0,
    flush: () => run(writeAll),
    savedFrame,
    close,
  }
}

/** Part of the document that the rows of a table stand in; the incident itself always reads. */
const ROOT_OF = { incidents: null, hypotheses: 'hypotheses', evidences: 'evidence', comments: 'comments' } as const

/** What is fastest among the wishes decides for all of them. */
function delayOf(writes: readonly RowWrite[]): number {
  const rests = writes.flatMap((write) =>
    write.kind === 'update'
      ? Object.keys(write.row).map((column) => fieldOfColumn(write.entity, column)?.field.restMs ?? REST_MS.value)
      : [REST_MS.value],
  )
  return Math.min(REST_MS.text, ...rests)
}

/**
 * Writes in their order, those together that cannot depend on one another: hypotheses come and go one by one, because a parent
 * must be there before its child.
 */
function toBatches(writes: readonly RowWrite[]): RowWrite[][] {
  const batches: RowWrite[][] = []
  for (const write of writes) {
    const batch = batches.at(-1)
    const [first] = batch ?? []
    const isLike = first?.entity === write.entity && first.kind === write.kind
    const isFree = write.entity !== 'hypotheses' || write.kind === 'update'
    if (batch && isLike && isFree && batch.length < PARALLEL_WRITES) batch.push(write)
    else batches.push([write])
  }
  return batches
}

function fromBase(base: Base, incidentId: string): IncidentRows {
  const rows = <Row>(entity: Entity): Row[] => [...(base.get(entity)?.values() ?? [])] as Row[]
  const incident = base.get('incidents')?.get(incidentId) as IncidentRows['incident']
  return { incident, hypotheses: rows('hypotheses'), evidences: rows('evidences'), comments: rows('comments') }
}
