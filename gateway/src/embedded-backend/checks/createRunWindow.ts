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

/** The recent runs of one check, in order of time. */
export interface RunWindow {
  readonly size: number
  /** Start of the oldest run; Infinity when there is none. */
  oldestAt(): number
  /** Adds a run; false when a run of that moment is there already. */
  add(startedAt: number, durationMs: number, passed: boolean): boolean
  /** Drops the runs that started before `before`; true when there were any. */
  expire(before: number): boolean
  stats(): WindowStats
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

/** A ring of typed arrays, 12 bytes per run, that grows with the check's frequency and shrinks when it becomes rare. */
export function createRunWindow(): RunWindow {
  let startedAts = new Float64Array(FIRST_CAPACITY)
  /** Duration × 2, plus 1 when the run passed. */
  let results = new Int32Array(FIRST_CAPACITY)
  let head = 0
  let size = 0

  const slot = (index: number): number => (head + index) & (startedAts.length - 1)

  function resize(capacity: number): void {
    const nextStartedAts = new Float64Array(capacity)
    const nextResults = new Int32Array(capacity)
    for (let index = 0; index < size; index++) {
      nextStartedAts[index] = startedAts[slot(index)] ?? 0
      nextResults[index] = results[slot(index)] ?? 0
    }
    startedAts = nextStartedAts
    results = nextResults
    head = 0
  }

  function add(startedAt: number, durationMs: number, passed: boolean): boolean {
    // Nearly always a run is the newest; one of another agent may arrive late and is put into its place.
    let index = size
    while (index > 0 && (startedAts[slot(index - 1)] ?? 0) > startedAt) index--
    if (index > 0 && startedAts[slot(index - 1)] === startedAt) return false
    if (size === startedAts.length) resize(size * 2)
    for (let later = size; later > index; later--) {
      startedAts[slot(later)] = startedAts[slot(later - 1)] ?? 0
      results[slot(later)] = results[slot(later - 1)] ?? 0
    }
    startedAts[slot(index)] = startedAt
    results[slot(index)] = Math.min(MAX_DURATION_MS, Math.max(0, Math.round(durationMs))) * 2 + (passed ? 1 : 0)
    size++
    return true
  }

  function expire(before: number): boolean {
    let expired = 0
    while (expired < size && (startedAts[slot(expired)] ?? 0) < before) expired++
    head = slot(expired)
    size -= expired
    if (startedAts.length > FIRST_CAPACITY && size < startedAts.length / 4) resize(startedAts.length / 2)
    return expired > 0
  }

  function stats(): WindowStats {
    if (scratch.length < size) scratch = new Int32Array(size * 2)
    const durations = scratch.subarray(0, size)
    let passed = 0
    let sum = 0
    let lastPassAt: number | null = null
    let lastFailAt: number | null = null
    for (let index = 0; index < size; index++) {
      const result = results[slot(index)] ?? 0
      const durationMs = result >> 1
      durations[index] = durationMs
      sum += durationMs
      if ((result & 1) === 1) {
        passed++
        lastPassAt = startedAts[slot(index)] ?? null
      } else {
        lastFailAt = startedAts[slot(index)] ?? null
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

  return {
    get size() {
      return size
    },
    oldestAt: () => (size === 0 ? Infinity : (startedAts[head] ?? Infinity)),
    add,
    expire,
    stats,
  }
}
