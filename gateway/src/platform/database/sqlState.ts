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
