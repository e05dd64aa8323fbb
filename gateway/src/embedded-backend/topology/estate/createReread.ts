import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Pool } from 'pg'

import type { Passes } from '../../checks/createPasses.ts'
import { readInSlices, type StoredComponent } from './readComponents.ts'

/** Compared at a stretch, some ten milliseconds. */
const SLICE = 100

/** Reads everything once more to find what nobody told, and lets changes and questions by meanwhile. */
export interface Reread {
  run(): Promise<void>
  /** What was read or written just now: what the reread has of it may be older. */
  overtake(ids: Iterable<string> | 'all'): void
}

export interface RereadDeps {
  readonly pool: Pool
  /** Of the reads of what changed. */
  readonly passes: Pick<Passes, 'inTurn'>
  readonly known: ReadonlyMap<string, unknown>
  readonly apply: (found: readonly StoredComponent[], gone: readonly string[]) => void
}

export function createReread({ pool, passes, known, apply }: RereadDeps): Reread {
  /** Components that were read or written since the reread began; null where its answers are not wanted. */
  let newer: Set<string> | null = null

  const run = async (): Promise<void> => {
    const mine = new Set<string>()
    const inMyTurn = (work: () => void): Promise<void> =>
      passes.inTurn(async () => {
        if (newer === mine) work()
      })
    // No read is under way then whose answer is older.
    await passes.inTurn(async () => {
      newer = mine
    })
    const there = new Set<string>()
    for (const found of await readInSlices(pool, SLICE)) {
      for (const { row } of found) there.add(row.id)
      await inMyTurn(() =>
        apply(
          found.filter(({ row }) => !mine.has(row.id)),
          [],
        ),
      )
      await nextTurn()
    }
    await inMyTurn(() => {
      const gone = [...known.keys()].filter((id) => !there.has(id) && !mine.has(id))
      apply([], gone)
      newer = null
    })
  }

  return {
    run,
    overtake: (ids) => {
      if (ids === 'all') newer = null
      else if (newer) for (const id of ids) newer.add(id)
    },
  }
}
