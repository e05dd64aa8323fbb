// How much of a check's result is kept: a script may print anything. Our own agent sends no more, and the store of our own runs keeps no
// more; what other agents push is kept whole, and boards and messages tell this much of it.
import { clip } from '../kernel/index.ts'

/** A page of text, with the mark of what was cut off. */
export const MAX_RESULT_TEXT_LENGTH = 8_192
/** Of the details, as JSON. */
export const MAX_DETAILS_LENGTH = 65_536

/** Ends with `…` where something was cut off. */
export const toBoundedText = (text: string): string =>
  text.length <= MAX_RESULT_TEXT_LENGTH ? text : `${clip(text, MAX_RESULT_TEXT_LENGTH - 1)}…`

/** Whole milliseconds. At least 1: zero means "not measured" to readers of the summary. */
export const toStoredDuration = (durationMs: number): number => Math.max(1, Math.round(durationMs))
