import type { Pool } from 'pg'

import { type Passes, RETRY_MS } from '../../checks/createPasses.ts'
import type { EstateMemory } from './createEstateMemory.ts'
import { writeRolledUp } from './writeRolledUp.ts'

/** A burst of changes is one statement; nobody reads the rows that fast. */
const WRITE_DELAY_MS = 20
/** In one statement: a lock on each of the rows. */
const MAX_WRITTEN = 1_000

/** Writes what was worked out into the rows that are to show it. */
export interface WriteBack {
  /** Soon. */
  plan(): void
  /** Now. @returns how many rows became different */
  run(): Promise<number>
  close(): Promise<void>
}

export interface WriteBackDeps {
  readonly pool: Pool
  readonly memory: Pick<EstateMemory, 'takeUnwritten' | 'noteWritten' | 'putBack'>
  readonly passes: Passes
  readonly onWritten: (ids: Iterable<string>) => void
}

export function createWriteBack({ pool, memory, passes, onWritten }: WriteBackDeps): WriteBack {
  const write = async (): Promise<number> => {
    let count = 0
    for (;;) {
      const wanted = memory.takeUnwritten(MAX_WRITTEN)
      if (wanted.size === 0) return count
      try {
        const updatedAt = await writeRolledUp(pool, wanted)
        memory.noteWritten(wanted, updatedAt)
        onWritten(wanted.keys())
        count += updatedAt.size
      } catch (error) {
        memory.putBack(wanted.keys())
        passes.after(RETRY_MS, () => plan())
        throw error
      }
    }
  }
  const plan = passes.soonOnce('writing of components', WRITE_DELAY_MS, async () => {
    await write()
  })

  return {
    plan,
    run: async () => {
      let count = 0
      await passes.inTurn(async () => {
        count = await write()
      })
      return count
    },
    close: () => passes.close(),
  }
}
