// The language of custom templates: text, `{{ expression }}`, `if`, `else if`, `else`, `range` and `end`. Expressions are CEL; names
// may begin with a dot, as templates of other servers write them.
import { failed, ok, type Result } from '@watchroom/shared/kernel'

export interface TemplatePlace {
  /** Both from 1. */
  readonly line: number
  readonly column: number
}

export interface TemplateProblem extends TemplatePlace {
  readonly message: string
}

export interface Expression extends TemplatePlace {
  readonly source: string
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[]; readonly otherwise: readonly TemplateNode[] }
  | { readonly kind: 'range'; readonly list: Expression; readonly body: readonly TemplateNode[] }

interface Branch {
  readonly condition: Expression
  readonly body: readonly TemplateNode[]
}

const MAX_TEMPLATE_CHARACTERS = 20_000
const MAX_DEPTH = 10
/** Words of other template languages, which would otherwise be read as names. */
const FOREIGN = /^(?:with|define|template|block|break|continue)\b/

interface Action extends TemplatePlace {
  readonly kind: 'action'
  readonly source: string
}
type Piece = Action | { readonly kind: 'text'; readonly text: string }

/** @throws nothing; what is wrong says where */
export function parseTemplate(text: string): Result<readonly TemplateNode[], TemplateProblem> {
  if (text.length > MAX_TEMPLATE_CHARACTERS) {
    return failed({ line: 1, column: 1, message: `The template is longer than ${MAX_TEMPLATE_CHARACTERS} characters.` })
  }
  try {
    const reader = { pieces: split(text), at: 0 }
    const { nodes, end } = readNodes(reader, 0)
    if (end) throw new Problem(end, `There is nothing that "${end.source}" could belong to.`)
    return ok(nodes)
  } catch (error) {
    if (error instanceof Problem) return failed({ ...error.place, message: error.message })
    throw error
  }
}

class Problem extends Error {
  override readonly name = 'Problem'
  readonly place: TemplatePlace

  constructor({ line, column }: TemplatePlace, message: string) {
    super(message)
    this.place = { line, column }
  }
}

function split(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (;;) {
    const open = text.indexOf('{{', from)
    if (open < 0) break
    const place = placeOf(text, open)
    const close = findClose(text, open + 2)
    if (close === null) throw new Problem(place, 'Here {{ is opened and never closed.')
    const source = text.slice(open + 2, close)
    const before = text.slice(from, open)
    // A dash beside the braces drops the blanks there.
    pieces.push({ kind: 'text', text: source.startsWith('-') ? before.trimEnd() : before })
    pieces.push({ kind: 'action', source: source.replace(/^-/, '').replace(/-$/, '').trim(), ...place })
    from = close + 2
    if (source.endsWith('-')) from += text.slice(from).length - text.slice(from).trimStart().length
  }
  return [...pieces, { kind: 'text', text: text.slice(from) }]
}

/** Outside of quotes. */
function findClose(text: string, from: number): number | null {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (text.startsWith('}}', at)) return at
  }
  return null
}

function placeOf(text: string, at: number): TemplatePlace {
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

interface Reader {
  readonly pieces: readonly Piece[]
  at: number
}

/** Up to the `else` or `end` that is not its own. */
function readNodes(reader: Reader, depth: number): { nodes: TemplateNode[]; end: Action | null } {
  const nodes: TemplateNode[] = []
  for (;;) {
    const piece = reader.pieces[reader.at++]
    if (!piece) return { nodes, end: null }
    if (piece.kind === 'text') {
      if (piece.text !== '') nodes.push(piece)
      continue
    }
    if (/^(?:else|end)\b/.test(piece.source)) return { nodes, end: piece }
    nodes.push(readAction(reader, piece, depth))
  }
}

function readAction(reader: Reader, action: Action, depth: number): TemplateNode {
  const [, word, rest = ''] = /^(if|range)\b\s*(.*)$/s.exec(action.source) ?? []
  if (word !== undefined && depth === MAX_DEPTH) throw new Problem(action, 'This is nested too deeply.')
  if (word === 'if') return readChoice(reader, { ...action, source: rest }, depth)
  if (word === 'range') {
    const { nodes, end } = readNodes(reader, depth + 1)
    if (end?.source !== 'end') throw new Problem(end ?? action, 'This range has no {{ end }}.')
    return { kind: 'range', list: toExpression({ ...action, source: rest }), body: nodes }
  }
  return { kind: 'value', expression: toExpression(action) }
}

function readChoice(reader: Reader, action: Action, depth: number): TemplateNode {
  const branches: Branch[] = []
  let next: Action = action
  for (;;) {
    const condition = toExpression(next)
    const { nodes, end } = readNodes(reader, depth + 1)
    branches.push({ condition, body: nodes })
    if (end === null) throw new Problem(action, 'This if has no {{ end }}.')
    if (end.source === 'end') return { kind: 'choice', branches, otherwise: [] }
    const more = /^else\s+if\b\s*(.*)$/s.exec(end.source)?.[1]
    if (more === undefined) {
      if (end.source !== 'else') throw new Problem(end, `"${end.source}" is neither else nor else if.`)
      const last = readNodes(reader, depth + 1)
      if (last.end?.source !== 'end') throw new Problem(last.end ?? end, 'This else has no {{ end }}.')
      return { kind: 'choice', branches, otherwise: last.nodes }
    }
    next = { ...end, source: more }
  }
}

function toExpression({ source, line, column }: Action): Expression {
  if (source === '') throw new Problem({ line, column }, 'An expression is missing.')
  const foreign = FOREIGN.exec(source)?.[0]
  if (foreign !== undefined) throw new Problem({ line, column }, `"${foreign}" is not known here.`)
  return { source, line, column }
}
