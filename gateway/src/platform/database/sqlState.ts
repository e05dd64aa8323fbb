/** What PostgreSQL calls the errors that we decide on (SQLSTATE). */
export const SQL_STATE = {
  textTooLong: '22001',
  characterNotStorable: '22021',
  invalidText: '22P02',
  untranslatableCharacter: '22P05',
  notNullViolation: '23502',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  checkViolation: '23514',
  exclusionViolation: '23P01',
  cardinalityViolation: '21000',
  insufficientPrivilege: '42501',
  duplicateDatabase: '42P04',
} as const
export type SqlState = (typeof SQL_STATE)[keyof typeof SQL_STATE]

/** Whether an error of the database is this one. */
export function hasSqlState(error: unknown, state: SqlState): error is Error & { readonly code: SqlState } {
  return error instanceof Error && 'code' in error && error.code === state
}

export const isUniqueViolation = (error: unknown): error is Error => hasSqlState(error, SQL_STATE.uniqueViolation)

/** The data is at fault (classes 21 to 23): it fails as well when it is tried again. */
export const isDataFault = (error: unknown): boolean => /^2[123]/.test(codeOf(error))

/** Deadlock or serialization failure (class 40): the other side went through, so trying again does. */
export const isTransient = (error: unknown): boolean => codeOf(error).startsWith('40')

/** Codes of Node's sockets and of PostgreSQL (class 08, and 57P01 to 57P03: shut down, crashed, starting up). */
const AWAY_CODES = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'])

/** Whether an error of `pg` means that the server is being restarted: the caller may try again in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (AWAY_CODES.has(code) || code.startsWith('08')) return true
  return error instanceof Error && error.message.startsWith('Connection terminated')
}

/** Empty where there is none. */
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
