// Cuts bytes of a file into entries: a line, with the lines after it that say nothing of their own (a trace, for example).
import { toStorable } from '@watchroom/shared/kernel'

import type { LineFormat, ReadLine } from './lineFormat.ts'

export interface Entry extends ReadLine {
  /** Of its first byte in the file. */
  readonly offset: number
}

/** Of an entry, in bytes; what is beyond is not shown. */
export const MAX_ENTRY_BYTES = 64 * 1024
/** Of a line, to see whether an entry begins with it. */
const HEAD_BYTES = 400
const NEWLINE = 10
const CUT = '… [cut here: the entry is longer]'

const startOf = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('latin1', from, Math.min(to, from + HEAD_BYTES))

/** Places in `bytes` where entries begin: the first whatever it says. */
export function findHeads(bytes: Buffer, format: LineFormat): number[] {
  const heads: number[] = []
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from)
    const to = newline === -1 ? bytes.length : newline
    if (from === 0 || (to > from && format.isHead(startOf(bytes, from, to)))) heads.push(from)
    from = to + 1
  }
  return heads
}

/** The first place after a line's end where an entry begins; -1 when there is none. */
export function findFirstHead(bytes: Buffer, format: LineFormat): number {
  for (let newline = bytes.indexOf(NEWLINE); newline !== -1;) {
    const from = newline + 1
    newline = bytes.indexOf(NEWLINE, from)
    const to = newline === -1 ? bytes.length : newline
    if (to > from && format.isHead(startOf(bytes, from, to))) return from
  }
  return -1
}

/** What stands in `bytes` from one place to the other. */
export function readEntry(bytes: Buffer, from: number, to: number, base: number, format: LineFormat): Entry {
  const text = toStorable(bytes.toString('utf8', from, Math.min(to, from + MAX_ENTRY_BYTES)))
  const entry = format.read(text.replace(/[\r\n]+$/, ''))
  return { ...entry, offset: base + from, ...(to - from > MAX_ENTRY_BYTES && { message: entry.message + CUT }) }
}

/**
 * Entries of whole lines, in order.
 *
 * @param base of the first byte in the file
 */
export function readEntries(bytes: Buffer, base: number, format: LineFormat): Entry[] {
  const heads = findHeads(bytes, format)
  return heads.map((from, index) => readEntry(bytes, from, heads[index + 1] ?? bytes.length, base, format))
}
