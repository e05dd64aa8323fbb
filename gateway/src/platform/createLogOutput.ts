// The log on standard output. A line is written at once, so that the last one before a crash is there. A reader that does not read holds
// up nothing: lines are kept in bounded memory, then dropped and counted. Otherwise a full pipe would block the program, even from ending.
import { constants, fstatSync, openSync, writeSync } from 'node:fs'

import type { Clock } from '@watchroom/shared/kernel'
import type { DestinationStream } from 'pino'

import { systemClock } from './clock.ts'

const STANDARD_OUTPUT = 1
/** Thousands of lines: a reader that pauses for a moment misses none. */
const MAX_WAITING_BYTES = 1_048_576
const RETRY_MS = 100
/** Limit at the end of the program, which someone waits for. */
const FLUSH_MS = 2_000
const FLUSH_PAUSE_MS = 10
/** As pino numbers them. */
const WARNING = 40

export interface LogOutput extends DestinationStream {
  /** Whole lines. */
  write(lines: string): void
  /** Writes what waits. Holds the program up until that is done, or two seconds have passed. */
  flush(): void
}

interface Piece {
  readonly bytes: Uint8Array
  /** How many lines are lost with it. */
  readonly lines: number
}

/**
 * @param deps.write returns how many bytes were taken. @throws Error when none can be, with the code `EAGAIN` where it can later
 * @param deps.pause holds the program up
 */
export function createLogOutput(deps: {
  clock: Clock
  write: (bytes: Uint8Array) => number
  pause: (durationMs: number) => void
}): LogOutput {
  const { clock, write, pause } = deps
  const waiting: Piece[] = []
  let waitingBytes = 0
  let droppedLines = 0
  let isWaiting = false

  const keep = (text: string, lines: number): void => {
    const bytes = Buffer.from(text)
    waiting.push({ bytes, lines })
    waitingBytes += bytes.length
  }

  const tellDropped = (): void => {
    if (droppedLines === 0) return
    const line = {
      level: WARNING,
      time: new Date(clock.now()).toISOString(),
      droppedLines,
      msg: 'lines of the log were dropped, nobody read them',
    }
    keep(`${JSON.stringify(line)}\n`, droppedLines)
    droppedLines = 0
  }

  /** @returns whether nothing waits any more */
  const drain = (): boolean => {
    for (;;) {
      const piece = waiting.shift()
      if (piece === undefined) return true
      const { bytes, lines } = piece
      waitingBytes -= bytes.length
      try {
        const written = write(bytes)
        if (written === bytes.length) continue
        waiting.unshift({ bytes: bytes.subarray(written), lines })
        waitingBytes += bytes.length - written
      } catch (error) {
        if (!canLater(error)) {
          // The reader is gone, or the disk is full: what the log tells of goes on.
          droppedLines += lines
          continue
        }
        waiting.unshift(piece)
        waitingBytes += bytes.length
        return false
      }
    }
  }

  const settle = (): boolean => {
    if (!drain()) return false
    tellDropped()
    return drain()
  }

  const retry = (): void => {
    isWaiting = !settle()
    if (isWaiting) clock.schedule(retry, RETRY_MS)
  }

  return {
    write: (lines) => {
      if (waiting.length > 0 && waitingBytes + Buffer.byteLength(lines) > MAX_WAITING_BYTES) {
        droppedLines += 1
        return
      }
      tellDropped()
      keep(lines, 1)
      if (isWaiting || drain()) return
      isWaiting = true
      clock.schedule(retry, RETRY_MS)
    },
    flush: () => {
      for (let waitedMs = 0; !settle() && waitedMs < FLUSH_MS; waitedMs += FLUSH_PAUSE_MS) pause(FLUSH_PAUSE_MS)
    },
  }
}

const canLater = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

let opened: LogOutput | undefined

/** The program's own, for all its logs; flushed when it ends by itself. */
export function standardOutput(): LogOutput {
  if (opened) return opened
  const descriptor = openWithoutWaiting()
  const pauses = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const output = createLogOutput({
    clock: systemClock,
    write: (bytes) => writeSync(descriptor, bytes),
    pause: (durationMs) => void Atomics.wait(pauses, 0, 0, durationMs),
  })
  process.on('exit', () => output.flush())
  opened = output
  return output
}

/** A descriptor of standard output that is not written to when it is full. */
function openWithoutWaiting(): number {
  const facts = fstatSync(STANDARD_OUTPUT)
  // Never full for long, and a second descriptor would not write at the end of it.
  if (facts.isFile()) return STANDARD_OUTPUT
  try {
    // Opened anew it does not wait for us alone, and whoever shares it notices nothing.
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
    return openSync(`/proc/self/fd/${STANDARD_OUTPUT}`, flags)
  } catch {
    // A socket cannot be opened, and not every system has this path. Node makes it one that does not wait when it is first used.
    void process.stdout
    return STANDARD_OUTPUT
  }
}
