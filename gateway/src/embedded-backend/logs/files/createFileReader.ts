// Reads parts of a log file as entries. They stand in it in the order of their time, so that a moment is found by halving; nothing is
// kept between questions, and nothing but the asked part is read.
import type { FileHandle } from 'node:fs/promises'

import type { LineFormat } from './lineFormat.ts'
import { type Entry, findFirstHead, MAX_ENTRY_BYTES, readEntries, readEntry } from './readEntries.ts'

export const BLOCK_BYTES = 256 * 1024
/** An entry is looked for in so much. */
const PROBE_BYTES = 64 * 1024
const NEWLINE = 10

export interface Block {
  /** Of its first byte, with which an entry begins. */
  readonly from: number
  readonly bytes: Buffer
}

export interface FileReader {
  readonly readAt: (from: number, length: number) => Promise<Buffer>
  /** Of the last whole line: what is written of a line before its end is not there yet. */
  readonly findEnd: () => Promise<number>
  /** Entries that end before `to`: those of a block, or the one that is longer than it, as far as `mayGoOn`. */
  readonly readBlockBefore: (to: number, mayGoOn: (bytes: number) => boolean) => Promise<Block>
  /** Whole entries from an offset on, and where the next ones begin. */
  readonly readFrom: (from: number, end: number, length: number) => Promise<{ entries: Entry[]; next: number }>
  readonly readFirst: (block: Block) => Entry
  /** Where the first entry begins that is not older than a moment; `end` when all are. */
  readonly findMoment: (moment: number, end: number) => Promise<number>
  readonly countLines: (from: number, to: number) => Promise<number>
}

export function createFileReader(handle: FileHandle, size: number, format: LineFormat): FileReader {
  const readAt = async (from: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await handle.read(bytes, 0, length, from)
    return bytes.subarray(0, bytesRead)
  }

  const readFirst = ({ from, bytes }: Block): Entry => {
    const next = findFirstHead(bytes.subarray(0, PROBE_BYTES), format)
    return readEntry(bytes, 0, next === -1 ? bytes.length : next, from, format)
  }

  const readFrom: FileReader['readFrom'] = async (from, end, length) => {
    const bytes = await readAt(from, Math.min(length, end - from))
    const isLast = from + bytes.length >= end
    const whole = bytes.subarray(0, isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1 || bytes.length)
    const entries = readEntries(whole, from, format)
    // More lines of the last one may follow.
    const last = isLast || entries.length === 1 ? undefined : entries.pop()
    return { entries, next: last?.offset ?? from + whole.length }
  }

  const momentAfter = async (offset: number, end: number): Promise<number | null> => {
    const bytes = await readAt(offset, Math.min(PROBE_BYTES, end - offset))
    const head = findFirstHead(bytes, format)
    return head === -1 ? null : readFirst({ from: offset + head, bytes: bytes.subarray(head) }).at
  }

  return {
    readAt,
    readFirst,
    readFrom,
    findEnd: async () => {
      for (let to = size; to > 0;) {
        const from = Math.max(0, to - BLOCK_BYTES)
        const newline = (await readAt(from, to - from)).lastIndexOf(NEWLINE)
        if (newline !== -1) return from + newline + 1
        to = from
      }
      return 0
    },
    readBlockBefore: async (to, mayGoOn) => {
      let rest = Buffer.alloc(0)
      for (let end = to; ;) {
        const start = Math.max(0, end - BLOCK_BYTES)
        const block = await readAt(start, end - start)
        const head = start === 0 ? 0 : findFirstHead(block, format)
        if (!mayGoOn(block.length) || head !== -1) {
          const at = Math.max(0, head)
          return { from: start + at, bytes: Buffer.concat([block.subarray(at), rest]) }
        }
        // Of a long entry its beginning is enough.
        rest = Buffer.concat([block, rest]).subarray(0, MAX_ENTRY_BYTES + 1)
        end = start
      }
    },
    findMoment: async (moment, end) => {
      let [low, high] = [0, end]
      while (high - low > BLOCK_BYTES) {
        const middle = Math.floor((low + high) / 2)
        const at = await momentAfter(middle, end)
        if (at !== null && at < moment) low = middle
        else high = middle
      }
      for (let from = low; from < end;) {
        const { entries, next } = await readFrom(from, end, BLOCK_BYTES)
        // The first of all may be the end of an entry that begins before.
        const found = entries.find(({ at, offset }) => at !== null && at >= moment && (offset > low || low === 0))
        if (found) return found.offset
        from = next
      }
      return end
    },
    countLines: async (from, to) => {
      let count = 0
      for (let at = from; at < to; at += BLOCK_BYTES) {
        const bytes = await readAt(at, Math.min(BLOCK_BYTES, to - at))
        for (let found = bytes.indexOf(NEWLINE); found !== -1; found = bytes.indexOf(NEWLINE, found + 1)) count += 1
      }
      return count
    },
  }
}
