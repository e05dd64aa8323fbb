import type { CheckFacts } from '@watchroom/shared/health'

/** What a failing check said last, on one line; null where it does not fail or did not say. */
export function toWhy({ health, row }: Pick<CheckFacts, 'health' | 'row'>): string | null {
  if (health !== 'unhealthy') return null
  const reason = row.last_error?.replaceAll(/\s+/g, ' ').trim()
  return reason ? reason : null
}
