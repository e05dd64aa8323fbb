// Shared by everything that evaluates the Common Expression Language with cel-js.
import { evaluate } from '@marcbachmann/cel-js'

/** Type of lengths of time. */
export const DURATION = 'google.protobuf.Duration'

/** A length of time as expressions compare it: `elapsed < duration('500ms')`. */
export const toDuration = (ms: number): unknown => evaluate(`duration('${Math.max(0, Math.round(ms))}ms')`)

/**
 * The library's errors carry a line of source and a caret behind the sentence.
 *
 * @param otherwise for what is no error
 */
export function sentenceOf(error: unknown, otherwise: string): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : otherwise
}
