const KIB = 1_024

/** The largest canary or playbook people write by hand is a hundredth of this. */
export const MAX_BODY_BYTES = 1_024 * KIB

/** Definitions, rows, and what other programs send; everything else is a form or a question. */
const LARGE = [
  '/db/',
  '/upstream/',
  '/push/',
  '/playbook/',
  '/canary/webhook/',
  '/canary/api/try',
  '/config/',
  '/apm/',
  '/kubeproxy/',
  '/debug/',
]
const SMALL = ['/db/rpc/', '/canary/api/summary']

/** How much of a body a route reads. @param path of the backend, without query */
export function bodyLimit(path: string): number {
  const isOneOf = (starts: readonly string[]): boolean => starts.some((start) => path.startsWith(start))
  if (isOneOf(SMALL)) return 16 * KIB
  return isOneOf(LARGE) ? MAX_BODY_BYTES : 64 * KIB
}
