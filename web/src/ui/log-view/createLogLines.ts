import { type AnsiStyle, parseAnsi, PLAIN } from './ansi.ts'

/** Between two drawings of a log that grows: faster lines are collected meanwhile. */
export const DRAW_MS = 100

export interface LogLine {
  /** As it was printed, without its end. */
  readonly text: string
  /** When it began: RFC 3339; null where nobody knows. */
  readonly at: string | null
  readonly stream: LogStream
  /** Looks in force at its beginning. */
  readonly start: AnsiStyle
  /** What its source calls it, where others may come before it: places in the list change then. */
  readonly id?: string
  /** Where it comes from. */
  readonly labels?: Readonly<Record<string, string>>
  /** A word between lines, of nobody's program. */
  readonly isRemark?: boolean
}

export type LogStream = 'stdout' | 'stderr'

export interface LogPiece {
  readonly text: string
  readonly at: string | null
  readonly stream: LogStream
}

/** Lines that only grow. `lines` is the same array always: `revision` says that it has more in it. */
export interface LogLines {
  readonly lines: readonly LogLine[]
  readonly revision: () => number
  readonly append: (pieces: Iterable<LogPiece>) => void
  /** Everything, as it was printed. */
  readonly text: () => string
  readonly subscribe: (listener: () => void) => () => void
}

/** A line stands where it began, also when its end came after another stream's lines. */
export function createLogLines(): LogLines {
  const lines: LogLine[] = []
  const listeners = new Set<() => void>()
  const open: Record<LogStream, number | null> = { stdout: null, stderr: null }
  const style: Record<LogStream, AnsiStyle> = { stdout: PLAIN, stderr: PLAIN }
  let revision = 0

  const take = ({ text, at, stream }: LogPiece): void => {
    const parts = text.split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      grow(stream, at, part)
      const ended = lines[open[stream] ?? 0]
      if (ended !== undefined) style[stream] = parseAnsi(ended.text, ended.start).end
      open[stream] = null
    }
    if (last !== '') grow(stream, at, last)
  }

  const grow = (stream: LogStream, at: string | null, text: string): void => {
    const index = open[stream]
    const line = index === null ? undefined : lines[index]
    if (index === null || line === undefined) {
      open[stream] = lines.push({ text, at, stream, start: style[stream] }) - 1
    } else lines[index] = { ...line, text: line.text + text }
  }

  return {
    lines,
    revision: () => revision,
    append: (pieces) => {
      for (const piece of pieces) take(piece)
      revision += 1
      for (const listener of listeners) listener()
    },
    text: () => {
      const isOpen = Object.values(open).includes(lines.length - 1)
      return lines.map((line) => line.text).join('\n') + (lines.length === 0 || isOpen ? '' : '\n')
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
