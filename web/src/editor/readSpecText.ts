// A spec as someone writes it. JSON is read as the part of YAML that it is.
import { isNode, LineCounter, parseDocument, stringify } from 'yaml'

import type { EditorPlace, EditorProblem } from './contract.ts'

export type SpecPath = readonly (string | number)[]

/** More references than this are an attack, not a shortened text. */
const MAX_ALIASES = 100
/** Of every text that is written: long lines stay lines. */
export const WRITE_OPTIONS = { lineWidth: 0 } as const

export interface ReadText {
  /** Null when the text is not YAML or not a map: then there is nothing to show in a form. */
  readonly spec: Readonly<Record<string, unknown>> | null
  readonly problem: EditorProblem | null
  /** Where a path stands in the text; the nearest place above it when it is not there. */
  readonly locate: (path: SpecPath) => EditorProblem
}

export function readSpecText(text: string): ReadText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (from: number, to: number, message: string): EditorProblem => {
    const start = lines.linePos(from)
    const end = lines.linePos(Math.max(to, from + 1))
    return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col, message }
  }
  const locate = (path: SpecPath): EditorProblem => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return at(node.range[0], node.range[1], '')
    }
    return at(0, 1, '')
  }
  const unreadable = (problem: EditorProblem): ReadText => ({ spec: null, problem, locate })

  const [error] = document.errors
  if (error) return unreadable(at(error.pos[0], error.pos[1], error.message))
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (value === null || value === undefined) return { spec: {}, problem: null, locate }
    if (typeof value === 'object' && !Array.isArray(value)) {
      return { spec: value as Record<string, unknown>, problem: null, locate }
    }
    return unreadable(at(0, text.length, 'A spec is a map of keys and values'))
  } catch (error) {
    // An unresolved or endless reference.
    return unreadable(at(0, text.length, error instanceof Error ? error.message : 'can’t be read'))
  }
}

export const toSpecText = (spec: Readonly<Record<string, unknown>>): string =>
  Object.keys(spec).length === 0 ? '' : stringify(spec, WRITE_OPTIONS)

export const toPlace = ({ line, column }: EditorProblem): EditorPlace => ({ line, column })
