// Finds what an upstream cannot take among rows that are sent together, by halving what fails until the culprit stands alone.
import { keepNewest } from '@watchroom/shared/kernel'

import { CodedError } from '../platform/errors.ts'
import { AGENT_ERRORS } from './errors.ts'

/** What fails this often at its first row is no passing trouble of the upstream, or one that lasts. */
const FAILURES_BEFORE_HALVING = 3
/** Failed batches that are remembered. It is few because the key of a result is all of its content. */
const MAX_REMEMBERED = 100
/** Rows that fail alone while none passes: then it is not they that are odd. */
const MAX_FAILED = 16

export interface Batch<Row> {
  /** Names the first row: a batch that fails grows behind it. */
  readonly key: string
  readonly rows: readonly Row[]
  /** @returns whether anything was taken */
  readonly push: (rows: readonly Row[]) => Promise<boolean>
  /** The upstream has all others. */
  readonly giveUp: (row: Row, error: unknown) => void
}

export type SendApart = <Row>(batch: Batch<Row>) => Promise<void>

/**
 * A row that is refused is given up at once. One at which the upstream fails is given up only when others of its batch pass at the same
 * time: an upstream whose database is away fails at everything.
 */
export function createApart(): SendApart {
  /** By key: a batch that passes says nothing of those that are sent after it at each try. */
  const failures = new Map<string, number>()

  const countFailure = (key: string): number => {
    const times = (failures.get(key) ?? 0) + 1
    failures.delete(key)
    failures.set(key, times)
    keepNewest(failures, MAX_REMEMBERED)
    return times
  }

  return async ({ key, rows: all, push, giveUp }) => {
    const failed: { row: (typeof all)[number]; error: unknown }[] = []
    let hasPassed = false

    const send = async (rows: typeof all, mayHalve: () => boolean): Promise<void> => {
      try {
        hasPassed = (await push(rows)) || hasPassed
        return
      } catch (error) {
        const isFailure = isCode(error, AGENT_ERRORS.AGENT_PUSH_FAILED.code)
        if (isFailure ? !mayHalve() : !isCode(error, AGENT_ERRORS.AGENT_PUSH_REFUSED.code)) throw error
        const [only, second] = rows
        if (only && !second) {
          if (!isFailure) return giveUp(only, error)
          failed.push({ row: only, error })
          if (!hasPassed && failed.length >= MAX_FAILED) throw error
          return
        }
      }
      const middle = Math.ceil(rows.length / 2)
      await send(rows.slice(0, middle), () => true)
      await send(rows.slice(middle), () => true)
    }

    await send(all, () => countFailure(key) >= FAILURES_BEFORE_HALVING)
    const [first] = failed
    if (first && !hasPassed) throw first.error
    for (const { row, error } of failed) giveUp(row, error)
    failures.delete(key)
  }
}

export const isCode = (error: unknown, code: string): boolean => error instanceof CodedError && error.code === code
