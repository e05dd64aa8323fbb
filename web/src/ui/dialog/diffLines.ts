export interface DiffLine {
  readonly kind: 'same' | 'mine' | 'theirs'
  readonly text: string
}

/** Beyond this many lines on either side the texts are shown one after the other: the comparison grows with the square. */
const MAX_LINES = 1_500

/** Both texts in one list of lines: what both have, what only one has. */
export function diffLines(theirs: string, mine: string): DiffLine[] {
  const left = theirs.split('\n')
  const right = mine.split('\n')
  if (left.length > MAX_LINES || right.length > MAX_LINES) {
    return [
      ...left.map((text): DiffLine => ({ kind: 'theirs', text })),
      ...right.map((text): DiffLine => ({ kind: 'mine', text })),
    ]
  }
  const common = commonLengths(left, right)
  const lines: DiffLine[] = []
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
      lines.push({ kind: 'theirs', text: inLeft ?? '' })
      at += 1
    } else {
      lines.push({ kind: 'mine', text: inRight })
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
