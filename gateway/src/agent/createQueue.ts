// Results on disk until the upstream has them: a row of append-only files, oldest first, and one small file that says how far
// they were sent. Knows nothing of results or of HTTP.
//
// What is promised: once `append` has resolved, the record survives kill -9 and, because it was synced, a power cut. A record
// is given out again until `drop` has gone to disk, so a crash in between sends it twice; the upstream keeps it once.
//
// Syncing: all records that wait are written and synced together (fdatasync), so a burst costs one sync. The position is
// written beside and renamed; it is synced too, though losing it would only repeat what was sent.
import { type FileHandle, mkdir, open, readdir, readFile, rename, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

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
const SEGMENT_NAME = /^(\d{12})\.jsonl$/
/** A disk that refuses to write, for example because it is full, is tried again after this. */
const RETRY_MS = 1_000
/** Records kept in memory meanwhile; then the oldest go. */
const MAX_PENDING = 20_000

interface Segment {
  readonly number: number
  /** Whole records in it, up to this many bytes. */
  bytes: number
  records: number
}

interface Pending {
  readonly line: string
  readonly resolve: () => void
}

const segmentName = (number: number): string => `${String(number).padStart(12, '0')}.jsonl`

/** @throws the file system's error when the directory cannot be used */
export async function openQueue(deps: QueueDeps): Promise<Queue> {
  const { clock, logger, directory } = deps
  const maxBytes = deps.maxBytes ?? DEFAULT_QUEUE_BYTES
  const segmentBytes = Math.min(deps.segmentBytes ?? DEFAULT_SEGMENT_BYTES, Math.ceil(maxBytes / 4))
  const pathOf = (number: number): string => join(directory, segmentName(number))

  await mkdir(directory, { recursive: true, mode: 0o700 })
  const segments = await openSegments(directory, logger)
  let position = await readPosition(directory)
  /** Records before `position` in the segment it points into. */
  let done = 0
  await startAt(position)
  const nextNumber = Math.max(position.segment, segments.at(-1)?.number ?? 0) + 1
  let tail: { file: FileHandle; segment: Segment } = await addSegment(nextNumber)
  let pending: Pending[] = []
  let inWriting = 0
  let lost = 0
  let writing: Promise<void> | null = null
  let isClosed = false

  /** Files before the position are left over from a crash; one cut short by damage cannot be read past its end. */
  async function startAt(from: QueuePosition): Promise<void> {
    for (const segment of segments.filter(({ number }) => number < from.segment)) await removeSegment(segment)
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

  async function addSegment(number: number): Promise<{ file: FileHandle; segment: Segment }> {
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
    return { file, segment }
  }

  async function removeSegment(segment: Segment): Promise<void> {
    const index = segments.indexOf(segment)
    // Writing makes room while sending is done with the same file.
    if (index === -1) return
    segments.splice(index, 1)
    await unlink(pathOf(segment.number))
  }

  const onDisk = (): number => segments.reduce((sum, { records }) => sum + records, 0) - done
  const bytesOnDisk = (): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

  async function rotate(): Promise<void> {
    const full = tail
    tail = await addSegment(full.segment.number + 1)
    await full.file.close()
  }

  /** The oldest results are worth least: the state of a check is what its newest one says. */
  async function makeRoom(): Promise<void> {
    for (
      let oldest = segments[0];
      oldest && oldest !== tail.segment && bytesOnDisk() > maxBytes;
      oldest = segments[0]
    ) {
      const given = oldest.records - (oldest.number === position.segment ? done : 0)
      await removeSegment(oldest)
      const next = segments[0]
      if (next && next.number > position.segment) {
        position = { segment: next.number, offset: 0 }
        done = 0
      }
      lost += given
      logger.error(
        { lost: given, lostSinceStart: lost, maxBytes },
        'RESULTS LOST: the queue is full, its oldest file was deleted',
      )
    }
  }

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending
      pending = []
      inWriting = batch.length
      const text = batch.map(({ line }) => line).join('')
      try {
        await tail.file.appendFile(text)
        await tail.file.datasync()
      } catch (error) {
        logger.error(
          { err: error, waiting: pending.length + batch.length },
          'results cannot be written to disk, trying again',
        )
        // Half a batch may be there: it would be sent twice, or break the line behind it.
        await tail.file.truncate(tail.segment.bytes).catch(() => undefined)
        pending = [...batch, ...pending]
        inWriting = 0
        const excess = isClosed ? pending.length : pending.length - MAX_PENDING
        if (excess > 0) {
          lost += excess
          logger.error(
            { lost: excess, lostSinceStart: lost },
            'RESULTS LOST: the disk refuses them and the memory for them is full',
          )
          for (const { resolve } of pending.splice(0, excess)) resolve()
        }
        if (isClosed) return
        await sleep(clock, RETRY_MS)
        continue
      }
      tail.segment.bytes += Buffer.byteLength(text)
      tail.segment.records += batch.length
      inWriting = 0
      for (const { resolve } of batch) resolve()
      await tidy()
    }
  }

  /** What was written is safe without it, so a disk that refuses is asked again behind the next batch. */
  async function tidy(): Promise<void> {
    try {
      if (tail.segment.bytes >= segmentBytes) await rotate()
      await makeRoom()
    } catch (error) {
      logger.error(
        { err: error, file: segmentName(tail.segment.number) },
        'no new file for results, the last one grows',
      )
    }
  }

  function startWriting(): void {
    writing ??= write().finally(() => {
      writing = null
      if (pending.length > 0) startWriting()
    })
  }

  return {
    append: (record) =>
      new Promise((resolve) => {
        pending.push({ line: `${record}\n`, resolve })
        startWriting()
      }),

    read: async ({ maxRecords, maxBytes: maxBatchBytes }) => {
      for (;;) {
        const segment = segments.find(({ number }) => number >= position.segment)
        if (!segment) return null
        const from = segment.number === position.segment ? position.offset : 0
        if (from >= segment.bytes) {
          if (segment === tail.segment) return null
          position = { segment: segment.number + 1, offset: 0 }
          done = 0
          await removeSegment(segment)
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
      for (const old of segments.filter(({ number }) => number < end.segment)) await removeSegment(old)
      if (segment !== tail.segment && end.offset >= segment.bytes) {
        position = { segment: end.segment + 1, offset: 0 }
        done = 0
        await removeSegment(segment)
      }
    },

    get waiting() {
      return onDisk() + inWriting + pending.length
    },
    get lost() {
      return lost
    },
    close: async () => {
      isClosed = true
      await writing
      await tail.file.close()
    },
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

function countLines(content: Uint8Array): number {
  let count = 0
  for (const byte of content) if (byte === 10) count++
  return count
}

async function countRecords(path: string, until: number, from = 0): Promise<number> {
  return countLines((await readFile(path)).subarray(from, until))
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

async function writePosition(directory: string, position: QueuePosition): Promise<void> {
  const path = join(directory, POSITION_FILE)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(position))
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
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
