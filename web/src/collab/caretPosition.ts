import { fromBase64, toBase64 } from 'lib0/buffer'
import * as Y from 'yjs'

/** A position in a text that stays between the same characters while others edit, encoded for presence. */
export function encodeCaret(text: Y.Text, index: number): string {
  return toBase64(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, index)))
}

/** Index of a position in the text; null when it is in another text, or not a position. */
export function tryDecodeCaret(text: Y.Text, caret: string | undefined): number | null {
  if (caret === undefined || text.doc === null) return null
  try {
    const position = Y.decodeRelativePosition(fromBase64(caret))
    const absolute = Y.createAbsolutePositionFromRelativePosition(position, text.doc)
    return absolute?.type === text ? absolute.index : null
  } catch {
    // Not a position: another program's presence.
    return null
  }
}
