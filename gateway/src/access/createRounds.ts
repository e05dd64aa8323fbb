// Questions about several people at about the same time share the gateway's own count. Both counts are taken at one moment: rows that
// appear in between would make a part look like the whole.
import { type Clock, createTimer, type Timer } from '@watchroom/shared/kernel'

/** A round of more begins at once: whoever is asked last must still be asked with the gateway. */
const MAX_MEMBERS = 20

export interface Rounds<Count> {
  /**
   * Counts twice, as someone and as the gateway.
   *
   * @param withinMs how long this may wait for others; 0 begins the round, with all who wait
   */
  join(source: string, countOwn: () => Promise<Count>, withinMs: number): Promise<[own: Count, whole: Count]>
  close(): void
}

interface Round<Count> {
  readonly members: {
    readonly countOwn: () => Promise<Count>
    readonly resolve: (counts: Promise<[own: Count, whole: Count]>) => void
  }[]
  readonly timer: Timer
}

export function createRounds<Count>(countWhole: (source: string) => Promise<Count>, clock: Clock): Rounds<Count> {
  const waiting = new Map<string, Round<Count>>()

  const begin = (source: string, { members, timer }: Round<Count>): void => {
    waiting.delete(source)
    timer.clear()
    const asked = members.map(({ countOwn, resolve }) => ({ own: countOwn(), resolve }))
    // Last, so that rows that appear meanwhile look hidden, never the other way round.
    const whole = countWhole(source)
    for (const { own, resolve } of asked) resolve(Promise.all([own, whole]))
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
