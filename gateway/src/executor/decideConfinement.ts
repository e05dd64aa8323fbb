import type { Confinement } from './contract.ts'
// Which confinement this machine allows. Pure but for the probe, which tries one for real.
import type { ShellUser } from './shellPrograms.ts'

export interface ConfinementProbe {
  readonly platform: NodeJS.Platform
  /** Of this process. */
  readonly ownUid: number
  /** Runs a program confined so. @returns null when it did, else why not */
  tryNamespaces(user: ShellUser | null): Promise<string | null>
  tryUser(user: ShellUser): Promise<string | null>
}

/**
 * @param user whom programs run as when this process is root
 * @param taken uids whose files and processes programs must not reach
 */
export async function decideConfinement(
  probe: ConfinementProbe,
  user: ShellUser,
  taken: ReadonlySet<number>,
): Promise<Confinement> {
  if (probe.platform !== 'linux')
    return off(`there is nothing to confine them with on ${probe.platform}, only on Linux`)
  if (probe.ownUid !== 0) {
    const reason = await probe.tryNamespaces(null)
    return reason === null ? { kind: 'namespaces' } : off(`this user cannot make namespaces: ${reason}`)
  }
  if (user.uid === 0) return off('WATCHROOM_EXEC_USER is root')
  if (taken.has(user.uid)) return off(`WATCHROOM_EXEC_USER is ${user.uid}, the user that PostgreSQL runs as`)
  const reason = await probe.tryNamespaces(user)
  if (reason === null) return { kind: 'user-and-namespaces', uid: user.uid }
  const problem = await probe.tryUser(user)
  return problem === null
    ? { kind: 'user', uid: user.uid, reason }
    : off(`they cannot be run as the user ${user.uid}: ${problem}`)
}

const off = (reason: string): Confinement => ({ kind: 'off', reason })
