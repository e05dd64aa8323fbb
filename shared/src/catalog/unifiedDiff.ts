// Reads unified diffs: what a change took away and brought, and what a text was before it.

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** Number of the line before and after the change, from 1; null where it was not. */
  readonly before: number | null
  readonly after: number | null
}

/** Lines that belong together. */
export interface DiffHunk {
  readonly lines: readonly DiffLine[]
}

const HUNK_HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The hunks of a unified diff. None when the text is no such diff. Lines that a hunk promises and that are missing are left out. */
export function parseUnifiedDiff(text: string): DiffHunk[] {
  const hunks: DiffHunk[] = []
  const rows = text.split('\n')
  for (let at = 0; at < rows.length; at += 1) {
    const head = HUNK_HEAD.exec(rows[at] ?? '')
    if (head === null) continue
    const [lines, length] = readHunk(rows, at + 1, head)
    hunks.push({ lines })
    at += length
  }
  return hunks
}

/** Where a hunk without lines on one side stands, its number is that of the line before it. */
const toFirst = (start: number, count: number): number => (count === 0 ? start + 1 : start)

function readHunk(rows: readonly string[], from: number, head: RegExpExecArray): [lines: DiffLine[], length: number] {
  // The counts decide where it ends: a line that begins with `--` may well be content.
  const counts = [Number(head[2] ?? 1), Number(head[4] ?? 1)] as const
  let [before, after] = [toFirst(Number(head[1]), counts[0]), toFirst(Number(head[3]), counts[1])]
  const [lastBefore, lastAfter] = [before + counts[0], after + counts[1]]
  const lines: DiffLine[] = []
  let at = from
  for (; at < rows.length && (before < lastBefore || after < lastAfter); at += 1) {
    const row = rows[at] ?? ''
    const text = row.slice(1)
    if (row.startsWith('-')) lines.push({ kind: 'removed', text, before: before++, after: null })
    else if (row.startsWith('+')) lines.push({ kind: 'added', text, before: null, after: after++ })
    // Programs cut the blank at the end of an empty line.
    else if (row.startsWith(' ') || row === '') lines.push({ kind: 'same', text, before: before++, after: after++ })
    else if (!row.startsWith('\\')) break
  }
  return [lines, at - from]
}

/** One line of two columns. */
export interface DiffPair {
  readonly left: DiffLine | null
  readonly right: DiffLine | null
}

/** A hunk as two columns: what was removed stands beside what was added in its place. */
export function toDiffPairs({ lines }: DiffHunk): DiffPair[] {
  const pairs: DiffPair[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      pairs.push({ left: removed[at] ?? null, right: added[at] ?? null })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else {
      flush()
      pairs.push({ left: line, right: line })
    }
  }
  flush()
  return pairs
}

const toLines = (text: string): string[] => {
  const lines = text.split('\n')
  // A text with and one without a line end are the same content.
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The text before a change.
 *
 * @param after the text that the change led to
 * @returns null where the diff is none, or was not made of this text
 */
export function revertUnifiedDiff(after: string, diff: string): string | null {
  const hunks = parseUnifiedDiff(diff)
  if (hunks.length === 0) return null
  const current = toLines(after)
  const before: string[] = []
  let at = 0
  for (const { lines } of hunks) {
    const first = lines.find((line) => line.after !== null)?.after ?? null
    const start = first === null ? toInsertion(lines, before.length, at) : first - 1
    if (start < at || start > current.length) return null
    before.push(...current.slice(at, start))
    at = start
    for (const line of lines) {
      if (line.kind !== 'removed' && current[at++] !== line.text) return null
      if (line.kind !== 'added') before.push(line.text)
    }
  }
  before.push(...current.slice(at))
  return before.length === 0 ? '' : `${before.join('\n')}\n`
}

/** A hunk that only removes says by the place before it where that was. */
function toInsertion(lines: readonly DiffLine[], beforeLength: number, at: number): number {
  const first = lines[0]?.before ?? 1
  return at + (first - 1 - beforeLength)
}
