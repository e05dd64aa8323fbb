import { setImmediate as nextTurn } from 'node:timers/promises'

// Reads the rows of a large JSON answer while it arrives, so that 10,000 rows (8 MB) never hold the event loop: parsing
// them at once takes 40 ms and more. Knows the shape `{…, "<field>": [row, …], …}` and nothing else.

/** Longest stretch of work before other sockets get a turn. */
const SLICE_MS = 8
/** Ten times what 10,000 checks need. */
const MAX_BODY_BYTES = 80 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Calls `onRow` with each element of the array under `field`.
 *
 * @returns the answer around it, with an empty array under `field`
 * @throws SyntaxError when it is not JSON, RangeError when it is too large
 */
export async function readRows(
  body: AsyncIterable<Uint8Array>,
  field: string,
  onRow: (row: unknown) => void,
): Promise<unknown> {
  const scanner = createScanner(field, onRow)
  let bytes = 0
  let sliceStart = performance.now()
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new RangeError('the answer is too large')
    for (let at = 0; at < chunk.byteLength; at += SCAN_BYTES) {
      scanner.scan(Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(SCAN_BYTES, chunk.byteLength - at)))
      if (performance.now() - sliceStart > SLICE_MS) {
        await nextTurn()
        sliceStart = performance.now()
      }
    }
  }
  return JSON.parse(scanner.rest())
}

/** How much is scanned between two looks at the clock. */
const SCAN_BYTES = 64 * 1024

function createScanner(
  field: string,
  onRow: (row: unknown) => void,
): { scan: (chunk: Buffer) => void; rest: () => string } {
  const opening = new RegExp(`"${field}"\\s*:\\s*$`)
  /** Bytes around the rows; decoded only when whole, since a character may be cut anywhere. */
  const rest: Buffer[] = []
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isInRows = false
  let isInRow = false
  /** Beginning of a row that came with earlier chunks. */
  let earlier: Buffer[] = []

  const scan = (chunk: Buffer): void => {
    /** Where the current row, or the current stretch of the rest, starts in this chunk. */
    let start = 0
    const endRow = (end: number): void => {
      const text = Buffer.concat([...earlier, chunk.subarray(start, end)]).toString('utf8')
      earlier = []
      isInRow = false
      onRow(JSON.parse(text))
    }
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
        continue
      }
      if (isInRows && depth === 2 && !isInRow && byte !== COMMA && byte !== CLOSE_ARRAY && !isSpace(byte)) {
        isInRow = true
        start = at
      }
      if (byte === QUOTE) isInString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1
        if (depth === 2 && byte === OPEN_ARRAY && !isInRows) {
          const before = Buffer.concat([...rest, chunk.subarray(start, at)])
          if (opening.test(before.toString('utf8'))) {
            isInRows = true
            rest.splice(0, rest.length, before, chunk.subarray(at, at + 1))
          }
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (isInRows && depth === 2) {
          if (isInRow) endRow(at)
          isInRows = false
          start = at
        }
        depth -= 1
        if (isInRow && depth === 2) endRow(at + 1)
      } else if (byte === COMMA && isInRow && depth === 2) endRow(at)
    }
    if (isInRow) earlier.push(chunk.subarray(start))
    else if (!isInRows) rest.push(chunk.subarray(start))
  }

  return { scan, rest: () => Buffer.concat(rest).toString('utf8') }
}
