import type { IncomingMessage } from 'node:http'

import { judgeOrigin } from '../platform/sameOrigin.ts'

// Who may open a socket at all, judged before the upgrade: browsers attach cookies to WebSockets of foreign pages, and CORS
// does not apply to them.

/** Programs identify themselves by this header, which a foreign page cannot set on a WebSocket. */
const PROGRAM_HEADER = 'x-session-token'

/** Whether the upgrade comes from a page of this server or from a program (LIVE-51). */
export function isAdmissible(request: IncomingMessage, trustProxy: boolean): boolean {
  const forwarded = trustProxy ? request.headers['x-forwarded-host'] : undefined
  const host = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim() ?? request.headers.host
  if (host === undefined) return false
  // Sec-Fetch-Site alone does not admit: every browser sends Origin with a WebSocket, so its absence is suspicious.
  if (request.headers.origin === undefined) return request.headers[PROGRAM_HEADER] !== undefined
  return judgeOrigin(request.headers, host) === 'same'
}
