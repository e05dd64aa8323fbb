import type { DiffHunk, DiffLine } from '@watchroom/shared/catalog'
import { diffLines } from '@watchroom/shared/kernel'

/** Equal lines that are shown around what differs. */
const CONTEXT = 3

/** What makes one text another, with a few equal lines around. None when they are equal. */
export function toDiffHunks(before: string, after: string): DiffHunk[] {
  const lines = toNumbered(before, after)
  const isNear = lines.map(() => false)
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    isNear.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1)
  }
  const hunks: DiffLine[][] = []
  for (const [at, line] of lines.entries()) {
    if (!isNear[at]) continue
    if (at === 0 || !isNear[at - 1]) hunks.push([])
    hunks.at(-1)?.push(line)
  }
  return hunks.map((own) => ({ lines: own }))
}

/** What both begin and end with is not compared: of a long text that changed in one place little is left. */
function toNumbered(before: string, after: string): DiffLine[] {
  const [left, right] = [toLines(before), toLines(after)]
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start += 1
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const [oldLines, newLines] = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  const same = (text: string): Unnumbered => ({ kind: 'same', text })
  return number([
    ...left.slice(0, start).map(same),
    ...compare(oldLines, newLines),
    ...left.slice(left.length - end).map(same),
  ])
}

type Unnumbered = Pick<DiffLine, 'kind' | 'text'>

/** A text of no lines is not one of an empty line. */
const compare = (before: readonly string[], after: readonly string[]): Unnumbered[] => {
  if (before.length === 0) return after.map((text) => ({ kind: 'added', text }))
  if (after.length === 0) return before.map((text) => ({ kind: 'removed', text }))
  return diffLines(before.join('\n'), after.join('\n'))
}

function number(lines: readonly Unnumbered[]): DiffLine[] {
  let [before, after] = [0, 0]
  return lines.map(({ kind, text }) => {
    if (kind !== 'added') before += 1
    if (kind !== 'removed') after += 1
    return { kind, text, before: kind === 'added' ? null : before, after: kind === 'removed' ? null : after }
  })
}

const toLines = (text: string): string[] => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
