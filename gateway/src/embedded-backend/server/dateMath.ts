import { resolveTimeExpression, tryParseTimeExpression } from '@watchroom/shared/time'

/**
 * Reads date math as filters write it: `now-2d`, `now/d`, `2026-01-01||+1M/d`, or a plain timestamp. UTC.
 *
 * @returns null when it cannot be read
 */
export function tryParseDateMath(text: string, now: number): Date | null {
  const expression = tryParseTimeExpression(text)
  return expression.ok ? new Date(resolveTimeExpression(expression.value, { now, zone: 'UTC' })) : null
}
