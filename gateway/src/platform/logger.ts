import { type DestinationStream, type Level, type Logger, pino, stdSerializers } from 'pino'

import { standardOutput } from './createLogOutput.ts'
import { redactDetail } from './database/redactDatabaseError.ts'

export type { Logger } from 'pino'

export type LogLevel = Level | 'silent'

/** Header and field names whose value is a secret wherever they are logged. */
const SECRET_FIELDS = ['cookie', 'authorization', 'x-session-token', 'set-cookie', 'password', 'token', 'access_token']
/** pino matches paths, not names: the field itself, one and two levels down cover everything that is logged here. */
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`])

/** Query values that are credentials: links in mails, invitations, what providers send people back with, webhook tokens. */
const SECRET_QUERY = /([?&](?:[\w.-]*token|code|password|flow|invitation)=)[^&#]*/gi

/** A URL that may be logged: credentials in its query are masked. */
export const redactUrl = (url: string): string => url.replace(SECRET_QUERY, '$1[redacted]')

/** PostgreSQL's details quote whole rows, and a row may hold a password. */
function serializeError(error: Error): unknown {
  const logged: unknown = stdSerializers.err(error)
  if (typeof logged !== 'object' || logged === null || !('detail' in logged)) return logged
  return { ...logged, detail: redactDetail(logged.detail), where: undefined }
}

/** What the product's own log keeps, however little is printed. */
const OWN_LEVEL = 'info'

/**
 * Structured log of the process: one JSON line per event, secrets removed before they are written.
 *
 * @param options.ownLog gets every line from `info` on, unless the level is `silent`
 */
export function createLogger(options: {
  level: LogLevel
  destination?: DestinationStream
  ownLog?: DestinationStream
}): Logger {
  const { level, ownLog } = options
  const isKept = ownLog !== undefined && level !== 'silent'
  const settings = {
    level: isKept && !['trace', 'debug'].includes(level) ? OWN_LEVEL : level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    serializers: {
      err: serializeError,
      req: (request: { method?: string; url?: string; id?: unknown }) => ({
        id: request.id,
        method: request.method,
        url: redactUrl(request.url ?? ''),
      }),
      res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
    },
  }
  const destination = options.destination ?? standardOutput()
  if (!isKept) return pino(settings, destination)
  const streams = [
    { level, stream: destination },
    { level: OWN_LEVEL, stream: ownLog },
  ] as const
  return pino(settings, pino.multistream([...streams]))
}
