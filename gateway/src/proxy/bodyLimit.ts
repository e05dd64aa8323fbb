const KIB = 1_024

/** The largest canary or playbook people write by hand is a hundredth of this. */
export const MAX_BODY_BYTES = 1_024 * KIB

/** What an agent of the real product can be set to send at once. It is passed on as it comes and never held as a whole. */
export const MAX_AGENT_BODY_BYTES = 32 * MAX_BODY_BYTES
const AGENT_BODY = /^\/(?:upstream\/(?:push|artifacts\/[^/]+)|push\/topology)$/

/** Definitions, rows, what other programs send, and pages of logs (`logQuery`); everything else is a form or a question. */
const LARGE = [
  '/db/',
  '/upstream/',
  '/playbook/',
  '/canary/webhook/',
  '/canary/api/try',
  '/config/',
  '/apm/',
  '/kubeproxy/',
  '/debug/',
  '/logs',
]
const SMALL = ['/db/rpc/', '/canary/api/summary']

/** How much of a body a route reads. @param path of the backend, without query */
export function bodyLimit(path: string): number {
  if (AGENT_BODY.test(path)) return MAX_AGENT_BODY_BYTES
  const isOneOf = (starts: readonly string[]): boolean => starts.some((start) => path.startsWith(start))
  if (isOneOf(SMALL)) return 16 * KIB
  return isOneOf(LARGE) ? MAX_BODY_BYTES : 64 * KIB
}
