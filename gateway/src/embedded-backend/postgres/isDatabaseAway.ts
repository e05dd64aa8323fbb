/** Codes of Node's sockets and of PostgreSQL (class 08, and 57P01 to 57P03: shut down, crashed, starting up). */
const AWAY_CODES = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'])

/** Whether an error of `pg` means that the server is being restarted: the caller may try again in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY_CODES.has(code) || code.startsWith('08') || error.message.startsWith('Connection terminated')
}
