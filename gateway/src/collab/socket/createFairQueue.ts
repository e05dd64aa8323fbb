// Whose frames are read next. Whoever sends much waits for themselves: everyone else's frames are read at once, and no turn of
// the event loop is spent on frames for long (COLLAB-24).

import { type Clock, createTimer } from '@watchroom/shared/kernel'

/** Of one turn of the event loop; a single frame may take longer, but then it is the last of its turn. */
const TURN_MS = 8
/** A person whose frame took longer than this waits for as long again before the next one. */
const CHEAP_MS = 2
/** Weight of frames that a person may send in a second over all connections, and at once. 60 people who type and move are below. */
const WEIGHT_PER_S = 2_000
const WEIGHT_AT_ONCE = 4_000
/** People are forgotten in sweeps, when twice as many are known as after the last one. */
const MIN_SWEEP = 256

export interface FairQueue {
  /**
   * Carries a task out in the order of its lane: at once, unless its person has used up their share or this turn is over.
   *
   * @param lane one connection; those of one person take turns too
   */
  add(person: string, lane: object, weight: number, task: () => void): void
  /** Tasks that wait in a lane. */
  waiting(lane: object): number
  close(): void
}

interface Task {
  readonly weight: number
  readonly run: () => void
}

interface Person {
  /** Those in which something waits, next one first. */
  readonly lanes: Map<object, Task[]>
  weight: number
  refilledAt: number
  /** Monotonic; nothing of theirs is read before. */
  restsUntil: number
}

export function createFairQueue(deps: { clock: Clock }): FairQueue {
  const { clock } = deps
  const people = new Map<string, Person>()
  /** Those of whom something waits, next one first. */
  const queue = new Set<Person>()
  const waitingIn = new WeakMap<object, Task[]>()
  const timer = createTimer(clock)
  let spentMs = 0
  let isTurnOpen = false
  let isClosed = false
  let sweepAt = MIN_SWEEP

  const refill = (person: Person, now: number): void => {
    const gained = ((now - person.refilledAt) / 1_000) * WEIGHT_PER_S
    person.weight = Math.min(WEIGHT_AT_ONCE, person.weight + gained)
    person.refilledAt = now
  }

  /** Milliseconds until a person may go on; 0 when at once. */
  const waitOf = (person: Person, now: number): number => {
    refill(person, now)
    const weightMs = person.weight > 0 ? 0 : ((1 - person.weight) / WEIGHT_PER_S) * 1_000
    return Math.max(0, person.restsUntil - now, weightMs)
  }

  const run = (person: Person, task: Task): void => {
    openTurn()
    const startedAt = clock.monotonic()
    person.weight -= task.weight
    task.run()
    const now = clock.monotonic()
    const tookMs = now - startedAt
    spentMs += tookMs
    if (tookMs > CHEAP_MS) person.restsUntil = now + tookMs
  }

  /** Whatever is run belongs to a turn, which ends when the loop has looked at the network again. */
  const openTurn = (): void => {
    if (isTurnOpen || isClosed) return
    isTurnOpen = true
    setImmediate(() => {
      isTurnOpen = false
      spentMs = 0
      serve()
    })
  }

  const takeNext = (person: Person): Task | undefined => {
    const [next] = person.lanes
    if (!next) return undefined
    const [lane, tasks] = next
    const task = tasks.shift()
    person.lanes.delete(lane)
    if (tasks.length > 0) person.lanes.set(lane, tasks)
    return task
  }

  /** One task of each person in turn, until nobody may go on or the turn is over. */
  const serve = (): void => {
    if (isClosed || queue.size === 0) return
    let waitMs = Number.POSITIVE_INFINITY
    let sinceServed = 0
    for (const person of queue) {
      if (spentMs >= TURN_MS) {
        waitMs = 0
        break
      }
      const ownWaitMs = waitOf(person, clock.monotonic())
      queue.delete(person)
      if (ownWaitMs === 0) {
        sinceServed = 0
        const task = takeNext(person)
        // Behind everyone else; a set goes on to what is added while it is walked through.
        if (person.lanes.size > 0) queue.add(person)
        if (task) run(person, task)
        continue
      }
      waitMs = Math.min(waitMs, ownWaitMs)
      queue.add(person)
      sinceServed += 1
      if (sinceServed >= queue.size) break
    }
    if (queue.size === 0) return
    if (waitMs === 0) openTurn()
    else timer.set(serve, Math.max(1, waitMs))
  }

  const find = (id: string): Person => {
    const known = people.get(id)
    if (known) return known
    if (people.size >= sweepAt) sweep()
    const person = { lanes: new Map(), weight: WEIGHT_AT_ONCE, refilledAt: clock.monotonic(), restsUntil: 0 }
    people.set(id, person)
    return person
  }

  /** Whoever has their whole share again and waits for nothing is like someone who was never here. */
  const sweep = (): void => {
    const now = clock.monotonic()
    for (const [id, person] of people) {
      refill(person, now)
      if (person.lanes.size === 0 && person.weight >= WEIGHT_AT_ONCE && person.restsUntil <= now) people.delete(id)
    }
    sweepAt = Math.max(MIN_SWEEP, 2 * people.size)
  }

  return {
    add: (id, lane, weight, task) => {
      if (isClosed) return
      const person = find(id)
      const mayRun = person.lanes.size === 0 && spentMs < TURN_MS && waitOf(person, clock.monotonic()) === 0
      if (mayRun) return run(person, { weight, run: task })
      const tasks = waitingIn.get(lane) ?? []
      tasks.push({ weight, run: task })
      waitingIn.set(lane, tasks)
      person.lanes.set(lane, tasks)
      queue.add(person)
      if (spentMs >= TURN_MS) openTurn()
      else if (!timer.isSet()) timer.set(serve, Math.max(1, waitOf(person, clock.monotonic())))
    },
    waiting: (lane) => waitingIn.get(lane)?.length ?? 0,
    close: () => {
      isClosed = true
      timer.clear()
      queue.clear()
      people.clear()
    },
  }
}
