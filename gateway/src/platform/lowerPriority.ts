import type { ChildProcess } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** About a tenth of everyone else's share when processors are short: such work goes on, but holds up nobody. */
export const LOW_PRIORITY = 10

/**
 * Lets everyone else go before a child of ours. It must have been started `detached`: Linux shares the processors out among sessions
 * before it looks at processes, and a session of its own can be given less.
 */
export function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  for (const thread of threadsOf(pid)) attempt(() => setPriority(thread, LOW_PRIORITY))
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY)))
}

/** Linux counts each thread for itself; elsewhere the process speaks for all of them. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

/** It may be gone already, and not every kernel has groups: the work is done either way. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Nothing depends on it.
  }
}
