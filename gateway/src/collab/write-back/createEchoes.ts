import type { Clock } from '@watchroom/shared/kernel'

/** An announcement of our own write comes within milliseconds; later, it is someone else's. */
const ECHO_MS = 2_000

/** Tells announcements of our own writes from those of others. */
export interface Echoes {
  /** So many writes are sent now: each will be announced. */
  expect(count: number): void
  /** One of the newest was not carried out: it is not announced. */
  drop(): void
  /** An announcement came. @returns whether it is of a write of ours */
  take(): boolean
}

export function createEchoes(clock: Clock): Echoes {
  /** When the writes were sent whose announcements are still to come, oldest first. */
  let expected: number[] = []
  return {
    expect: (count) => {
      const now = clock.monotonic()
      expected.push(...Array.from({ length: count }, () => now))
    },
    drop: () => void expected.pop(),
    take: () => {
      expected = expected.filter((sentAt) => clock.monotonic() - sentAt < ECHO_MS)
      return expected.shift() !== undefined
    },
  }
}
