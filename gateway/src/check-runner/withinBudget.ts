import { createContext, Script } from 'node:vm'

/** All other checks run on the same event loop: what people wrote must not hold it up. */
const BUDGET_MS = 100
/** V8 counts the time of day. Work that a busy machine hardly let run in that time is begun anew. */
const MAX_TRIES = 4

const SCRIPT = new Script('work()')
/** Making one takes longer than most work does; what was ended within one gets no other work. */
let context = createContext({})

/** `starved`: the machine hardly let the work run, which says nothing about the work. */
export type Budgeted<Found> = { readonly found: Found } | { readonly ended: 'too long' | 'starved' }

/**
 * The result of `work`, unless it takes too long. V8 ends it then wherever it is, a regular expression included, so it must leave
 * nothing half done that is used again.
 *
 * @throws what `work` throws
 */
export function withinBudget<Found>(work: () => Found): Budgeted<Found> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = process.cpuUsage()
    try {
      context['work'] = work
      return { found: SCRIPT.runInContext(context, { timeout: BUDGET_MS }) as Found }
    } catch (error) {
      if (!isTimeout(error)) throw error
      context = createContext({})
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1_000 > BUDGET_MS / 2) return { ended: 'too long' }
    }
  }
  return { ended: 'starved' }
}

/** Not necessarily an `Error` of ours: it is made by the context in which the work ran. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
