import type { Clock } from '@watchroom/shared/kernel'

interface Timer {
  at: number
  sequence: number
  callback: () => void
}

/** What `setTimeout` can wait; it takes anything longer for nothing at all. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Time that moves only when a test says so. Timers fire in order of their due time, then of their creation. */
export class FakeClock implements Clock {
  #now: number
  #elapsed = 0
  #sequence = 0
  readonly #timers = new Set<Timer>()

  constructor(now = Date.parse('2026-01-01T00:00:00.000Z')) {
    this.#now = now
  }

  now = (): number => this.#now
  monotonic = (): number => this.#elapsed

  schedule = (callback: () => void, delayMs: number): (() => void) => {
    if (delayMs > MAX_DELAY_MS) throw new RangeError(`no timer waits ${delayMs} ms`)
    const timer: Timer = { at: this.#elapsed + Math.max(0, delayMs), sequence: this.#sequence++, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Number of timers that wait: 0 after a clean close. */
  get pending(): number {
    return this.#timers.size
  }

  /** Moves time and lets promise reactions run after each timer that fires. */
  async advance(durationMs: number): Promise<void> {
    const until = this.#elapsed + durationMs
    for (;;) {
      await settle()
      const next = [...this.#timers]
        .filter((timer) => timer.at <= until)
        .toSorted((a, b) => a.at - b.at || a.sequence - b.sequence)[0]
      if (!next) break
      this.#timers.delete(next)
      this.#moveTo(next.at)
      next.callback()
    }
    this.#moveTo(until)
    await settle()
  }

  /** Moves the wall clock alone, as an administrator or NTP would. */
  step(durationMs: number): void {
    this.#now += durationMs
  }

  #moveTo(elapsed: number): void {
    this.#now += elapsed - this.#elapsed
    this.#elapsed = elapsed
  }
}

/** Lets chains of already settled promises run, as long ones as when rows of a document are written one batch after the other. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}
