// Decides when which check runs. Knows nothing of check types, results or the database: `execute` runs a check, `record`
// receives every ending. One piece because it is one state machine: idle → waiting → running → idle, or → stuck.
import { type Clock, waitAtMost } from '@watchroom/shared/kernel'

import { type Due, DueQueue } from './dueQueue.ts'
import type { Schedule } from './schedule.ts'

export interface ScheduledCheck {
  readonly id: string
  /** Checks of one lane share slots with the other lanes; usually the check type. */
  readonly lane: string
  readonly schedule: Schedule
  /** A run is aborted after this many milliseconds. */
  readonly deadlineMs: number
  /** Milliseconds since the epoch, from before a restart. */
  readonly lastRuntime: number | null
  readonly nextRuntime: number | null
}

export type RunEnding<Outcome> =
  | { kind: 'finished'; outcome: Outcome }
  /** The runner threw: a bug of ours, never the check's own failure. */
  | { kind: 'failed'; error: unknown }
  /** The runner did not come back after its deadline. */
  | { kind: 'timed-out' }
  /** A run was due while an earlier one, past its deadline, has still not come back. */
  | { kind: 'still-running' }

export interface CheckRun<Outcome> {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Next planned run, milliseconds since the epoch. */
  readonly nextDueAt: number | null
  readonly ending: RunEnding<Outcome>
}

export interface SchedulerMetrics {
  /** Checks that are known. */
  checks: number
  /** Checks that are due and wait for a slot. */
  due: number
  running: number
  /** Of those that are due: waiting longer than `LATE_AFTER_MS`. */
  late: number
  /** Runs past their deadline that have not come back; they hold no slot. */
  stuck: number
  /** Longest time a due check waits right now, in milliseconds. */
  oldestWaitMs: number
  /** Start minus due time over the last runs, in milliseconds. */
  latenessMs: { p50: number; p99: number; max: number }
  /** Since start. */
  started: number
  timedOut: number
  /** Occurrences left out because the check was still running. */
  skipped: number
  /** Wall clock steps noticed. */
  clockSteps: number
}

export interface Scheduler<Outcome> {
  /** Adds the checks, or changes known ones. Checks given together are spread together. */
  set(checks: readonly ScheduledCheck[]): void
  /** Forgets a check; its run, if any, is aborted and not recorded. */
  remove(id: string): void
  /** Runs checks out of their rhythm, spread like new ones: their definition was edited. */
  runSoon(ids: readonly string[]): void
  has(id: string): boolean
  /** Runs a check ahead of all others, or joins its current run. Null when the check is unknown, or removed before it ended. */
  runNow(id: string): Promise<CheckRun<Outcome> | null>
  /** Starts nothing new until `resume`; runs under way end normally. */
  pause(): void
  resume(): void
  metrics(): SchedulerMetrics
  /** Aborts what runs and waits until it came back, at most `graceMs`. */
  close(): Promise<void>
}

export interface SchedulerDeps<Outcome> {
  clock: Clock
  /** In [0, 1). */
  random: () => number
  execute: (id: string, signal: AbortSignal) => Promise<Outcome>
  record: (run: CheckRun<Outcome>) => void
  /** Slots: runs at the same time, over all lanes. */
  maxConcurrent?: number
  /** How long an aborted run may take to come back. */
  graceMs?: number
}

const DEFAULT_MAX_CONCURRENT = 50
const DEFAULT_GRACE_MS = 1_000
const LATE_AFTER_MS = 1_000
/** A check whose last run took longer waits apart from the quick ones of its lane, so that hung targets cannot delay them. */
const SLOW_AFTER_MS = 1_000
/** First runs are spread by this much per check: one check starts within 20 ms, 1,000 checks within 20 s. */
const SPREAD_PER_CHECK_MS = 20
/** The timer wakes at least this often, to notice a step of the wall clock. */
const MAX_SLEEP_MS = 1_000
const CLOCK_STEP_MS = 1_000
const LATENESS_SAMPLES = 2_048
/**
 * A lane may hold at most this many times the free slots (dynamic threshold of Choudhury and Hahne, 1998). A lane alone gets
 * 4/5 of the slots, two busy lanes 4/9 each: whatever the others do, a lane that holds none finds a free slot.
 */
const LANE_SHARE = 4

interface Entry<Outcome> extends Due {
  check: ScheduledCheck
  phase: number
  state: 'idle' | 'waiting' | 'running' | 'stuck'
  wasSlow: boolean
  /** Edited during its run, whose result is about the old definition. */
  runsAgain: boolean
  /** Due time of the occurrence that waits; null for a run by hand. */
  waitsSince: number | null
  /** Changes whenever the entry is queued, so that an older place in a lane is recognized as void. */
  ticket: number
  waiters: ((run: CheckRun<Outcome> | null) => void)[]
  abort: ((reason: Error) => void) | null
}

interface Place<Outcome> {
  entry: Entry<Outcome>
  ticket: number
}

interface Lane<Outcome> {
  queue: Place<Outcome>[]
  head: number
  running: number
}

/** Whether the check waits for its planned run; otherwise it runs within the spread: it is new, or was due while we were away. */
function keepsPlan(check: ScheduledCheck, now: number): boolean {
  const { lastRuntime, nextRuntime, schedule } = check
  if (lastRuntime === null) return false
  if (nextRuntime !== null) return nextRuntime > now && nextRuntime <= now + schedule.periodMs * 1.5
  return lastRuntime <= now && lastRuntime + schedule.periodMs > now
}

/** The scheduler of checks. A check never overlaps itself, a late one runs once, a hung one never holds others up. */
// oxlint-disable-next-line max-lines-per-function -- one state machine (idle, waiting, running, stuck): whatever were taken out would change all of its state
export function createScheduler<Outcome>(deps: SchedulerDeps<Outcome>): Scheduler<Outcome> {
  const { clock, random, execute, record } = deps
  const maxConcurrent = deps.maxConcurrent ?? DEFAULT_MAX_CONCURRENT
  const graceMs = deps.graceMs ?? DEFAULT_GRACE_MS

  const entries = new Map<string, Entry<Outcome>>()
  const dueQueue = new DueQueue<Entry<Outcome>>()
  const lanes = new Map<string, Lane<Outcome>>()
  const byHand: Place<Outcome>[] = []
  const inFlight = new Set<Promise<void>>()
  const lateness = new Float64Array(LATENESS_SAMPLES)
  let latenessCount = 0
  let running = 0
  let stuck = 0
  let started = 0
  let timedOut = 0
  let skipped = 0
  let clockSteps = 0
  let isPaused = false
  let isClosed = false
  let cancelTimer: (() => void) | null = null
  let wakesAt = Infinity
  let wallOffset = clock.now() - clock.monotonic()

  /** Puts the entry's next occurrence after `after` into the queue. */
  function plan(entry: Entry<Outcome>, after: number): void {
    const at = entry.check.schedule.next(after, entry.phase)
    if (at === null) {
      dueQueue.remove(entry)
      entry.dueAt = Infinity
    } else {
      entry.dueAt = at
      dueQueue.put(entry)
    }
  }

  const nextDueAt = (entry: Entry<Outcome>): number | null => (entry.queueIndex < 0 ? null : entry.dueAt)

  function arm(): void {
    if (isClosed || isPaused) return
    const next = dueQueue.peek()
    if (!next) return
    const now = clock.now()
    const delayMs = Math.min(MAX_SLEEP_MS, Math.max(1, Math.ceil(next.dueAt - now)))
    const at = clock.monotonic() + delayMs
    if (cancelTimer && wakesAt <= at) return
    cancelTimer?.()
    wakesAt = at
    cancelTimer = clock.schedule(tick, delayMs)
  }

  /** The wall clock was set: intervals keep their rhythm, cron schedules follow the new time. Nothing runs in bursts. */
  function followClockStep(): void {
    const offset = clock.now() - clock.monotonic()
    const step = offset - wallOffset
    if (Math.abs(step) < CLOCK_STEP_MS) return
    wallOffset = offset
    clockSteps++
    const now = clock.now()
    for (const entry of entries.values()) {
      if (entry.waitsSince !== null) entry.waitsSince += step
      if (entry.queueIndex < 0) continue
      const at = entry.dueAt + step
      const phase = entry.check.schedule.phaseOf(at)
      if (phase === null) {
        plan(entry, now)
      } else {
        entry.phase = phase
        entry.dueAt = at
        dueQueue.put(entry)
      }
    }
  }

  function tick(): void {
    cancelTimer = null
    wakesAt = Infinity
    if (isClosed || isPaused) return
    followClockStep()
    const now = clock.now()
    for (let entry = dueQueue.peek(); entry && entry.dueAt <= now; entry = dueQueue.peek()) {
      const dueAt = entry.dueAt
      if (entry.state === 'idle') {
        dueQueue.remove(entry)
        enqueue(entry, dueAt)
        continue
      }
      plan(entry, now)
      if (entry.state === 'waiting') continue
      skipped++
      if (entry.state === 'stuck') {
        record({
          id: entry.check.id,
          startedAt: now,
          durationMs: 0,
          nextDueAt: nextDueAt(entry),
          ending: { kind: 'still-running' },
        })
      }
    }
    proceed()
  }

  function laneOf(entry: Entry<Outcome>): Lane<Outcome> {
    const name = entry.wasSlow ? `${entry.check.lane} slow` : entry.check.lane
    let lane = lanes.get(name)
    if (!lane) {
      lane = { queue: [], head: 0, running: 0 }
      lanes.set(name, lane)
    }
    return lane
  }

  function enqueue(entry: Entry<Outcome>, dueAt: number): void {
    entry.state = 'waiting'
    entry.waitsSince = dueAt
    entry.ticket++
    laneOf(entry).queue.push({ entry, ticket: entry.ticket })
  }

  /** First place in the lane that still counts; edited, removed and hand-started checks leave void places behind. */
  function headOf(lane: Lane<Outcome>): Entry<Outcome> | null {
    for (let place = lane.queue[lane.head]; place; place = lane.queue[++lane.head]) {
      if (place.entry.state === 'waiting' && place.entry.ticket === place.ticket) return place.entry
    }
    lane.queue.length = 0
    lane.head = 0
    return null
  }

  /** The lane with the fewest runs that may have one more; among equals the one whose first check waits longest. */
  function pickLane(): { lane: Lane<Outcome>; entry: Entry<Outcome> } | null {
    const free = maxConcurrent - running
    let best: { lane: Lane<Outcome>; entry: Entry<Outcome> } | null = null
    for (const lane of lanes.values()) {
      if (lane.running >= LANE_SHARE * free) continue
      const entry = headOf(lane)
      if (!entry) continue
      const isBetter =
        !best ||
        lane.running < best.lane.running ||
        (lane.running === best.lane.running && (entry.waitsSince ?? 0) < (best.entry.waitsSince ?? 0))
      if (isBetter) best = { lane, entry }
    }
    return best
  }

  function pump(): void {
    if (isClosed) return
    while (running < maxConcurrent) {
      const place = byHand.shift()
      if (!place) break
      if (place.entry.state === 'waiting' && place.entry.ticket === place.ticket)
        start(place.entry, laneOf(place.entry))
    }
    if (isPaused) return
    while (running < maxConcurrent) {
      const picked = pickLane()
      if (!picked) return
      picked.lane.head++
      start(picked.entry, picked.lane)
    }
  }

  function proceed(): void {
    pump()
    arm()
  }

  function start(entry: Entry<Outcome>, lane: Lane<Outcome>): void {
    const { check } = entry
    const startedAt = clock.now()
    const startedMonotonic = clock.monotonic()
    if (entry.waitsSince !== null) {
      lateness[latenessCount++ % LATENESS_SAMPLES] = startedAt - entry.waitsSince
      // A first run, or one that makes up for a missed one, comes at any moment: its successor must not follow at once.
      const isPlanned = check.schedule.next(entry.waitsSince - 1, entry.phase) === entry.waitsSince
      plan(entry, isPlanned ? startedAt : startedAt + check.schedule.periodMs / 2)
    }
    entry.waitsSince = null
    entry.state = 'running'
    running++
    lane.running++
    started++

    const controller = new AbortController()
    let holdsSlot = true
    let cancelDeadline = clock.schedule(handleDeadline, check.deadlineMs)
    entry.abort = (reason) => controller.abort(reason)

    const releaseSlot = (): void => {
      if (!holdsSlot) return
      holdsSlot = false
      running--
      lane.running--
    }
    const conclude = (ending: RunEnding<Outcome>): void => {
      const durationMs = clock.monotonic() - startedMonotonic
      entry.wasSlow = durationMs > SLOW_AFTER_MS
      if (isClosed || entries.get(check.id) !== entry) return
      const run = { id: check.id, startedAt, durationMs, nextDueAt: nextDueAt(entry), ending }
      record(run)
      for (const resolve of entry.waiters.splice(0)) resolve(run)
    }
    function handleDeadline(): void {
      controller.abort(new Error(`deadline of ${check.deadlineMs} ms passed`))
      cancelDeadline = clock.schedule(handleGraceOver, graceMs)
    }
    function handleGraceOver(): void {
      timedOut++
      stuck++
      entry.state = 'stuck'
      releaseSlot()
      conclude({ kind: 'timed-out' })
      proceed()
    }
    const handleEnd = (ending: RunEnding<Outcome>): void => {
      cancelDeadline()
      entry.abort = null
      const isLate = entry.state === 'stuck'
      entry.state = 'idle'
      if (isLate) {
        // Its result was recorded as timed out; a second one for the same start would contradict it.
        stuck--
        return
      }
      releaseSlot()
      conclude(ending)
      if (entry.runsAgain && !isClosed && entries.get(check.id) === entry) {
        entry.runsAgain = false
        spread([entry], clock.now())
      }
      proceed()
    }
    const run = execute(check.id, controller.signal).then(
      (outcome) => handleEnd({ kind: 'finished', outcome }),
      (error: unknown) => handleEnd(controller.signal.aborted ? { kind: 'timed-out' } : { kind: 'failed', error }),
    )
    inFlight.add(run)
    void run.finally(() => inFlight.delete(run))
  }

  function toEntry(check: ScheduledCheck): Entry<Outcome> {
    const known = check.nextRuntime === null ? null : check.schedule.phaseOf(check.nextRuntime)
    return {
      check,
      phase: known ?? random(),
      dueAt: Infinity,
      queueIndex: -1,
      state: 'idle',
      wasSlow: false,
      runsAgain: false,
      waitsSince: null,
      ticket: 0,
      waiters: [],
      abort: null,
    }
  }

  function set(checks: readonly ScheduledCheck[]): void {
    if (isClosed) return
    const now = clock.now()
    const fresh: Entry<Outcome>[] = []
    for (const check of checks) {
      const entry = entries.get(check.id)
      if (!entry) {
        const added = toEntry(check)
        entries.set(check.id, added)
        if (keepsPlan(check, now)) plan(added, now)
        else fresh.push(added)
        continue
      }
      const isRescheduled = entry.check.schedule.text !== check.schedule.text
      entry.check = check
      if (isRescheduled) plan(entry, now)
    }
    spread(fresh, now)
    arm()
  }

  /** Makes the entries due soon, not all at once. */
  function spread(due: readonly Entry<Outcome>[], now: number): void {
    for (const entry of due) {
      const spreadMs = Math.min(entry.check.schedule.periodMs, due.length * SPREAD_PER_CHECK_MS)
      entry.dueAt = now + Math.floor(random() * spreadMs)
      dueQueue.put(entry)
    }
  }

  function metrics(): SchedulerMetrics {
    const now = clock.now()
    let due = 0
    let late = 0
    let oldestWaitMs = 0
    for (const entry of entries.values()) {
      if (entry.state !== 'waiting') continue
      due++
      const waitMs = entry.waitsSince === null ? 0 : now - entry.waitsSince
      if (waitMs > LATE_AFTER_MS) late++
      oldestWaitMs = Math.max(oldestWaitMs, waitMs)
    }
    const samples = lateness.slice(0, Math.min(latenessCount, LATENESS_SAMPLES)).toSorted()
    const at = (share: number): number => samples[Math.max(0, Math.ceil(share * samples.length) - 1)] ?? 0
    return {
      checks: entries.size,
      due,
      running,
      late,
      stuck,
      oldestWaitMs,
      latenessMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
      started,
      timedOut,
      skipped,
      clockSteps,
    }
  }

  return {
    set,
    remove: (id) => {
      const entry = entries.get(id)
      if (!entry) return
      entries.delete(id)
      dueQueue.remove(entry)
      if (entry.state === 'waiting') entry.state = 'idle'
      for (const resolve of entry.waiters.splice(0)) resolve(null)
      entry.abort?.(new Error('check was removed'))
    },
    runSoon: (ids) => {
      const edited = ids.flatMap((id) => entries.get(id) ?? [])
      for (const entry of edited) entry.runsAgain = entry.state === 'running'
      const idle = edited.filter((entry) => entry.state === 'idle')
      spread(idle, clock.now())
      arm()
    },
    has: (id) => entries.has(id),
    runNow: (id) => {
      const entry = entries.get(id)
      if (!entry || isClosed) return Promise.resolve(null)
      const { state } = entry
      if (state === 'stuck') {
        return Promise.resolve({
          id,
          startedAt: clock.now(),
          durationMs: 0,
          nextDueAt: nextDueAt(entry),
          ending: { kind: 'still-running' },
        })
      }
      return new Promise((resolve) => {
        entry.waiters.push(resolve)
        if (state === 'running') return
        entry.state = 'waiting'
        entry.ticket++
        byHand.push({ entry, ticket: entry.ticket })
        proceed()
      })
    },
    pause: () => {
      isPaused = true
      cancelTimer?.()
      cancelTimer = null
    },
    resume: () => {
      if (!isPaused) return
      isPaused = false
      const now = clock.now()
      const overdue = dueQueue.items().filter((entry) => entry.dueAt <= now)
      spread(overdue, now)
      proceed()
    },
    metrics,
    close: async () => {
      isClosed = true
      cancelTimer?.()
      cancelTimer = null
      for (const entry of entries.values()) {
        for (const resolve of entry.waiters.splice(0)) resolve(null)
        entry.abort?.(new Error('shutting down'))
      }
      await waitAtMost(clock, Promise.all(inFlight), graceMs)
      entries.clear()
    },
  }
}
