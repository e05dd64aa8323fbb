// Ids of what the upstream has, or may have, of this agent: noted before anything is sent, so that what goes away here can be
// deleted there.
import type { PushedIds } from './dataDirectory.ts'

export const NO_IDS: PushedIds = { canaries: [], checks: [] }

export const together = (some: PushedIds, others: PushedIds): PushedIds => ({
  canaries: [...new Set([...some.canaries, ...others.canaries])],
  checks: [...new Set([...some.checks, ...others.checks])],
})

export function without(some: PushedIds, others: PushedIds): PushedIds {
  const [canaries, checks] = [new Set(others.canaries), new Set(others.checks)]
  return {
    canaries: some.canaries.filter((id) => !canaries.has(id)),
    checks: some.checks.filter((id) => !checks.has(id)),
  }
}

/**
 * What the upstream has once it knows what is defined here.
 *
 * @param noted as of now: what was defined while the upstream was told stays noted, because it is sent next
 * @param settled `live` is what the upstream was told of, `gone` what it deleted
 */
export const afterSettling = (
  noted: PushedIds,
  { live, gone }: { readonly live: PushedIds; readonly gone: PushedIds },
): PushedIds => together(live, without(noted, gone))
