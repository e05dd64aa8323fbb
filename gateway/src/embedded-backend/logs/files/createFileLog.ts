// One file as a log.
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

import type { Clock } from '@watchroom/shared/kernel'

import type { Log, LogSearch, News, PlacedLine, Stretch } from '../log.ts'
import { type Block, BLOCK_BYTES, createFileReader } from './createFileReader.ts'
import { createMatcher } from './createMatcher.ts'
import { findFormat } from './lineFormat.ts'
import { type Entry, findHeads, readEntry } from './readEntries.ts'

/** To find out how lines are written, and for the name of the file's content. */
const SNIFF_BYTES = 64 * 1024
const SNIFF_LINES = 20
const NAMED_BYTES = 1_024
/** Read at once of what came since; what is before it is counted and left out. */
const MAX_NEWS_BYTES = 4 * 1024 * 1024
/** Programs that write with several threads do not keep the order to the millisecond. */
const DISORDER_MS = 5_000
/** Entries that say no time are as old as one of so many before. */
const MAX_UNTIMED = 50
const NEWLINE = 10

export interface OpenFile {
  readonly handle: FileHandle
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
  /** Of the file system: the same for as long as the file is, whatever it is called. */
  readonly identity: string
  /** What it holds stood in another file before. */
  readonly isRotated: boolean
  /** Of every line. */
  readonly labels: Readonly<Record<string, string>>
}

/** @returns null when the file has no whole line; it is closed then */
export async function createFileLog(file: OpenFile, clock: Clock): Promise<Log | null> {
  const { handle, modifiedAt, size } = file
  const bytes = Buffer.alloc(Math.min(SNIFF_BYTES, size))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
  const first = bytes.subarray(0, bytesRead)
  const firstEnd = first.indexOf(NEWLINE)
  if (firstEnd === -1 && first.length < SNIFF_BYTES) {
    await handle.close()
    return null
  }
  const named = first.subarray(0, Math.min(firstEnd === -1 ? NAMED_BYTES : firstEnd, NAMED_BYTES))
  const format = findFormat(first.toString('utf8').split('\n', SNIFF_LINES))
  const reader = createFileReader(handle, size, format)

  const toPlaced = ({ offset, at, message, labels }: Entry, moment: number): PlacedLine => {
    const timestamp = new Date(moment).toISOString()
    const line = { id: String(offset), timestamp, message, labels: { ...labels, ...file.labels } }
    return { line, at: at ?? moment, place: String(offset) }
  }

  /** An entry that does not say when it was written is as old as the one before. */
  const placeAll = (entries: readonly Entry[]): PlacedLine[] => {
    let latest = entries.find(({ at }) => at !== null)?.at ?? modifiedAt
    return entries.map((entry) => {
      latest = entry.at ?? latest
      return toPlaced(entry, latest)
    })
  }

  /** Newest first; read as far as someone takes them. */
  function* placeBackwards(block: Block): Generator<PlacedLine> {
    const heads = findHeads(block.bytes, format)
    for (let index = heads.length - 1, to = block.bytes.length; index >= 0; index--) {
      const head = heads[index] ?? 0
      const entry = readEntry(block.bytes, head, to, block.from, format)
      yield toPlaced(entry, entry.at ?? momentBefore(block, heads.slice(Math.max(0, index - MAX_UNTIMED), index)))
      to = head
    }
  }

  const momentBefore = ({ bytes: all }: Block, heads: readonly number[]): number => {
    if (!format.isTimed) return modifiedAt
    for (const head of heads.toReversed()) {
      const { at } = readEntry(all, head, all.length, 0, format)
      if (at !== null) return at
    }
    return modifiedAt
  }

  const startOf = async ({ end: latest }: LogSearch, end: number): Promise<number> =>
    latest >= modifiedAt || !format.isTimed ? end : reader.findMoment(latest + DISORDER_MS, end)

  const isOlder = (block: Block, { start }: LogSearch): boolean => {
    if (!format.isTimed) return false
    const { at } = reader.readFirst(block)
    return at !== null && at < start - DISORDER_MS
  }

  const before = async (place: string | null, search: LogSearch, limit: number): Promise<Stretch> => {
    const { budget } = search
    const matcher = createMatcher(search, file.labels)
    const end = await reader.findEnd()
    const lines: PlacedLine[] = []
    const mayGoOn = (count: number): boolean => {
      budget.bytes -= count
      return budget.bytes > 0 && clock.monotonic() < budget.endsAt
    }
    for (let to = Math.min(end, place === null ? await startOf(search, end) : toOffset(place)); to > 0;) {
      const block = await reader.readBlockBefore(to, mayGoOn)
      to = block.from
      if (matcher.mayBeIn(block.bytes)) {
        for (const placed of placeBackwards(block)) {
          if (!matcher.isMatch(placed)) continue
          lines.push(placed)
          if (lines.length === limit) return { lines, next: placed.place === '0' ? null : placed.place }
        }
      }
      if (isOlder(block, search)) return { lines, next: null }
      if (to > 0 && !mayGoOn(0)) return { lines, next: String(to) }
    }
    return { lines, next: null }
  }

  const after = async (from: { id: string } | { at: number }, limit: number): Promise<PlacedLine[]> => {
    const end = await reader.findEnd()
    const isUntimed = 'at' in from && !format.isTimed
    if (isUntimed && from.at > modifiedAt) return []
    const known = 'id' in from ? toOffset(from.id) : -1
    const lines: PlacedLine[] = []
    const first = 'id' in from ? known : isUntimed ? 0 : await reader.findMoment(from.at, end)
    for (let at = first; at < end;) {
      const { entries, next } = await reader.readFrom(at, end, BLOCK_BYTES)
      lines.push(...placeAll(entries).filter(({ place }) => Number(place) > known))
      if (lines.length >= limit) break
      at = next
    }
    return lines.slice(0, limit)
  }

  const news = async (place: string | null, search: LogSearch, limit: number): Promise<News> => {
    const end = await reader.findEnd()
    const begun = place === null ? Number(file.isRotated) * end : toOffset(place)
    // Shorter than it was: it was emptied, and begins anew.
    const from = begun <= end ? begun : 0
    const begin = Math.max(from, end - MAX_NEWS_BYTES)
    const skipped = await reader.countLines(from, begin)
    const { entries } = await reader.readFrom(begin, end, MAX_NEWS_BYTES)
    const matcher = createMatcher(search, file.labels)
    const lines = placeAll(entries).filter((placed) => matcher.isMatch(placed))
    const shown = thinOut(lines, limit)
    return { lines: shown, place: String(end), dropped: skipped + lines.length - shown.length }
  }

  return {
    key: createHash('sha256').update(file.identity).update(named).digest('hex').slice(0, 16),
    newestAt: modifiedAt,
    before,
    after,
    find: async (id) => {
      const offset = toOffset(id)
      const end = await reader.findEnd()
      if (offset >= end) return null
      if (offset > 0 && (await reader.readAt(offset - 1, 1))[0] !== NEWLINE) return null
      const { entries } = await reader.readFrom(offset, end, BLOCK_BYTES)
      return placeAll(entries)[0] ?? null
    },
    follow: { end: async () => String(await reader.findEnd()), news },
    close: () => handle.close(),
  }
}

/** Places come back from others. */
function toOffset(place: string): number {
  return /^\d{1,15}$/.test(place) ? Number(place) : 0
}

/** Lines at even distances, the last among them. */
function thinOut<Line>(lines: readonly Line[], limit: number): Line[] {
  const { length } = lines
  if (length <= limit) return [...lines]
  // In whole numbers as far as possible: a step with a rounded part would lead behind the last line.
  return Array.from({ length: limit }, (_, index) => lines[Math.ceil(((index + 1) * length) / limit) - 1] as Line)
}
