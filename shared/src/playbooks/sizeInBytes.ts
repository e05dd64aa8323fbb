// Sizes in memory as parameters have them: a number with its unit.
import { tryParseByteSize } from '../kernel/index.ts'

export const SIZE = /^\d+(?:\.\d+)?(?:Mi|Gi|Ti)$/

/** Null where the text is no size. */
export const tryParseSize = (text: string): number | null => (SIZE.test(text) ? tryParseByteSize(text) : null)
