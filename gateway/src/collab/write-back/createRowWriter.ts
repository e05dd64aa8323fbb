// Document to rows: writes what differs when it has rested, in an order that the backend takes (COLLAB-5).

import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind, DocumentTables, EntityRow, RowWrite, WriteOutcome } from '../documentKind.ts'
import type { Room } from '../room/createRoom.ts'
import type { AgreedRows } from './createAgreedRows.ts'
import type { Agreement } from './createBaseStore.ts'
import { type DeferredWrites, WRITE_BACKOFF } from './createDeferredWrites.ts'
import type { Echoes } from './createEchoes.ts'
import type { PendingWrites } from './createPendingWrites.ts'
import { isTree, needs } from './dependencies.ts'

/** Steady typing is written at least this often: others read the rows too. */
const MAX_DELAY_MS = 1_500
/** How many times as long as a pass took the backend rests from it, and at most: it may be busy with what all others do. */
const REST = 2
const MAX_REST_MS = 5_000
/** Rows that failed for the first time while none was taken: then it is not they who are to blame. */
const FAILURES_OF_BACKEND = 2
/** Rows of one document written at the same time. */
const PARALLEL_WRITES = 4

export interface RowWriter {
  /** The document changed. */
  noteChange(): void
  /** Plans what is still to be written, unless it is planned already. */
  continueWriting(): void
  /** Writes what is due now, once. */
  writeAll(): Promise<void>
  /** Nothing is left to write and nothing is on its way. */
  isIdle(): boolean
  /** Sequence up to which the rows hold the document. */
  savedUpTo(): number
  /** Monotonic time since when the rows have lacked something; null when they lack nothing. */
  unsavedSince(): number | null
  close(): void
}

export interface RowWriterDeps {
  readonly name: string
  readonly id: string
  readonly kind: Pick<DocumentKind, 'words' | 'entities' | 'rest' | 'authorOf'>
  readonly room: Pick<Room, 'sequence' | 'authors'>
  readonly tables: DocumentTables
  readonly agreed: AgreedRows
  readonly pendingWrites: PendingWrites
  readonly deferred: DeferredWrites
  readonly echoes: Echoes
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  /** Carries a task out when nothing else is done with the rows. */
  readonly run: (task: () => Promise<void>) => Promise<void>
  /** A row that was to be updated is gone. */
  readonly onRowMissing: () => void
  /** More is saved, or problems may be new. */
  readonly onProgress: () => void
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

export function createRowWriter(deps: RowWriterDeps): RowWriter {
  const { agreed, clock, deferred, kind, logger, room, pendingWrites } = deps
  const { rest } = kind
  const timer = createTimer(clock)
  const writeBatch = createBatchWriter(deps)
  /** Since when there is something to write, and when it last changed. */
  let firstChangeAt: number | null = null
  let lastChangeAt = 0
  const isSavedAtStart = pendingWrites.list().length === 0
  let unsavedSince = isSavedAtStart ? null : clock.monotonic()
  /** Until when the backend rests from the last pass. */
  let restsUntil = -Infinity
  /** Consecutive failures of the backend as such; while there are some, the retry's delay counts and no change of the document shortens it. */
  let attempts = 0
  let savedUpTo = isSavedAtStart ? room.sequence() : 0
  let isWriting = false
  let isClosed = false

  const plan = (delayMs: number): void => {
    if (!isClosed) timer.set(writeWhenRested, delayMs)
  }

  /** What is fastest among the pending writes decides for all of them. */
  const delayOf = (writes: readonly RowWrite[]): number => {
    const rests = writes.flatMap((write) =>
      write.kind === 'update'
        ? Object.keys(write.row).map((column) => rest.ofColumn(write.entity, column))
        : [rest.shortestMs],
    )
    return Math.min(rest.longestMs, ...rests)
  }

  const isResting = (): boolean => attempts === 0 && restsUntil > clock.monotonic()

  /** Texts rest longest, single values less; what waits is looked at now and not at every keystroke. */
  const writeWhenRested = (): void => {
    const now = clock.monotonic()
    const restOf = (delayMs: number): number =>
      Math.min(lastChangeAt + delayMs, (firstChangeAt ?? 0) + MAX_DELAY_MS) - now
    const typingMs = restOf(rest.longestMs) > 0 ? restOf(delayOf(pendingWrites.list())) : 0
    const restMs = attempts > 0 ? 0 : Math.max(typingMs, restsUntil - now)
    if (restMs > 0) plan(restMs)
    // What stood in line behind a pass finds the backend at rest. Where nothing is left to write, a pass says that all is saved.
    else void deps.run(async () => (isResting() && pendingWrites.list().length > 0 ? continueWriting() : writeAll()))
  }

  const isBehind = (write: RowWrite, others: readonly RowWrite[]): boolean =>
    others.some((other) => needs(kind.entities, agreed.base, write, other))

  /** Rows that failed before come behind all others, with what needs them: they must not be taken for the whole backend. */
  const freshFirst = (writes: readonly RowWrite[]): RowWrite[] => {
    const last: RowWrite[] = []
    const first = writes.filter((write) => {
      const isLast = deferred.hasFailed(write) || isBehind(write, last)
      if (isLast) last.push(write)
      return !isLast
    })
    return [...first, ...last]
  }

  const mustWait = (write: RowWrite, { heldBack }: Pass): boolean => {
    const isHeld = deferred.isWaiting(write) || isBehind(write, heldBack)
    if (isHeld) heldBack.push(write)
    return isHeld
  }

  const retry = (atLeastMs: number): void => {
    attempts += 1
    deps.onProgress()
    plan(Math.max(atLeastMs, backoffMs(attempts, WRITE_BACKOFF, deps.random)))
  }

  const writeAll = async (): Promise<void> => {
    timer.clear()
    firstChangeAt = null
    const startedAt = clock.monotonic()
    const upTo = room.sequence()
    isWriting = true
    const pass = startPass()
    try {
      for (const batch of toBatches(kind.entities, freshFirst(pendingWrites.list()))) {
        if (isClosed) return
        const due = batch.filter((write) => !mustWait(write, pass))
        if (due.length > 0) await writeBatch(due, pass)
        const isBackendDown = pass.written === 0 && pass.failed >= FAILURES_OF_BACKEND
        if (isBackendDown || pass.retryAfterMs !== null) return retry(pass.retryAfterMs ?? 0)
      }
    } catch (error) {
      logger.error({ err: error, document: deps.name }, 'rows not written back')
      return retry(0)
    } finally {
      isWriting = false
    }
    // The backend is well again: nobody waits out what was its fault.
    if (attempts > 0 && pass.written > 0) deferred.makeDue()
    attempts = 0
    const endedAt = clock.monotonic()
    restsUntil = endedAt + Math.min(REST * (endedAt - startedAt), MAX_REST_MS)
    if (pass.heldBack.length === 0) {
      savedUpTo = upTo
      // What changed meanwhile is for the next pass.
      unsavedSince = firstChangeAt
    }
    deps.onProgress()
    continueWriting()
  }

  const continueWriting = (): void => {
    if (attempts > 0 || timer.isSet()) return
    const left = pendingWrites.list()
    if (left.length === 0) return
    unsavedSince ??= clock.monotonic()
    const pass = startPass()
    const isAnyDue = left.some((write) => !mustWait(write, pass))
    const nextInMs = (deferred.nextAt() ?? 0) - clock.monotonic()
    plan(isAnyDue ? rest.shortestMs : Math.max(rest.shortestMs, nextInMs))
  }

  return {
    noteChange: () => {
      lastChangeAt = clock.monotonic()
      firstChangeAt ??= lastChangeAt
      unsavedSince ??= lastChangeAt
      if (attempts > 0) return
      plan(Math.max(0, Math.min(rest.shortestMs, firstChangeAt + MAX_DELAY_MS - lastChangeAt)))
    },
    continueWriting,
    writeAll,
    isIdle: () => !timer.isSet() && !isWriting && pendingWrites.list().length === 0,
    savedUpTo: () => savedUpTo,
    unsavedSince: () => unsavedSince,
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}

/** @returns what writes rows together, and notes in the pass and in the agreed rows what became of them */
function createBatchWriter(deps: RowWriterDeps): (batch: readonly RowWrite[], pass: Pass) => Promise<void> {
  const { agreed, deferred, echoes, id, kind, logger, tables, pendingWrites } = deps
  const document = deps.name

  const defer = (write: RowWrite, outcome: Extract<WriteOutcome, { kind: 'later' }>, pass: Pass): void => {
    const { message, retryAfterMs } = outcome
    logger.info({ document, entity: write.entity, id: write.id, reason: message }, 'row not written yet')
    if (!deferred.hasFailed(write)) pass.failed += 1
    pass.heldBack.push(write)
    deferred.fail(write, message)
    if (retryAfterMs !== undefined) pass.retryAfterMs = Math.max(pass.retryAfterMs ?? 0, retryAfterMs)
  }

  /** What both sides agree on after a write was answered. */
  const settle = (write: RowWrite, outcome: Exclude<WriteOutcome, { kind: 'later' }>): Agreement[] => {
    const { entity, id: rowId } = write
    if (outcome.kind === 'refused' || (outcome.kind === 'missing' && entity === kind.entities[0].name)) {
      const message = outcome.kind === 'refused' ? outcome.message : `This ${kind.words} no longer exists`
      const detail = outcome.kind === 'refused' ? outcome.detail : undefined
      logger.warn({ document, entity, id: rowId, reason: message, detail }, 'row refused')
      pendingWrites.refuse(write, message)
      return []
    }
    if (outcome.kind === 'missing') {
      // Removed by others. What hung on it is found by the look at the rows; our change brings the row itself back.
      deps.onRowMissing()
      return [{ entity, id: rowId, row: null }]
    }
    if (write.kind === 'delete') return [{ entity, id: rowId, row: null }]
    // What was refused may have been refused for want of this row.
    if (write.kind === 'insert') pendingWrites.forgetRefusals()
    return [{ entity, id: rowId, row: { ...agreed.base.get(entity)?.get(rowId), ...write.row } as EntityRow }]
  }

  return async (batch, pass) => {
    echoes.expect(batch.length)
    const outcomes = await Promise.all(
      batch.map((write) => tables.write(id, write, kind.authorOf(deps.room.authors, write))),
    )
    // What was not carried out is not announced.
    for (const outcome of outcomes) if (outcome.kind === 'refused' || outcome.kind === 'missing') echoes.drop()
    const changes: Agreement[] = []
    for (const [index, write] of batch.entries()) {
      const outcome = outcomes[index] as WriteOutcome
      if (outcome.kind === 'later') {
        defer(write, outcome, pass)
        continue
      }
      pass.written += 1
      deferred.settle(write)
      changes.push(...settle(write, outcome))
    }
    await agreed.agree(changes)
  }
}

/**
 * Writes in their order, those together that cannot depend on one another: rows of a tree come and go one by one, because a parent
 * must be there before its child.
 */
function toBatches(entities: DocumentKind['entities'], writes: readonly RowWrite[]): RowWrite[][] {
  const batches: RowWrite[][] = []
  for (const write of writes) {
    const batch = batches.at(-1)
    const [first] = batch ?? []
    const isLike = first?.entity === write.entity && first.kind === write.kind
    const isFree = write.kind === 'update' || !isTree(entities, write.entity)
    if (batch && isLike && isFree && batch.length < PARALLEL_WRITES) batch.push(write)
    else batches.push([write])
  }
  return batches
}
