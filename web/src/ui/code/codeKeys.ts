import { type LineRanges, rangeOf, toggleLine } from './lineRanges.ts'

/** Lines that Page Up and Page Down move by. */
const PAGE = 20

interface KeyInput {
  readonly event: {
    readonly key: string
    readonly shiftKey: boolean
    readonly ctrlKey: boolean
    readonly metaKey: boolean
    readonly altKey: boolean
  }
  /** The line that keys act on; null before the first key. */
  readonly cursor: number | null
  /** Where a range begins. */
  readonly anchor: number | null
  /** The first line in sight. */
  readonly top: number
  readonly count: number
  readonly selected: LineRanges
}

interface Selection {
  readonly cursor: number | null
  readonly anchor: number | null
  readonly selected: LineRanges
}

/** How a key changes the selection; null for other keys. */
export function toSelection({ event, cursor, anchor, top, count, selected }: KeyInput): Selection | null {
  const { key, shiftKey } = event
  if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return null
  if (key === 'Escape') return selected.length === 0 ? null : { cursor, anchor: null, selected: [] }
  if (key === ' ' || key === 'Enter') {
    const line = cursor ?? top
    return { cursor: line, anchor: line, selected: toggleLine(selected, line) }
  }
  const target = toTarget(key, cursor, top, count)
  if (target === null) return null
  const line = Math.min(count, Math.max(1, target))
  if (!shiftKey && key !== 'J' && key !== 'K') return { cursor: line, anchor: null, selected }
  const from = anchor ?? cursor ?? line
  return { cursor: line, anchor: from, selected: rangeOf(from, line) }
}

function toTarget(key: string, cursor: number | null, top: number, count: number): number | null {
  // The first key shows where the cursor is.
  const step = (lines: number): number => (cursor === null ? top : cursor + lines)
  switch (key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      return step(1)
    case 'ArrowUp':
    case 'k':
    case 'K':
      return step(-1)
    case 'PageDown':
      return step(PAGE)
    case 'PageUp':
      return step(-PAGE)
    case 'Home':
      return 1
    case 'End':
      return count
    default:
      return null
  }
}
