// The files of a queue: append-only, numbered, of which the last one is written to. Knows nothing of what was sent.
import { type FileHandle, open, readdir, readFile, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from 'pino'

const SEGMENT_NAME = /^(\d{12})\.jsonl$/

export interface Segment {
  readonly number: number
  /** Whole records in it, up to this many bytes. */
  bytes: number
  records: number
}

export const segmentName = (number: number): string => `${String(number).padStart(12, '0')}.jsonl`

export interface SegmentFiles {
  /** Oldest first. */
  readonly segments: readonly Segment[]
  readonly pathOf: (number: number) => string
  /** The segment that is written to. */
  readonly tail: () => Segment
  /** What follows is written to a new file of this number. */
  readonly begin: (number: number) => Promise<void>
  /** All of it is on disk when this resolves, and nothing of it when it rejects. */
  readonly append: (text: string, records: number) => Promise<void>
  readonly remove: (segment: Segment) => Promise<void>
  readonly close: () => Promise<void>
}

/** @throws the file system's error; `begin` is called before anything is written */
export async function openSegmentFiles(directory: string, logger: Logger): Promise<SegmentFiles> {
  const segments = await openSegments(directory, logger)
  const pathOf = (number: number): string => join(directory, segmentName(number))
  let tail: { readonly file: FileHandle; readonly segment: Segment } | null = null

  const writable = (): { readonly file: FileHandle; readonly segment: Segment } => {
    if (!tail) throw new Error('no segment has begun')
    return tail
  }

  const begin = async (number: number): Promise<void> => {
    const full = tail
    const file = await open(pathOf(number), 'ax', 0o600)
    try {
      await syncDirectory(directory)
    } catch (error) {
      await file.close()
      await unlink(pathOf(number))
      throw error
    }
    const segment = { number, bytes: 0, records: 0 }
    segments.push(segment)
    tail = { file, segment }
    await full?.file.close()
  }

  return {
    segments,
    pathOf,
    tail: () => writable().segment,
    begin,
    append: async (text, records) => {
      const { file, segment } = writable()
      try {
        await file.appendFile(text)
        await file.datasync()
      } catch (error) {
        // Half a batch may be there: it would be sent twice, or break the line behind it.
        await file.truncate(segment.bytes).catch(() => undefined)
        throw error
      }
      segment.bytes += Buffer.byteLength(text)
      segment.records += records
    },
    remove: async (segment) => {
      const index = segments.indexOf(segment)
      // Writing makes room while sending is done with the same file.
      if (index === -1) return
      segments.splice(index, 1)
      await unlink(pathOf(segment.number))
    },
    close: async () => tail?.file.close(),
  }
}

/** What a crash left half written is cut off; damage in the middle costs the damaged lines alone. */
async function openSegments(directory: string, logger: Logger): Promise<Segment[]> {
  const numbers = (await readdir(directory)).flatMap((name) => {
    const [, digits] = SEGMENT_NAME.exec(name) ?? []
    return digits === undefined ? [] : [Number(digits)]
  })
  const segments: Segment[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const path = join(directory, segmentName(number))
    const content = await readFile(path)
    const bytes = content.lastIndexOf('\n') + 1
    if (bytes < content.length) {
      logger.warn({ bytes: content.length - bytes, file: segmentName(number) }, 'an unfinished record was cut off')
      await truncate(path, bytes)
    }
    if (bytes === 0) await unlink(path)
    else segments.push({ number, bytes, records: countLines(content.subarray(0, bytes)) })
  }
  return segments
}

function countLines(content: Uint8Array): number {
  let count = 0
  for (const byte of content) if (byte === 10) count++
  return count
}

export async function countRecords(path: string, until: number, from = 0): Promise<number> {
  return countLines((await readFile(path)).subarray(from, until))
}

/** A new file's name is durable only once its directory is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
