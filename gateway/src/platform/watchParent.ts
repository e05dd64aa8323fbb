import type { Clock } from '@watchroom/shared/kernel'

const LOOK_MS = 500
/** Scripts of ours whose shell becomes the program, so that its parent is npm itself. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(['start', 'agent'])

/**
 * Notices when npm, which started this process, has ended without telling it: npm passes on some signals, and none when it is killed.
 * Any other parent may well end before this process.
 */
export function watchParent(clock: Clock, env: Readonly<Record<string, string | undefined>>, onGone: () => void): void {
  if (!SCRIPTS.has(env.npm_lifecycle_event)) return
  const parent = process.ppid
  const look = (): void => {
    if (process.ppid === parent) clock.schedule(look, LOOK_MS)
    else onGone()
  }
  look()
}
