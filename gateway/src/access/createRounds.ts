// Questions about several people at about the same time share the gateway's own counts. It counts before it asks as them and again when
// they are answered: rows that come or go between two counts would make a part look like the whole.
import { type Clock, createTimer, type Timer } from '@watchroom/shared/kernel'

/** A round of more begins at once: whoever is asked last must still be asked with the gateway. */
const MAX_MEMBERS = 20
/** Nobody waits longer for others of a round whose answers are late. */
const LATE_MS = 50

/** Sources that are one row at most. */
const OF_ONE_ROW = /\?id=eq\.[\w-]+$/

/** What someone was told, and the gateway before and after it. */
export interface Counts<Count> {
  readonly before: Count
  readonly own: Count
  readonly after: Count
}

export interface Rounds<Count> {
  /**
   * Counts as someone, and as the gateway before and after that. A source of one row by its ID is counted once as each, at the same
   * time: no other row can take its place.
   *
   * @param withinMs how long this may wait for others; 0 begins the round, with all who wait
   */
  join(source: string, countOwn: () => Promise<Count>, withinMs: number): Promise<Counts<Count>>
  close(): void
}

interface Round<Count> {
  readonly members: {
    readonly countOwn: () => Promise<Count>
    readonly resolve: (counts: Promise<Counts<Count>>) => void
  }[]
  readonly timer: Timer
}

export function createRounds<Count>(countWhole: (source: string) => Promise<Count>, clock: Clock): Rounds<Count> {
  const waiting = new Map<string, Round<Count>>()

  const begin = (source: string, { members, timer }: Round<Count>): void => {
    waiting.delete(source)
    timer.clear()
    const before = countWhole(source)
    const last = createLastCount(members.length, () => countWhole(source), timer)
    const countBeside = async (countOwn: () => Promise<Count>): Promise<Counts<Count>> => {
      const [own, whole] = await Promise.all([countOwn(), before])
      return { before: whole, own, after: whole }
    }
    const countAround = async (countOwn: () => Promise<Count>): Promise<Counts<Count>> => {
      const first = await before
      const own = await countOwn().catch((error: unknown): never => {
        last.leave()
        throw error
      })
      return { before: first, own, after: await last.take() }
    }
    const take = OF_ONE_ROW.test(source) ? countBeside : countAround
    for (const { countOwn, resolve } of members) resolve(take(countOwn))
  }

  return {
    join: (source, countOwn, withinMs) =>
      new Promise((resolve) => {
        const round = waiting.get(source) ?? { members: [], timer: createTimer(clock) }
        waiting.set(source, round)
        round.members.push({ countOwn, resolve })
        if (withinMs === 0 || round.members.length === MAX_MEMBERS) begin(source, round)
        else if (!round.timer.isSet()) round.timer.set(() => begin(source, round), withinMs)
      }),
    close: () => {
      // Nobody is left waiting for an answer.
      for (const [source, round] of waiting) begin(source, round)
    },
  }
}

/** One count for all of a round, begun when the last of them was answered or gave up, or soon after the first was. */
function createLastCount<Count>(members: number, count: () => Promise<Count>, timer: Timer) {
  let unanswered = members
  const ready: ((counted: Promise<Count>) => void)[] = []

  const begin = (): void => {
    timer.clear()
    const counted = count()
    for (const resolve of ready.splice(0)) resolve(counted)
  }
  const leave = (): void => {
    unanswered -= 1
    if (ready.length === 0) return
    if (unanswered === 0) begin()
    else if (!timer.isSet()) timer.set(begin, LATE_MS)
  }
  return {
    take: () =>
      new Promise<Count>((resolve) => {
        ready.push(resolve)
        leave()
      }),
    leave,
  }
}
