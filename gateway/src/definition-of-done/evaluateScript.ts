// Decides whether a definition-of-done script is met, clause by clause. Pure: states and time come in, a verdict goes out.

import { type ASTNode, Environment, evaluate, serialize } from '@marcbachmann/cel-js'
import { boundLabels } from '@watchroom/shared/health'
import type { DodClause, DodVerdict } from '@watchroom/shared/incidents'

import { DURATION, sentenceOf, toDuration } from '../platform/expressionLanguage.ts'

/** Evaluation cannot be interrupted, so what could run long or build much is not accepted in the first place. */
const MAX_SCRIPT_LENGTH = 4_000
const MAX_NODES = 200
const MAX_DEPTH = 24
const MAX_LIST = 50
/** Walks over lists within walks over lists. */
const MAX_MACRO_DEPTH = 2
/** A script that looks at an age in some other way than comparing it is looked at again this often. */
const UNKNOWN_AGE_MS = 1_000
const UNKNOWN = 'the script cannot be evaluated'

/** Something that a script can look at, as it is now. */
export interface Subject {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly type: string
  readonly health: string
  readonly severity: string
  readonly labels: Readonly<Record<string, string>>
  /** Since when the status is what it is; null when nobody knows. Milliseconds since the epoch. */
  readonly since: number | null
  /** Up to when it was seen like this, while it cannot be seen now: it does not grow older than that. Milliseconds since the epoch. */
  readonly knownUntil?: number | null
}

const SUBJECT_NAMES = ['check', 'component', 'config', 'analysis'] as const
export type SubjectName = (typeof SUBJECT_NAMES)[number]
export type Subjects = Readonly<Partial<Record<SubjectName, Subject>>>

export interface Evaluation extends Omit<DodVerdict, 'id'> {
  /** When time alone may change the verdict; null when only a change of state can. Milliseconds since the epoch. */
  readonly nextAt: number | null
}

const SCHEMA = {
  id: 'string',
  name: 'string',
  status: 'string',
  type: 'string',
  health: 'string',
  severity: 'string',
  labels: 'map<string, string>',
  age: DURATION,
}

const environment = new Environment({
  limits: { maxAstNodes: MAX_NODES, maxDepth: MAX_DEPTH, maxListElements: MAX_LIST, maxMapEntries: MAX_LIST },
})
for (const name of SUBJECT_NAMES) environment.registerVariable({ name, schema: SCHEMA })

/** @param now milliseconds since the epoch, by the clock that `since` is told by */
export function evaluateScript(script: string, subjects: Subjects, now: number): Evaluation {
  if (script.length > MAX_SCRIPT_LENGTH) return failed(`the script is longer than ${MAX_SCRIPT_LENGTH} characters`)
  const checked = environment.check(script)
  if (!checked.valid) return failed(sentenceOf(checked.error, UNKNOWN))
  if (checked.type !== 'bool') return failed(`the script must be true or false, this is ${checked.type}`)
  const { ast } = environment.parse(script)
  const danger = findDanger(ast)
  if (danger) return failed(danger)
  const context = toContext(subjects, now)
  const nodes = splitClauses(ast)
  const clauses = nodes.map((node) => evaluateClause(node, subjects, context))
  const moments = nodes.flatMap((node) => momentsOf(node, subjects, now))
  const broken = clauses.find(({ error }) => error !== null)
  // What is false already stays false, whatever cannot be told beside it.
  const isFalse = clauses.some(({ holds }) => holds === false)
  const done = isFalse ? false : broken ? null : true
  return {
    done,
    error: done === null ? (broken?.error ?? null) : null,
    clauses,
    ...ringOf(clauses),
    nextAt: moments.length === 0 ? null : Math.min(...moments),
  }
}

function failed(error: string): Evaluation {
  return { done: null, error, clauses: [], holdsSince: null, holdMs: null, nextAt: null }
}

/** The parts of `a && b && c`; a script of another form is one clause. */
function splitClauses(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(splitClauses) : [node]
}

function evaluateClause(node: ASTNode, subjects: Subjects, context: object): DodClause {
  const written = node.input.slice(node.range.start, node.range.end)
  // cel-js 8.0 leaves the closing bracket out of some ranges; the words people wrote are shown where they are whole.
  const text = environment.check(written).valid ? written : serialize(node)
  const hold = readHold(node)
  const since = hold ? (subjects[hold.subject]?.since ?? null) : null
  const ring = { holdsSince: hold?.isMinimum ? since : null, holdMs: hold?.isMinimum ? hold.holdMs : null }
  try {
    const holds: unknown = environment.evaluate(serialize(node), context)
    return { text, holds: holds === true, error: null, ...ring }
  } catch (error) {
    const missing = SUBJECT_NAMES.find((name) => mentions(node, name) && !subjects[name])
    const isAgeUnknown = hold !== null && subjects[hold.subject] !== undefined && since === null
    const reason = missing
      ? `nothing is known of the ${missing}`
      : isAgeUnknown
        ? `since when the ${hold.subject} is in this state is not known`
        : sentenceOf(error, UNKNOWN)
    return { text, holds: null, error: reason, ...ring }
  }
}

/** A comparison of an age with a length of time. */
interface Hold {
  readonly subject: SubjectName
  readonly holdMs: number
  /** The age must reach it; otherwise it must stay below. */
  readonly isMinimum: boolean
}

function readHold(node: ASTNode): Hold | null {
  if (node.op !== '>' && node.op !== '>=' && node.op !== '<' && node.op !== '<=') return null
  const [left, right] = node.args
  const isAgeLeft = subjectOfAge(left) !== null
  const subject = subjectOfAge(isAgeLeft ? left : right)
  const holdMs = readDuration(isAgeLeft ? right : left)
  if (subject === null || holdMs === null) return null
  return { subject, holdMs, isMinimum: node.op.startsWith('>') === isAgeLeft }
}

function subjectOfAge(node: ASTNode): SubjectName | null {
  if (node.op !== '.' || node.args[1] !== 'age') return null
  const [of] = node.args
  return of.op === 'id' ? (SUBJECT_NAMES.find((name) => name === of.args) ?? null) : null
}

function readDuration(node: ASTNode): number | null {
  if (node.op !== 'call' || node.args[0] !== 'duration') return null
  try {
    const value: unknown = evaluate(serialize(node))
    if (typeof value !== 'object' || value === null || !('seconds' in value) || !('nanos' in value)) return null
    return Number(value.seconds) * 1_000 + Number(value.nanos) / 1e6
  } catch {
    // Not a length of time: the clause itself says so when it is evaluated.
    return null
  }
}

/** The hold that decides, once everything that is no hold is true. */
function ringOf(clauses: readonly DodClause[]): { holdsSince: number | null; holdMs: number | null } {
  const others = clauses.filter(({ holdMs }) => holdMs === null)
  const endOf = ({ holdsSince, holdMs }: DodClause): number => (holdsSince ?? 0) + (holdMs ?? 0)
  const [last] = clauses
    .filter(({ holdMs, holdsSince }) => holdMs !== null && holdsSince !== null)
    .toSorted((a, b) => endOf(b) - endOf(a))
  if (!last || others.some(({ holds }) => holds !== true)) return { holdsSince: null, holdMs: null }
  return { holdsSince: last.holdsSince, holdMs: last.holdMs }
}

/** When a clause may change by time alone. */
function momentsOf(node: ASTNode, subjects: Subjects, now: number): number[] {
  const hold = readHold(node)
  if (hold) {
    const since = subjects[hold.subject]?.since ?? null
    // One more, because `>` is not met at the very moment.
    const at = since === null ? null : Math.ceil(since + hold.holdMs) + 1
    return at !== null && at > now ? [at] : []
  }
  return SUBJECT_NAMES.some((name) => mentionsAge(node, name)) ? [now + UNKNOWN_AGE_MS] : []
}

function toContext(subjects: Subjects, now: number): object {
  const context = Object.create(null) as Record<string, unknown>
  for (const name of SUBJECT_NAMES) {
    const subject = subjects[name]
    if (!subject) continue
    const { since, knownUntil, labels, ...fields } = subject
    const value = Object.assign(Object.create(null) as Record<string, unknown>, fields)
    value['labels'] = new Map(Object.entries(boundLabels(labels)))
    const ageMs = Math.min(now, knownUntil ?? now) - (since ?? 0)
    if (since !== null) value['age'] = toDuration(ageMs)
    context[name] = value
  }
  return context
}

/** Why a script is not run although it is well-formed; null when nothing speaks against it. */
function findDanger(node: ASTNode, macroDepth = 0): string | null {
  const isCall = node.op === 'call' || node.op === 'rcall'
  // A regular expression can take for ever, and there is no way to stop it.
  if (isCall && node.args[0] === 'matches') return '`matches` is not available here'
  const depth = macroDepth + (node.op === 'rcall' && MACROS.has(node.args[0]) ? 1 : 0)
  if (depth > MAX_MACRO_DEPTH) return 'too many walks over lists within one another'
  for (const child of childrenOf(node)) {
    const danger = findDanger(child, depth)
    if (danger) return danger
  }
  return null
}

const MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function childrenOf(node: ASTNode): ASTNode[] {
  const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value
  const flat = (value: unknown): ASTNode[] =>
    isNode(value) ? [value] : Array.isArray(value) ? value.flatMap(flat) : []
  return flat(node.args)
}

function mentions(node: ASTNode, name: SubjectName): boolean {
  return (node.op === 'id' && node.args === name) || childrenOf(node).some((child) => mentions(child, name))
}

function mentionsAge(node: ASTNode, name: SubjectName): boolean {
  return subjectOfAge(node) === name || childrenOf(node).some((child) => mentionsAge(child, name))
}
