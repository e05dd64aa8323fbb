/** What the runs of a window say. Durations in milliseconds, times in milliseconds since the epoch. */
export interface WindowStats {
  passed: number
  failed: number
  lastPassAt: number | null
  lastFailAt: number | null
  p95: number
  p97: number
  p99: number
  /** Mean duration. */
  mean: number
}

const FIRST_CAPACITY = 8
/** Durations share a 32-bit number with the result bit; 12 days are longer than any run. */
const MAX_DURATION_MS = 2 ** 30 - 1

/** Sorting space of all windows: statistics are computed one window at a time. */
let scratch = new Int32Array(1_024)

/**
 * Smallest value whose cumulative share reaches `share`: a duration that really occurred.
 *
 * @param sorted ascending
 */
export function discretePercentile(sorted: Int32Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/**
 * The recent runs of one check, in order of time: a ring of typed arrays, 12 bytes per run, that grows with the check's
 * frequency and shrinks when it becomes rare. A class, because there is one for each of thousands of checks.
 */
export class RunWindow {
  #startedAts = new Float64Array(FIRST_CAPACITY)
  /** Duration × 2, plus 1 when the run passed. */
  #results = new Int32Array(FIRST_CAPACITY)
  #head = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Start of the oldest run; Infinity when there is none. */
  oldestAt(): number {
    return this.#size === 0 ? Infinity : (this.#startedAts[this.#head] ?? Infinity)
  }

  /** Adds a run; false when a run of that moment is there already. */
  add(startedAt: number, durationMs: number, passed: boolean): boolean {
    // Nearly always a run is the newest; one of another agent may arrive late and is put into its place.
    let index = this.#size
    while (index > 0 && this.#startedAt(index - 1) > startedAt) index--
    if (index > 0 && this.#startedAt(index - 1) === startedAt) return false
    if (this.#size === this.#startedAts.length) this.#resize(this.#size * 2)
    for (let later = this.#size; later > index; later--) {
      this.#startedAts[this.#slot(later)] = this.#startedAt(later - 1)
      this.#results[this.#slot(later)] = this.#result(later - 1)
    }
    const roundedMs = Math.min(MAX_DURATION_MS, Math.max(0, Math.round(durationMs)))
    this.#startedAts[this.#slot(index)] = startedAt
    this.#results[this.#slot(index)] = roundedMs * 2 + (passed ? 1 : 0)
    this.#size++
    return true
  }

  /** Drops the runs that started before `before`; true when there were any. */
  expire(before: number): boolean {
    let expired = 0
    while (expired < this.#size && this.#startedAt(expired) < before) expired++
    this.#head = this.#slot(expired)
    this.#size -= expired
    const capacity = this.#startedAts.length
    if (capacity > FIRST_CAPACITY && this.#size < capacity / 4) this.#resize(capacity / 2)
    return expired > 0
  }

  stats(): WindowStats {
    const size = this.#size
    if (scratch.length < size) scratch = new Int32Array(size * 2)
    const durations = scratch.subarray(0, size)
    let passed = 0
    let sum = 0
    let lastPassAt: number | null = null
    let lastFailAt: number | null = null
    for (let index = 0; index < size; index++) {
      const result = this.#result(index)
      const durationMs = result >> 1
      durations[index] = durationMs
      sum += durationMs
      if ((result & 1) === 1) {
        passed++
        lastPassAt = this.#startedAt(index)
      } else {
        lastFailAt = this.#startedAt(index)
      }
    }
    durations.sort()
    return {
      passed,
      failed: size - passed,
      lastPassAt,
      lastFailAt,
      p95: discretePercentile(durations, 0.95),
      p97: discretePercentile(durations, 0.97),
      p99: discretePercentile(durations, 0.99),
      mean: size === 0 ? 0 : sum / size,
    }
  }

  /** Capacities are powers of two. */
  #slot(index: number): number {
    return (this.#head + index) & (this.#startedAts.length - 1)
  }

  #startedAt(index: number): number {
    return this.#startedAts[this.#slot(index)] ?? 0
  }

  #result(index: number): number {
    return this.#results[this.#slot(index)] ?? 0
  }

  #resize(capacity: number): void {
    const startedAts = new Float64Array(capacity)
    const results = new Int32Array(capacity)
    for (let index = 0; index < this.#size; index++) {
      startedAts[index] = this.#startedAt(index)
      results[index] = this.#result(index)
    }
    this.#startedAts = startedAts
    this.#results = results
    this.#head = 0
  }
}
