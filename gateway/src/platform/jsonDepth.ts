/** Settings, canaries and playbooks are nested a dozen levels at most; parsers and databases of others recurse on each. */
export const MAX_JSON_DEPTH = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `]`; those of objects are the same with this bit. */
const OPENING = 0x5b
const CLOSING = 0x5d
const BRACE = 0x20

/**
 * Whether a JSON text nests deeper than `MAX_JSON_DEPTH`. Builds nothing, does not recurse, skips over strings, and leaves it to the
 * parser to reject what is not JSON.
 */
export function isTooDeep(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let depth = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === QUOTE) index = endOfText(bytes, index)
    else if ((byte & ~BRACE) === OPENING) {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if ((byte & ~BRACE) === CLOSING) depth -= 1
  }
  return false
}

/** @returns where the quote stands that ends the text, or the end of everything */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end
    while (bytes[before - 1] === BACKSLASH) before -= 1
    // One that stands behind an odd number of them is part of the text.
    if ((end - before) % 2 === 0) return end
  }
  return bytes.length
}
