import { formatLineRange, type LineRange, toRange, tryParseLineRange } from '../log-view/lineRange.ts'

/** Selected lines, in order and without overlap. */
export type LineRanges = readonly LineRange[]

/** More than anyone selects line by line; longer URLs are not ours. */
const MAX_RANGES = 500

/** `3,12-20`, as in a URL. Invalid parts are left out. */
export function parseLineRanges(text: string): LineRanges {
  const ranges = text.split(',', MAX_RANGES).flatMap((part) => tryParseLineRange(part.trim()) ?? [])
  return join(ranges)
}

export const formatLineRanges = (ranges: LineRanges): string => ranges.map(formatLineRange).join()

/** Only lines that exist. */
export const within = (ranges: LineRanges, count: number): LineRanges =>
  ranges.flatMap(({ from, to }) => (from > count ? [] : [{ from, to: Math.min(to, count) }]))

export const includesLine = (ranges: LineRanges, line: number): boolean =>
  ranges.some(({ from, to }) => from <= line && line <= to)

export const countLines = (ranges: LineRanges): number => ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)

/** Adds a line, or removes it. */
export function toggleLine(ranges: LineRanges, line: number): LineRanges {
  if (!includesLine(ranges, line)) return join([...ranges, { from: line, to: line }])
  return ranges.flatMap(({ from, to }) => {
    if (line < from || to < line) return [{ from, to }]
    return [
      { from, to: line - 1 },
      { from: line + 1, to },
    ].filter((part) => part.from <= part.to)
  })
}

export const rangeOf = (anchor: number, line: number): LineRanges => [toRange(anchor, line)]

function join(ranges: LineRanges): LineRanges {
  const joined: LineRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && range.from <= last.to + 1) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    } else joined.push(range)
  }
  return joined
}
