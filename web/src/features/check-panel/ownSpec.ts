import { ownValue } from '@watchroom/shared/kernel'

import { isRecord } from './isRecord.ts'

/** Fields of a canary that its checks take over. */
const INHERITED = ['interval', 'schedule', 'severity', 'owner', 'icon'] as const

interface NamedCheck {
  name: string
  type: string
  /** The check's own specification as the backend stored it; absent on some backends. */
  spec?: unknown
}

/**
 * The part of a canary's spec that makes this check: its own entry, and what it takes over from the canary. It is a canary
 * spec itself, so that it can be pasted where one is expected.
 *
 * @returns null when neither knows the check; a canary that made its checks by other means has no entry for them
 */
export function toOwnSpec(check: NamedCheck, canarySpec: unknown): Record<string, unknown> | null {
  const canary = isRecord(canarySpec) ? canarySpec : {}
  const inherited = Object.fromEntries(
    INHERITED.filter((key) => canary[key] !== undefined && canary[key] !== null && canary[key] !== '').map((key) => [
      key,
      canary[key],
    ]),
  )
  const own = findEntry(check, ownValue(canary, check.type)) ?? (isEmpty(check.spec) ? null : check.spec)
  return own === null ? null : { ...inherited, [check.type]: [own] }
}

function findEntry({ name }: NamedCheck, list: unknown): unknown {
  if (!Array.isArray(list)) return undefined
  const entries: unknown[] = list
  const named = entries.find((entry) => isRecord(entry) && entry['name'] === name)
  if (named !== undefined) return named
  // Without a name of its own a check is called after what it talks to; alone of its type, there is no doubt which it is.
  const [only] = entries
  return entries.length === 1 && isRecord(only) && only['name'] === undefined ? only : undefined
}

const isEmpty = (spec: unknown): boolean => !isRecord(spec) || Object.keys(spec).length === 0
