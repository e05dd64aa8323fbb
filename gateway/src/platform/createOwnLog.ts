// The product's own log as people may read it: beside the whole log on standard output, in files of the data directory. Everybody who
// may read logs may read this one, so a line says only what is named here: no address, no name, no id, no text of an error.
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { type DestinationStream, pino } from 'pino'

/** Below the data directory. Made by the embedded backend: before its first start nothing is kept. */
export const OWN_LOG_FOLDER = 'own-log'

const MAX_FILE_BYTES = 2_000_000
/** Older ones are overwritten. */
const KEPT_FILES = 4
const FACTS = [
  'part',
  'source',
  'name',
  'job',
  'type',
  'profile',
  'version',
  'code',
  'method',
  'route',
  'status',
  'durationMs',
  'delayMs',
  'failures',
  'droppedRows',
  'canaries',
  'checks',
  'runs',
  'rows',
  'kind',
  'state',
]
/** Words of the product, not of people. */
const PLAIN = /^[\w .:-]{1,60}$/
const MAX_MESSAGE = 200

/** Writes to standard output, and what may be shown to the file `<name>.log`. */
export function createOwnLog(dataDirectory: string, name: string): DestinationStream {
  const output = pino.destination(1)
  const file = createFile(join(dataDirectory, OWN_LOG_FOLDER, `${name}.log`))
  return {
    write: (line) => {
      output.write(line)
      const shown = toShownLine(line)
      if (shown !== null) file.write(`${shown}\n`)
    },
  }
}

/** @returns null for what is no line of ours */
export function toShownLine(line: string): string | null {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
  const { time, level, msg, err } = entry
  const error = typeof err === 'object' && err !== null ? (err as Record<string, unknown>) : {}
  const facts = FACTS.flatMap((fact) => {
    const value = entry[fact]
    return typeof value === 'number' || typeof value === 'boolean' || isPlain(value) ? [[fact, value] as const] : []
  })
  return JSON.stringify({
    time,
    level: pino.levels.labels[Number(level)] ?? 'info',
    // Whoever logs an error alone says its words.
    msg: typeof msg === 'string' && msg !== error['message'] ? msg.slice(0, MAX_MESSAGE) : 'error',
    ...Object.fromEntries(facts),
    ...(isPlain(error['type']) && { error: error['type'] }),
    ...(isPlain(error['code']) && { errorCode: error['code'] }),
  })
}

const isPlain = (value: unknown): boolean => typeof value === 'string' && PLAIN.test(value)

function createFile(path: string): { write(text: string): void } {
  let descriptor: number | null = null
  let size = 0

  const open = (): number => {
    const opened = openSync(path, 'a', 0o600)
    size = statSync(path).size
    return opened
  }

  const rotate = (): void => {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
    for (let number = KEPT_FILES - 1; number > 0; number--) {
      try {
        renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`)
      } catch {
        // There are not so many yet.
      }
    }
  }

  return {
    write: (text) => {
      try {
        descriptor ??= open()
        writeSync(descriptor, text)
        size += Buffer.byteLength(text)
        if (size >= MAX_FILE_BYTES) rotate()
      } catch {
        // No folder yet, or a full disk: the whole log is on standard output.
      }
    },
  }
}
