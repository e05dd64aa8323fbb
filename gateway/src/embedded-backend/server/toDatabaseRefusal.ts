import { redactMessage } from '../../platform/database/redactDatabaseError.ts'
import { SQL_STATE } from '../../platform/database/sqlState.ts'

const CONFLICTS = new Set<string>([
  SQL_STATE.uniqueViolation,
  SQL_STATE.foreignKeyViolation,
  SQL_STATE.exclusionViolation,
])
/** Values that are no values of their column (class 22), rules that a row breaks, and what is larger than an index takes. */
const INVALID = /^(?:22|23|54)/

/** What the caller sent and the database did not take; null for every other error, which is the backend's own. */
export function toDatabaseRefusal(error: unknown): { status: number; error: string } | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  if (!('severity' in error) || !INVALID.test(error.code)) return null
  return { status: CONFLICTS.has(error.code) ? 409 : 400, error: redactMessage(error.code, error.message) }
}
