// Differences of texts line by line, and as unified diffs.

interface LineChange {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Beyond this many lines that differ on either side they are told one after the other: the comparison grows with the square. */
const MAX_COMPARED = 1_500
/** Lines around a change that a unified diff repeats. */
const CONTEXT = 3

/** Both texts in one list of lines: what both have, what only one has. */
export function diffLines(before: string, after: string): LineChange[] {
  const left = before.split('\n')
  const right = after.split('\n')
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  const shorter = Math.min(left.length, right.length) - start
  while (end < shorter && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1
  const same = (text: string): LineChange => ({ kind: 'same', text })
  return [
    ...left.slice(0, start).map(same),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(same),
  ]
}

function diffMiddle(left: readonly string[], right: readonly string[]): LineChange[] {
  if (left.length > MAX_COMPARED || right.length > MAX_COMPARED) {
    return [
      ...left.map((text): LineChange => ({ kind: 'removed', text })),
      ...right.map((text): LineChange => ({ kind: 'added', text })),
    ]
  }
  const common = commonLengths(left, right)
  const lines: LineChange[] = []
  let at = 0
  let to = 0
  while (at < left.length || to < right.length) {
    const inLeft = left[at]
    const inRight = right[to]
    if (inLeft !== undefined && inLeft === inRight) {
      lines.push({ kind: 'same', text: inLeft })
      at += 1
      to += 1
    } else if (
      inRight === undefined ||
      (inLeft !== undefined && (common[at + 1]?.[to] ?? 0) >= (common[at]?.[to + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: inLeft ?? '' })
      at += 1
    } else {
      lines.push({ kind: 'added', text: inRight })
      to += 1
    }
  }
  return lines
}

/** Length of the longest common run of lines from each pair of places on. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let at = left.length - 1; at >= 0; at -= 1) {
    const row = lengths[at]
    const below = lengths[at + 1]
    if (!row || !below) continue
    for (let to = right.length - 1; to >= 0; to -= 1) {
      row[to] = left[at] === right[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return lengths
}

const MARKS = { same: ' ', removed: '-', added: '+' } as const

/** A unified diff without a header of file names; empty when the texts are equal. Each line of it ends with a line feed. */
export function toUnifiedDiff(before: string, after: string): string {
  const lines = diffLines(before, after)
  const hunks: string[] = []
  for (let at = 0; at < lines.length;) {
    const first = lines.findIndex(({ kind }, index) => index >= at && kind !== 'same')
    if (first === -1) break
    const last = endOfHunk(lines, first)
    hunks.push(toHunk(lines, Math.max(0, first - CONTEXT), Math.min(lines.length, last + CONTEXT)))
    at = last
  }
  return hunks.join('')
}

/** One behind the last change of the hunk that begins at `first`: contexts that touch are one. */
function endOfHunk(lines: readonly LineChange[], first: number): number {
  let last = first + 1
  for (let at = last; at < lines.length && at - last < 2 * CONTEXT; at += 1) {
    if (lines[at]?.kind !== 'same') last = at + 1
  }
  return last
}

function toHunk(lines: readonly LineChange[], from: number, to: number): string {
  const count = (part: readonly LineChange[], without: LineChange['kind']): number =>
    part.filter(({ kind }) => kind !== without).length
  const above = lines.slice(0, from)
  const shown = lines.slice(from, to)
  const range = (without: LineChange['kind']): string => {
    const length = count(shown, without)
    // A side without lines names the line before the place, as diff does.
    const start = count(above, without) + (length === 0 ? 0 : 1)
    return length === 1 ? `${start}` : `${start},${length}`
  }
  const body = shown.map(({ kind, text }) => `${MARKS[kind]}${text}\n`).join('')
  return `@@ -${range('added')} +${range('removed')} @@\n${body}`
}
