// The checks of each board, cut from the one feed of all checks. Knows boards and rows, no screens and no sockets.

import type { CheckBoardRow } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'
import type { SourceProblem } from '@watchroom/shared/protocol'
import { matchesFilter, type WallBoard, type WallFilter } from '@watchroom/shared/wall'

import type { Feed, FeedListener } from '../polling/contract.ts'
import { wallErrors } from './errors.ts'

export interface BoardFeeds {
  readonly feed: (boardId: string) => Feed<CheckBoardRow>
  /** The boards as they are now; readers of one whose filter changed get its new rows at once. */
  readonly setBoards: (boards: readonly WallBoard[]) => void
  readonly close: () => void
}

type Listener = FeedListener<CheckBoardRow>

export function createBoardFeeds(deps: { checks: Feed<CheckBoardRow>; clock: Clock }): BoardFeeds {
  const { checks, clock } = deps
  const rows = new Map<string, CheckBoardRow>()
  const listeners = new Map<string, Set<Listener>>()
  /** Null until they were read for the first time. */
  let filters: ReadonlyMap<string, WallFilter> | null = null
  let asOf: number | null = null

  const GONE: SourceProblem = {
    code: wallErrors.WALL_BOARD_UNKNOWN.code,
    message: wallErrors.WALL_BOARD_UNKNOWN.message,
    consecutiveFailures: 1,
    nextAttemptAt: null,
  }

  const problemOf = (boardId: string): SourceProblem | null =>
    filters !== null && !filters.has(boardId) ? GONE : checks.problem()

  const tellAll = (boardId: string, listener: Listener): void => {
    const filter = filters?.get(boardId)
    if (asOf === null || filter === undefined) return
    const matching = [...rows.values()].filter((row) => matchesFilter(row, filter))
    listener.onRead({ kind: 'all', asOf, droppedRows: 0, rows: matching })
  }

  const stopListening = checks.listen({
    onRead: (read) => {
      asOf = read.asOf
      if (read.kind === 'all') {
        rows.clear()
        for (const row of read.rows) rows.set(row.id, row)
        for (const [boardId, all] of listeners) for (const listener of all) tellAll(boardId, listener)
        return
      }
      const before = new Map([...read.removed, ...read.rows.map(({ id }) => id)].map((id) => [id, rows.get(id)]))
      for (const id of read.removed) rows.delete(id)
      for (const row of read.rows) rows.set(row.id, row)
      for (const [boardId, all] of listeners) {
        const filter = filters?.get(boardId)
        if (filter === undefined) continue
        const matching = read.rows.filter((row) => matchesFilter(row, filter))
        const stays = new Set(matching.map(({ id }) => id))
        const removed = [...before].flatMap(([id, row]) =>
          row !== undefined && !stays.has(id) && matchesFilter(row, filter) ? [id] : [],
        )
        // Told even when nothing of the board changed: its readers then know that their rows are as young as all others.
        for (const listener of all) {
          listener.onRead({ kind: 'changes', asOf: read.asOf, droppedRows: 0, rows: matching, removed })
        }
      }
    },
    onProblem: (problem) => {
      for (const [boardId, all] of listeners) {
        for (const listener of all) listener.onProblem(problem === null ? problemOf(boardId) : problem)
      }
    },
  })

  return {
    feed: (boardId) => ({
      freshForMs: checks.freshForMs,
      problem: () => problemOf(boardId),
      listen: (listener) => {
        const all = listeners.get(boardId) ?? new Set()
        listeners.set(boardId, all.add(listener))
        tellAll(boardId, listener)
        return () => {
          all.delete(listener)
          if (all.size === 0 && listeners.get(boardId) === all) listeners.delete(boardId)
        }
      },
      watch: checks.watch,
      wake: checks.wake,
      // The feed of all checks belongs to others.
      close: () => undefined,
    }),

    setBoards: (boards) => {
      const before = filters
      filters = new Map(boards.map(({ id, filter }) => [id, filter]))
      for (const [boardId, all] of listeners) {
        const filter = filters.get(boardId)
        const wasGone = before !== null && !before.has(boardId)
        for (const listener of all) {
          if (filter === undefined) {
            // Whoever still looks at a board that was deleted shall not go on seeing it.
            listener.onRead({ kind: 'all', asOf: asOf ?? clock.now(), droppedRows: 0, rows: [] })
            listener.onProblem(GONE)
            continue
          }
          if (wasGone) listener.onProblem(problemOf(boardId))
          if (JSON.stringify(before?.get(boardId)) !== JSON.stringify(filter)) tellAll(boardId, listener)
        }
      }
    },

    close: () => {
      stopListening()
      listeners.clear()
    },
  }
}
