// Results on disk until the upstream has them: a row of append-only files, oldest first, and one small file that says how far
// they were sent. Knows nothing of results or of HTTP.
//
// What is promised: once `append` has resolved, the record survives kill -9 and, because it was synced, a power cut. A record
// is given out again until `drop` has gone to disk, so a crash in between sends it twice; the upstream keeps it once.
//
// Syncing: all records that wait are written and synced together (fdatasync), so a burst costs one sync. The position is
// written beside and renamed; it is synced too, though losing it would only repeat what was sent.
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { createQueueWriter } from './createQueueWriter.ts'
import { countRecords, openSegmentFiles, type Segment, segmentName } from './segmentFiles.ts'
import { writeDurably } from './writeDurably.ts'

export interface QueueBatch {
  /** JSON texts, in the order they were appended. */
  readonly records: readonly string[]
  readonly end: QueuePosition
}

export interface QueuePosition {
  readonly segment: number
  /** Bytes from the start of that segment. */
  readonly offset: number
}

export interface Queue {
  /** Resolves when the record is on disk. @param record one line of JSON */
  append(record: string): Promise<void>
  /** The oldest records that were not dropped; null when there are none. At least one, however long it is. */
  read(limits: { maxRecords: number; maxBytes: number }): Promise<QueueBatch | null>
  /** Everything before this position is done with. */
  drop(end: QueuePosition): Promise<void>
  /** Records that wait, on disk or to be written. */
  readonly waiting: number
  /** Records that were given up because the queue was full. */
  readonly lost: number
  /** Writes what waits. */
  close(): Promise<void>
}

export interface QueueDeps {
  clock: Clock
  logger: Logger
  directory: string
  /** Of all files together; beyond it the oldest file is given up. */
  maxBytes?: number
  segmentBytes?: number
}

export const DEFAULT_QUEUE_BYTES = 256 * 2 ** 20
const DEFAULT_SEGMENT_BYTES = 2 ** 20
const POSITION_FILE = 'position.json'

/** @throws the file system's error when the directory cannot be used */
export async function openQueue(deps: QueueDeps): Promise<Queue> {
  const { clock, logger, directory } = deps
  const maxBytes = deps.maxBytes ?? DEFAULT_QUEUE_BYTES
  const segmentBytes = Math.min(deps.segmentBytes ?? DEFAULT_SEGMENT_BYTES, Math.ceil(maxBytes / 4))

  await mkdir(directory, { recursive: true, mode: 0o700 })
  const files = await openSegmentFiles(directory, logger)
  const { segments, pathOf } = files
  let position = await readPosition(directory)
  /** Records before `position` in the segment it points into. */
  let done = 0
  await startAt(position)
  const nextNumber = Math.max(position.segment, segments.at(-1)?.number ?? 0) + 1
  await files.begin(nextNumber)
  let lost = 0
  const noteLost = (count: number): number => (lost += count)

  /** Files before the position are left over from a crash; one cut short by damage cannot be read past its end. */
  async function startAt(from: QueuePosition): Promise<void> {
    for (const segment of segments.filter(({ number }) => number < from.segment)) await files.remove(segment)
    const [first] = segments
    if (first?.number === from.segment) {
      const offset = Math.min(from.offset, first.bytes)
      position = { segment: first.number, offset }
      done = await countRecords(pathOf(first.number), offset)
    } else {
      position = { segment: first?.number ?? from.segment, offset: 0 }
      done = 0
    }
  }

  const onDisk = (): number => segments.reduce((sum, { records }) => sum + records, 0) - done
  const bytesOnDisk = (): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

  /** The oldest results are worth least: the state of a check is what its newest one says. */
  async function makeRoom(): Promise<void> {
    for (
      let oldest = segments[0];
      oldest && oldest !== files.tail() && bytesOnDisk() > maxBytes;
      oldest = segments[0]
    ) {
      const given = oldest.records - (oldest.number === position.segment ? done : 0)
      await files.remove(oldest)
      const next = segments[0]
      if (next && next.number > position.segment) {
        position = { segment: next.number, offset: 0 }
        done = 0
      }
      logger.error(
        { lost: given, lostSinceStart: noteLost(given), maxBytes },
        'RESULTS LOST: the queue is full, its oldest file was deleted',
      )
    }
  }

  /** What was written is safe without it, so a disk that refuses is asked again behind the next batch. */
  async function tidy(): Promise<void> {
    try {
      if (files.tail().bytes >= segmentBytes) await files.begin(files.tail().number + 1)
      await makeRoom()
    } catch (error) {
      logger.error(
        { err: error, file: segmentName(files.tail().number) },
        'no new file for results, the last one grows',
      )
    }
  }

  const writer = createQueueWriter({ clock, logger, write: files.append, tidy, noteLost })

  return {
    append: (record) => writer.append(record),

    read: async ({ maxRecords, maxBytes: maxBatchBytes }) => {
      for (;;) {
        const segment = segments.find(({ number }) => number >= position.segment)
        if (!segment) return null
        const from = segment.number === position.segment ? position.offset : 0
        if (from >= segment.bytes) {
          if (segment === files.tail()) return null
          position = { segment: segment.number + 1, offset: 0 }
          done = 0
          await files.remove(segment)
          continue
        }
        const batch = await readRecords(
          pathOf(segment.number),
          { segment, from, maxRecords, maxBytes: maxBatchBytes },
          logger,
        )
        // Null: given up while it was read.
        if (batch) return batch
      }
    },

    drop: async (end) => {
      // What was given up meanwhile is behind us already.
      if (end.segment < position.segment) return
      const segment = segments.find(({ number }) => number === end.segment)
      if (!segment) return
      const before = end.segment === position.segment ? position.offset : 0
      const dropped = await countRecords(pathOf(end.segment), end.offset, before)
      done = end.segment === position.segment ? done + dropped : dropped
      position = end
      await writePosition(directory, end)
      for (const old of segments.filter(({ number }) => number < end.segment)) await files.remove(old)
      if (segment !== files.tail() && end.offset >= segment.bytes) {
        position = { segment: end.segment + 1, offset: 0 }
        done = 0
        await files.remove(segment)
      }
    },

    get waiting() {
      return onDisk() + writer.waiting()
    },
    get lost() {
      return lost
    },
    close: async () => {
      await writer.close()
      await files.close()
    },
  }
}

async function readRecords(
  path: string,
  { segment, from, maxRecords, maxBytes }: { segment: Segment; from: number; maxRecords: number; maxBytes: number },
  logger: Logger,
): Promise<QueueBatch | null> {
  // Before the file is read: it grows meanwhile, and what it holds beyond this may be half a record.
  const size = segment.bytes
  const file = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  const content = file.subarray(0, size)
  const records: string[] = []
  let offset = from
  let bytes = 0
  while (offset < size && records.length < maxRecords) {
    const end = content.indexOf('\n', offset)
    if (end === -1) {
      logger.error({ file: segmentName(segment.number), offset }, 'RESULTS LOST: the end of the file is gone')
      offset = size
      break
    }
    const line = content.toString('utf8', offset, end)
    if (records.length > 0 && bytes + line.length > maxBytes) break
    if (isJson(line)) {
      records.push(line)
      bytes += line.length
    } else {
      logger.error({ file: segmentName(segment.number), offset }, 'RESULT LOST: a damaged record was skipped')
    }
    offset = end + 1
  }
  return { records, end: { segment: segment.number, offset } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // The caller says which record it was.
    return false
  }
}

async function readPosition(directory: string): Promise<QueuePosition> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, POSITION_FILE), 'utf8'))
    if (typeof value === 'object' && value !== null && 'segment' in value && 'offset' in value) {
      const { segment, offset } = value
      if (isCount(segment) && isCount(offset)) return { segment, offset }
    }
  } catch {
    // None yet, or damaged: everything that is left is sent, and the upstream keeps it once.
  }
  return { segment: 0, offset: 0 }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const writePosition = (directory: string, position: QueuePosition): Promise<void> =>
  writeDurably(join(directory, POSITION_FILE), JSON.stringify(position))
