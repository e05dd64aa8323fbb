// Which person writes under which client id of a document. Each page that writes brings a new one, and each id is part of every
// question for what is missing and of every change that is applied, for ever: therefore they are counted (COLLAB-11, COLLAB-25).

import type { Clock } from '@watchroom/shared/kernel'

export const CLIENT_ID_LIMITS = {
  /** New ones of a person in a document at once: pages that come back with what was typed offline in many others. */
  atOnce: 200,
  perMinute: 30,
  /** Of a person, until the document continues in another epoch. */
  perPerson: 2_000,
  /** Of everyone: from here on the document is worth continuing in another epoch, which needs none of them. */
  crowded: 4_000,
  /** The same when it is opened, where nobody is disturbed by it. */
  crowdedAtOpening: 1_000,
} as const

export interface ClientIds {
  ownerOf(clientId: number): string | undefined
  /** Whether a person may begin to write under so many more. */
  mayClaim(userId: string, count: number): boolean
  /** They are the person's from now on. */
  claim(userId: string, clientIds: readonly number[]): void
  readonly size: number
}

interface Allowance {
  total: number
  left: number
  refilledAt: number
}

export function createClientIds(deps: { clock: Clock; known: ReadonlyMap<number, string> }): ClientIds {
  const { clock } = deps
  const owners = new Map(deps.known)
  /** By person; as many as people wrote in this epoch. */
  const allowances = new Map<string, Allowance>()
  const allowanceOf = (userId: string): Allowance => {
    const now = clock.monotonic()
    const found = allowances.get(userId) ?? { total: 0, left: CLIENT_ID_LIMITS.atOnce, refilledAt: now }
    allowances.set(userId, found)
    found.left = Math.min(
      CLIENT_ID_LIMITS.atOnce,
      found.left + ((now - found.refilledAt) / 60_000) * CLIENT_ID_LIMITS.perMinute,
    )
    found.refilledAt = now
    return found
  }
  for (const userId of owners.values()) allowanceOf(userId).total += 1

  return {
    ownerOf: (clientId) => owners.get(clientId),
    mayClaim: (userId, count) => {
      if (count === 0) return true
      const { left, total } = allowanceOf(userId)
      return count <= left && total + count <= CLIENT_ID_LIMITS.perPerson
    },
    claim: (userId, clientIds) => {
      if (clientIds.length === 0) return
      const allowance = allowanceOf(userId)
      allowance.left -= clientIds.length
      allowance.total += clientIds.length
      for (const clientId of clientIds) owners.set(clientId, userId)
    },
    get size() {
      return owners.size
    },
  }
}
