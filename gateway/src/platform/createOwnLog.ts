// The product's own log as people may read it, in files of the data directory, beside the full log on standard output. Everyone who may
// read logs may read this one, so a line holds only the fields named here: no address, name, id or error text.
import { join } from 'node:path'

import { ownValue } from '@watchroom/shared/kernel'
import { type DestinationStream, pino } from 'pino'

import { createRotatingFile } from './createRotatingFile.ts'

/** Below the data directory. The embedded backend creates it: before its first start nothing is kept. */
export const OWN_LOG_FOLDER = 'own-log'

const LIMITS = { maxBytes: 2_000_000, maxOlder: 3 }
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

/** Writes what may be shown to the file `<name>.log`. */
export function createOwnLog(dataDirectory: string, name: string): DestinationStream {
  const file = createRotatingFile(join(dataDirectory, OWN_LOG_FOLDER, `${name}.log`), LIMITS)
  return {
    write: (line) => {
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
    const value = ownValue(entry, fact)
    return typeof value === 'number' || typeof value === 'boolean' || isPlain(value) ? [[fact, value] as const] : []
  })
  return JSON.stringify({
    time,
    level: ownValue(pino.levels.labels, String(level)) ?? 'info',
    // An error logged without a message of its own brings its text as the message.
    msg: typeof msg === 'string' && msg !== error['message'] ? msg.slice(0, MAX_MESSAGE) : 'error',
    ...Object.fromEntries(facts),
    ...(isPlain(error['type']) && { error: error['type'] }),
    ...(isPlain(error['code']) && { errorCode: error['code'] }),
  })
}

const isPlain = (value: unknown): boolean => typeof value === 'string' && PLAIN.test(value)
