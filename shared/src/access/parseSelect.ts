// Reads PostgREST's `select` as far as one question needs it: which relations does it embed? Knows neither tables nor rights.
//
// What PostgREST might read differently is refused rather than guessed: it stops at the first character that it does not
// understand and ignores the rest, this parser wants to understand all of it.

import { failed, ok, type Result } from '../kernel/result.ts'

/** One `alias:target!hint(…)`, at whatever depth. */
export interface Embed {
  /** A table, a view, a function, a column of a foreign key or the name of a constraint: PostgREST takes each of them. */
  readonly target: string
  readonly hints: readonly string[]
  /** 1 for what stands directly in the select. */
  readonly depth: number
}

/** `deep` and `wide`: more than `SELECT_LIMITS` allows. `unreadable`: not PostgREST's grammar. */
export type SelectProblem = 'unreadable' | 'deep' | 'wide'

/** The detail of an incident is 4 deep and has 12; each one is a join that someone else waits for. */
export const SELECT_LIMITS = { depth: 4, embeds: 16 } as const

const JOINS: ReadonlySet<string> = new Set(['inner', 'left'])
const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'count'])

const SPACES = /[ \t\r\n]*/y
/** A dash belongs to a name unless it begins an arrow. */
const NAME = /[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]+)*/uy
/** Older versions end at a quote after a backslash, newer ones do not: nothing of ours has one. */
const QUOTED = /"([^"\\]*)"/y
const ARROW = /->>?/y
/** Quotes mean nothing in a JSON path: whoever took them for quotes would overlook what follows the next comma. */
const JSON_KEY = /-?[^(:.,>)-]+(?:-(?!>)[^(:.,>)-]+)*/y
const CAST = /[\w ]+(?:\[\])*/y

/** Every relation that a select embeds, outermost first. */
export function parseSelect(text: string): Result<readonly Embed[], SelectProblem> {
  const embeds: Embed[] = []
  try {
    const reader = createReader(text)
    readItems(reader, 1, embeds)
    // The console's list of an incident's changes ends with one bracket too many, and PostgREST does not mind.
    reader.skip(')')
    return reader.isAtEnd() ? ok(embeds) : failed('unreadable')
  } catch (error) {
    if (error instanceof SelectError) return failed(error.problem)
    throw error
  }
}

class SelectError extends Error {
  override readonly name = 'SelectError'
  readonly problem: SelectProblem

  constructor(problem: SelectProblem) {
    super(problem)
    this.problem = problem
  }
}

interface Reader {
  /** What matches here, without spaces around it; null when nothing does. */
  match(pattern: RegExp): RegExpExecArray | null
  skip(text: string): boolean
  isAt(text: string): boolean
  isAtEnd(): boolean
}

function createReader(text: string): Reader {
  let position = 0
  const matchHere = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found) position = pattern.lastIndex
    return found
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    matchHere(SPACES)
    const found = matchHere(pattern)
    matchHere(SPACES)
    return found
  }
  matchHere(SPACES)
  return {
    match,
    skip: (expected) => {
      if (!text.startsWith(expected, position)) return false
      position += expected.length
      matchHere(SPACES)
      return true
    },
    isAt: (expected) => text.startsWith(expected, position),
    isAtEnd: () => position === text.length,
  }
}

/** A list without brackets; empty items pass, as `select=` and `id,` do. */
function readItems(reader: Reader, depth: number, embeds: Embed[]): void {
  do readItem(reader, depth, embeds)
  while (reader.skip(','))
}

function readItem(reader: Reader, depth: number, embeds: Embed[]): void {
  if (reader.skip('*')) return
  const isSpread = reader.skip('...')
  let target = readName(reader)
  if (target === null) {
    if (isSpread) throw new SelectError('unreadable')
    return
  }
  // Two colons begin a cast.
  if (!reader.isAt('::') && reader.skip(':')) target = readName(reader) ?? refuse()
  const hints: string[] = []
  let isRelation = isSpread
  while (reader.skip('!')) {
    isRelation = true
    const hint = readName(reader) ?? refuse()
    if (!JOINS.has(hint)) hints.push(hint)
  }
  if (reader.skip('(')) {
    // `count()` counts; everything else with brackets is a relation, even when they are empty.
    if (target === 'count' && !isRelation && reader.skip(')')) return readPath(reader)
    if (depth > SELECT_LIMITS.depth) throw new SelectError('deep')
    if (embeds.length >= SELECT_LIMITS.embeds) throw new SelectError('wide')
    embeds.push({ target, hints, depth })
    readItems(reader, depth + 1, embeds)
    if (!reader.skip(')')) refuse()
    return
  }
  if (isRelation) refuse()
  readPath(reader)
}

/** `->a->>b`, `::type`, `.sum()`, in any order. */
function readPath(reader: Reader): void {
  for (;;) {
    if (reader.match(ARROW)) {
      if (!reader.match(JSON_KEY)) refuse()
    } else if (reader.skip('::')) {
      if (!reader.match(CAST)) refuse()
    } else if (reader.skip('.')) {
      if (!AGGREGATES.has(readName(reader) ?? '') || !reader.skip('(') || !reader.skip(')')) refuse()
    } else return
  }
}

function readName(reader: Reader): string | null {
  const quoted = reader.match(QUOTED)
  if (quoted) return quoted[1] ?? ''
  return reader.match(NAME)?.[0].trim() ?? null
}

function refuse(): never {
  throw new SelectError('unreadable')
}
