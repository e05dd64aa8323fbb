import { type CheckFacts, WAITING_STATUS, WAITING_TEXT } from '@watchroom/shared/health'

/** What a failing check said last, on one line, or what a new one waits for; null where there is nothing to say. */
export function toWhy({ health, row }: Pick<CheckFacts, 'health' | 'row'>): string | null {
  if (row.status === WAITING_STATUS) return WAITING_TEXT
  if (health !== 'unhealthy') return null
  const reason = row.last_error?.replaceAll(/\s+/g, ' ').trim()
  return reason ? reason : null
}
