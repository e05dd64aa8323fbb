// Writes that are deferred: a row that the backend cannot take now waits for its own time, and only what needs it waits with it
// (COLLAB-21).

import { backoffMs, type BackoffPolicy, type Clock } from '@watchroom/shared/kernel'

import type { RowWrite } from '../documentKind.ts'

export const WRITE_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 60_000 }
/** One failure is a hiccup; from here on people should know. */
const ATTEMPTS_UNTIL_PROBLEM = 3

export interface DeferredWrites {
  /** The backend could not take this row now. */
  fail(write: RowWrite, message: string): void
  /** It did, or will never. */
  settle(write: RowWrite): void
  /** Whoever waits need not wait any longer. */
  makeDue(): void
  /** Forgets rows that there is nothing to write of any more. */
  keepOnly(names: ReadonlySet<string>): void
  /** Whether this row failed, and was not taken since. */
  hasFailed(write: RowWrite): boolean
  /** Whether this row's time has not come yet. */
  isWaiting(write: RowWrite): boolean
  /** Monotonic time at which the next one is due; null when none waits. */
  nextAt(): number | null
  /** Rows that failed several times, for the people who wait for them. */
  problems(): { entity: string; id: string; message: string }[]
}

interface Setback {
  readonly entity: string
  readonly id: string
  readonly attempts: number
  readonly until: number
  readonly message: string
}

export function createDeferredWrites(deps: { clock: Clock; random: () => number }): DeferredWrites {
  const setbacks = new Map<string, Setback>()
  return {
    fail: (write, message) => {
      const { entity, id } = write
      const attempts = (setbacks.get(nameOf(write))?.attempts ?? 0) + 1
      const until = deps.clock.monotonic() + backoffMs(attempts, WRITE_BACKOFF, deps.random)
      setbacks.set(nameOf(write), { entity, id, attempts, until, message })
    },
    settle: (write) => setbacks.delete(nameOf(write)),
    makeDue: () => {
      for (const [name, setback] of setbacks) setbacks.set(name, { ...setback, until: deps.clock.monotonic() })
    },
    keepOnly: (names) => {
      for (const name of setbacks.keys()) if (!names.has(name)) setbacks.delete(name)
    },
    hasFailed: (write) => setbacks.has(nameOf(write)),
    isWaiting: (write) => (setbacks.get(nameOf(write))?.until ?? 0) > deps.clock.monotonic(),
    nextAt: () => (setbacks.size === 0 ? null : Math.min(...[...setbacks.values()].map(({ until }) => until))),
    problems: () =>
      [...setbacks.values()]
        .filter(({ attempts }) => attempts >= ATTEMPTS_UNTIL_PROBLEM)
        .map(({ entity, id, message }) => ({ entity, id, message: `${message}; trying again` })),
  }
}

export const nameOf = ({ entity, id }: Pick<RowWrite, 'entity' | 'id'>): string => `${entity}/${id}`
