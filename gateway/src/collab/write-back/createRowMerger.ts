// Rows to document: looks for what others wrote, and merges it in field by field (COLLAB-14).

import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind, DocumentRows, DocumentTables } from '../documentKind.ts'
import type { Room } from '../room/createRoom.ts'
import type { AgreedRows } from './createAgreedRows.ts'
import { createRowMemory } from './createRowMemory.ts'

/** Rows of others are looked for this often, and at once when the database says that something changed. */
const REFRESH_MS = 5_000
/** Between two looks: our own writes are announced too, one by one. */
const REFRESH_GAP_MS = 250

export interface RowMerger {
  /** Looks at the rows as soon as that may be. */
  look(): void
  close(): void
}

export interface RowMergerDeps {
  readonly name: string
  readonly id: string
  readonly kind: Pick<DocumentKind, 'merge'>
  readonly room: Pick<Room, 'writeAsServer'>
  readonly tables: DocumentTables
  readonly agreed: AgreedRows
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  /** Carries a task out when nothing else is done with the rows. */
  readonly run: (task: () => Promise<void>) => Promise<void>
  /** The document holds what others wrote. */
  readonly onMerged: () => void
  /** A look is over, whether it succeeded or not. */
  readonly onLooked: () => void
}

export function createRowMerger(deps: RowMergerDeps): RowMerger {
  const { agreed, clock, id, room, tables } = deps
  const timer = createTimer(clock)
  const memory = createRowMemory()
  let lookedAt = -Infinity
  let isQueued = false
  let isClosed = false

  const lookIn = (delayMs: number): void => {
    if (isClosed || isQueued) return
    const gapMs = lookedAt + REFRESH_GAP_MS - clock.monotonic()
    timer.set(
      () => {
        isQueued = true
        void deps.run(refresh)
      },
      Math.max(delayMs, gapMs),
    )
  }

  const refresh = async (): Promise<void> => {
    isQueued = false
    if (isClosed) return
    lookedAt = clock.monotonic()
    try {
      const actual = await tables.read(id, memory)
      if (actual) await adopt(actual)
    } catch (error) {
      // The rows we have stay; the next look comes anyway.
      deps.logger.info({ err: error, document: deps.name }, 'rows of others not read')
    }
    // Unless someone asked for an earlier look meanwhile.
    if (!timer.isSet()) lookIn(REFRESH_MS * (0.9 + deps.random() / 5))
    deps.onLooked()
  }

  /** Merges what others changed; the rows read are what both sides agree on from then on. */
  const adopt = async (actual: DocumentRows): Promise<void> => {
    const changes = agreed.differences(actual)
    if (changes.length === 0) return
    const former = agreed.rows()
    const now = new Date(clock.now()).toISOString()
    await room.writeAsServer((doc) => deps.kind.merge(doc, former, actual, { now }))
    await agreed.agree(changes)
    deps.onMerged()
  }

  return {
    look: () => lookIn(0),
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}
