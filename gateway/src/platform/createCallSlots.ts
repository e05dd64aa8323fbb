// Shares capacity among callers: each has a limit of calls at once, and a caller who used up a lot waits before the next call begins.
// Calls wait in a short line; a caller who fills it is told to come back. Knows nothing of HTTP.
import {
  type CancelSignal,
  type Clock,
  createRateLimits,
  createTimer,
  type RateLimitPolicy,
} from '@watchroom/shared/kernel'

export interface CallSlotSettings {
  /** Calls of all callers that run at once; any number when absent. */
  readonly total?: number
  /** Of one caller. */
  readonly perCaller: number
  /** Calls of one caller that may wait; a page opens with a dozen. */
  readonly waitingPerCaller: number
  readonly waitingTotal?: number
  readonly maxWaitMs: number
  /** What the calls of one caller may cost, in the unit that `charge` is given; any number when absent. */
  readonly budget?: RateLimitPolicy
}

export type CallSlot =
  /** `leave` once, when the call has ended. */
  | { readonly kind: 'entered'; readonly leave: () => void }
  /** The caller has reached their limit of calls, or used up their budget, and waited in vain. */
  | { readonly kind: 'caller-busy' }
  | { readonly kind: 'all-busy' }
  /** The signal said that nobody waits any more. */
  | { readonly kind: 'gone' }

export interface CallSlots {
  enter(caller: string, signal: CancelSignal): Promise<CallSlot>
  /** What a call turned out to cost. A debt keeps the next ones of this caller waiting, never the one under way. */
  charge(caller: string, cost: number): void
}

interface Waiting {
  readonly caller: string
  readonly settle: (slot: CallSlot) => void
}

export function createCallSlots(clock: Clock, settings: CallSlotSettings): CallSlots {
  /** Calls that run, by caller. */
  const running = new Map<string, number>()
  let total = 0
  /** Oldest first. */
  const waiting = new Set<Waiting>()

  const maxTotal = settings.total ?? Infinity
  const maxWaiting = settings.waitingTotal ?? Infinity
  const budget = settings.budget && createRateLimits(clock, settings.budget)
  /** Set while a caller waits only for their budget: no other call's end would let them in. */
  const refill = createTimer(clock)

  const countOf = (caller: string): number => running.get(caller) ?? 0
  const debtMs = (caller: string): number => budget?.waitMs(caller) ?? 0
  const isFree = (caller: string): boolean =>
    total < maxTotal && countOf(caller) < settings.perCaller && debtMs(caller) === 0

  const start = (caller: string): CallSlot => {
    total += 1
    running.set(caller, countOf(caller) + 1)
    let hasLeft = false
    return {
      kind: 'entered',
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        total -= 1
        const left = countOf(caller) - 1
        if (left === 0) running.delete(caller)
        else running.set(caller, left)
        letIn()
      },
    }
  }

  /** The caller with the fewest calls under way comes first: one caller's crowd does not stand in front of another caller. */
  const letIn = (): void => {
    for (;;) {
      let next: Waiting | null = null
      for (const entry of waiting) {
        if (isFree(entry.caller) && (!next || countOf(entry.caller) < countOf(next.caller))) next = entry
      }
      if (!next) return planRefill()
      next.settle(start(next.caller))
    }
  }

  const planRefill = (): void => {
    let soonestMs = Infinity
    for (const { caller } of waiting) {
      const waitMs = debtMs(caller)
      if (waitMs > 0) soonestMs = Math.min(soonestMs, waitMs)
    }
    if (soonestMs === Infinity) refill.clear()
    else refill.set(letIn, soonestMs)
  }

  const refusalFor = (caller: string): CallSlot =>
    countOf(caller) >= settings.perCaller || debtMs(caller) > 0 ? { kind: 'caller-busy' } : { kind: 'all-busy' }

  return {
    charge: (caller, cost) => budget?.take(caller, cost),
    enter: (caller, signal) => {
      if (signal.aborted) return Promise.resolve({ kind: 'gone' })
      if (isFree(caller)) return Promise.resolve(start(caller))
      const ownWaiting = [...waiting].filter((entry) => entry.caller === caller).length
      if (ownWaiting >= settings.waitingPerCaller || waiting.size >= maxWaiting) {
        return Promise.resolve(refusalFor(caller))
      }
      return new Promise((resolve) => {
        const timer = createTimer(clock)
        const handleAbort = (): void => entry.settle({ kind: 'gone' })
        const entry: Waiting = {
          caller,
          settle: (slot) => {
            waiting.delete(entry)
            timer.clear()
            if (waiting.size === 0) refill.clear()
            signal.removeEventListener('abort', handleAbort)
            resolve(slot)
          },
        }
        waiting.add(entry)
        signal.addEventListener('abort', handleAbort, { once: true })
        timer.set(() => entry.settle(refusalFor(caller)), settings.maxWaitMs)
        planRefill()
      })
    },
  }
}
