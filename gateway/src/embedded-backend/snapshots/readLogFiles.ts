// What components wrote to their logs, as files of an archive: one of each log selector.
import { type Clock, messageOf } from '@watchroom/shared/kernel'
import { type LogLine, MAX_LOG_LINES } from '@watchroom/shared/logs'

import { Refusal } from '../../platform/http/refusal.ts'
import type { Logs } from '../logs/createLogs.ts'
import { askableSelectors } from '../logs/findSelector.ts'
import type { ArchiveFile } from './createZip.ts'

/** Of one file; what is older is left out. */
const MAX_LINES = 10_000
const MAX_FILES = 100
/** Of all of them together, which are in memory at once. */
const MAX_BYTES = 64 * 1024 * 1024
/** Of all of them together. People wait for the archive. */
const MAX_MS = 60_000
const MAX_NAME_CHARACTERS = 80

export const LOG_FORMATS = ['log', 'json'] as const

interface Wanted {
  readonly since: Date
  readonly until: Date
  readonly format: (typeof LOG_FORMATS)[number]
}

interface LoggedComponent {
  readonly id: string
  readonly name?: unknown
  readonly log_selectors?: unknown
}

/**
 * @param gone aborted when nobody waits for the archive any more
 * @returns files with lines, oldest first, and one that says what is missing of them
 */
export async function readLogFiles(
  { logs, clock, gone }: { readonly logs: Pick<Logs, 'search'>; readonly clock: Clock; readonly gone: AbortSignal },
  components: readonly LoggedComponent[],
  { since, until, format }: Wanted,
): Promise<ArchiveFile[]> {
  const endsAt = clock.monotonic() + MAX_MS
  const files: ArchiveFile[] = []
  const leftOut: string[] = []
  const names = new Set<string>()
  let bytes = 0

  const readLines = async (id: string, name: string, title: string): Promise<readonly LogLine[]> => {
    const lines: LogLine[] = []
    let page: string | undefined
    let isCut = false
    do {
      gone.throwIfAborted()
      const answer = await logs.search({
        id,
        name,
        query: '',
        labels: {},
        start: since.toISOString(),
        end: until.toISOString(),
        limit: MAX_LOG_LINES,
        page,
      })
      for (const backend of page === undefined ? (answer.notAsked ?? []) : [])
        leftOut.push(`${title}: the log backend ${backend} is not asked`)
      for (const line of answer.results ?? []) {
        bytes += sizeOf(line)
        isCut = bytes > MAX_BYTES
        if (isCut) break
        lines.push(line)
      }
      page = answer.nextPage
    } while (page !== undefined && !isCut && lines.length < MAX_LINES && clock.monotonic() < endsAt)
    if (page !== undefined || isCut) leftOut.push(`${title}: what is older than the newest ${lines.length} lines`)
    return lines.toReversed()
  }

  for (const { id, name: component, log_selectors: selectors } of components) {
    const { names: selected, hasNameless } = askableSelectors(selectors)
    if (hasNameless) leftOut.push(`${String(component)}: a log selector behind others has no name`)
    for (const name of selected) {
      const title = [component, name].filter(Boolean).join(' ')
      if (files.length === MAX_FILES || bytes > MAX_BYTES || clock.monotonic() >= endsAt) {
        leftOut.push(`${title}: there are too many logs for one archive`)
        continue
      }
      try {
        const lines = await readLines(id, name, title)
        if (lines.length > 0)
          files.push({ name: `logs/${toFileName(title, names)}.${format}`, content: FORMATS[format](lines) })
      } catch (error) {
        gone.throwIfAborted()
        leftOut.push(`${title}: ${error instanceof Refusal ? String(error.body['error']) : messageOf(error)}`)
      }
    }
  }
  return leftOut.length === 0 ? files : [...files, { name: 'logs/left-out.txt', content: `${leftOut.join('\n')}\n` }]
}

const FORMATS: Readonly<Record<Wanted['format'], (lines: readonly LogLine[]) => string>> = {
  log: (lines) => lines.map(({ timestamp, message }) => `${timestamp} ${message}\n`).join(''),
  json: (lines) => JSON.stringify(lines, null, 2),
}

/** With its labels, which are in memory in both formats. */
const sizeOf = (line: LogLine): number => Buffer.byteLength(JSON.stringify(line))

/** In letters that every archive program writes, and once, also where small and capital letters are the same. */
function toFileName(title: string, taken: Set<string>): string {
  const name = title.replaceAll(/[^\w.-]+/g, '-').slice(0, MAX_NAME_CHARACTERS)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}.${count}`
    if (taken.has(candidate.toLowerCase())) continue
    taken.add(candidate.toLowerCase())
    return candidate
  }
}
