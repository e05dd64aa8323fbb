import { tryParseDuration } from './duration.ts'

/** A century. Moments this far from now are still dates everywhere. */
const LONGEST_MS = 100 * 365 * 86_400_000

/** Whether the text is a duration that someone can mean: with enough digits one has no end. */
export function isDuration(text: string): boolean {
  const ms = tryParseDuration(text)
  return ms !== null && ms <= LONGEST_MS
}
