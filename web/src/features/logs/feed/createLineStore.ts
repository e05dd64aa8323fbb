import type { LogLine as ServedLine } from '@watchroom/shared/logs'

import { parseMoment } from '../../../ui/formatTime.ts'
import { PLAIN } from '../../../ui/log-view/ansi.ts'
import type { LogLine } from '../../../ui/log-view/createLogLines.ts'

/** Lines by time, each once. Pure. */
export interface LineStore {
  /** The same array always: `revision` says that it changed. */
  readonly lines: readonly LogLine[]
  readonly revision: () => number
  /** Index of the line that was first at the beginning. */
  readonly origin: () => number
  readonly has: (id: string) => boolean
  readonly indexOf: (id: string) => number
  /** In any order; lines of the same moment, oldest first. */
  readonly put: (lines: readonly ServedLine[]) => void
  /** Adds a remark after the last line. */
  readonly remark: (text: string) => void
  /** Makes the current lines the beginning. */
  readonly begin: () => void
  readonly follow: (isFollowing: boolean) => void
  /** Whether nobody follows the end, and no more lines can be kept. */
  readonly isFull: () => boolean
  /** Whether old lines have been dropped. */
  readonly hasLeft: () => boolean
}

/** Lines kept while the end is followed. Excess lines are dropped together, because each drop costs a pass over all lines. */
const MAX_LINES = 20_000
const SPARE_LINES = 2_000
/** While someone reads, nothing is dropped; beyond this, new lines wait. */
const MAX_READ = 50_000

/** @param isGrowing whether lines arrive by themselves: while the end is followed, only the newest are kept */
export function createLineStore(isGrowing: boolean): LineStore {
  const lines: LogLine[] = []
  const known = new Set<string>()
  let revision = 0
  let before = 0
  let remarks = 0
  let isFollowing = isGrowing
  let hasLeft = false

  const leave = (): void => {
    if (!isFollowing || lines.length <= MAX_LINES + SPARE_LINES) return
    const gone = lines.splice(0, lines.length - MAX_LINES)
    for (const { id } of gone) if (id !== undefined) known.delete(id)
    before -= gone.length
    hasLeft = true
  }

  return {
    lines,
    revision: () => revision,
    origin: () => before,
    has: (id) => known.has(id),
    indexOf: (id) => (known.has(id) ? lines.findIndex((line) => line.id === id) : -1),
    put: (served) => {
      const fresh = served.filter(({ id }) => !known.has(id) && known.add(id)).map(toLine)
      if (fresh.length === 0) return
      fresh.sort(byTime)
      if (lines.length > 0 && momentOf(fresh.at(-1)) < momentOf(lines[0])) {
        before += fresh.length
        lines.unshift(...fresh)
      } else {
        // Most belong after the last line; late ones are inserted where they belong.
        const moment = momentOf(fresh[0])
        let at = lines.length
        while (at > 0 && momentOf(lines[at - 1]) > moment) at -= 1
        const later = lines.splice(at)
        for (const line of later.length === 0 ? fresh : [...later, ...fresh].toSorted(byTime)) lines.push(line)
      }
      leave()
      revision += 1
    },
    remark: (text) => {
      remarks += 1
      const at = lines.at(-1)?.at ?? null
      lines.push({ id: `remark ${remarks}`, text, at, stream: 'stdout', start: PLAIN, isRemark: true })
      revision += 1
    },
    begin: () => {
      before = 0
    },
    follow: (next) => {
      isFollowing = next
    },
    isFull: () => !isFollowing && lines.length >= MAX_READ,
    hasLeft: () => hasLeft,
  }
}

const toLine = ({ id, timestamp, message, labels }: ServedLine): LogLine => ({
  id,
  text: message,
  at: timestamp === '' ? null : timestamp,
  stream: 'stdout',
  start: PLAIN,
  labels,
})

/** Lines without a time stand before those with one. */
const momentOf = (line: LogLine | undefined): number => parseMoment(line?.at) || 0

const byTime = (a: LogLine, b: LogLine): number => momentOf(a) - momentOf(b)
