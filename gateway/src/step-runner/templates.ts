// Text with `{{ expression }}` in it. Names are looked up here; whatever is more than a name is evaluated apart, in a process of its
// own, because people wrote it. Values reach a script as variables of its environment, never as words of it.
import { ownValue } from '@watchroom/shared/kernel'
import type { PlaybookSpec } from '@watchroom/shared/playbooks'

import type { LookVariable } from '../check-runner/evaluateLook.ts'
import type { LookUp } from '../check-runner/lookApart.ts'
import { ShellReader } from './shellReader.ts'
import { NotAsked, TemplateFault } from './templateFault.ts'

/** What expressions may look at, by name; JSON values. */
export type Scope = Readonly<Record<string, unknown>>

export interface FilledScript {
  readonly script: string
  /** Values by the names that the script has for them. */
  readonly env: Readonly<Record<string, string>>
}

/** `{{ expression }}`. */
export const HOLES = /\{\{.*?\}\}/gs
const OPEN = '{{'
const CLOSE = '}}'
/** `params.name`, also as templates of other servers write it: `.params.name`. */
const NAME = /^\.?[A-Za-z_][\w-]*(?:\.[\w-]+)*$/
const MAX_VALUE_CHARACTERS = 100_000

/** @throws TemplateFault */
export async function fillTemplate(text: string, scope: Scope, lookUp: LookUp): Promise<string> {
  const filled: string[] = []
  for (const part of split(text)) {
    filled.push(part.kind === 'text' ? part.text : await valueOf(part.text, scope, lookUp))
  }
  return filled.join('')
}

/** @throws TemplateFault also where a value would become text of another program */
export async function fillScript(script: string, scope: Scope, lookUp: LookUp): Promise<FilledScript> {
  const reader = new ShellReader()
  const env = new Map<string, string>()
  const parts: string[] = []
  for (const part of split(script)) {
    if (part.kind === 'text') {
      reader.read(part.text)
      parts.push(part.text)
      continue
    }
    const name = `WR_${env.size + 1}`
    const value = await valueOf(part.text, scope, lookUp)
    env.set(name, value)
    parts.push(reader.place(name, value))
  }
  return { script: parts.join(''), env: Object.fromEntries(env) }
}

/** Variables of an environment. @throws TemplateFault */
export async function fillEnv(
  variables: PlaybookSpec['env'],
  scope: Scope,
  lookUp: LookUp,
): Promise<Readonly<Record<string, string>>> {
  const filled = new Map<string, string>()
  for (const { name, value = '' } of variables ?? []) filled.set(name, await fillTemplate(value, scope, lookUp))
  return Object.fromEntries(filled)
}

export interface FilledQuery {
  readonly text: string
  readonly values: readonly string[]
}

/** Values become parameters of the query. @throws TemplateFault also where one stands in a quoted text, which takes none */
export async function fillQuery(query: string, scope: Scope, lookUp: LookUp): Promise<FilledQuery> {
  const values: string[] = []
  const parts: string[] = []
  for (const part of split(query)) {
    if (part.kind === 'text') {
      parts.push(part.text)
      continue
    }
    // A quoted text has a quote before it that no other follows.
    if (/['"]/.test(parts.join('').replaceAll(/'[^']*'|"[^"]*"/g, ''))) {
      throw new TemplateFault(`${part.text}: a value is a parameter of the query and stands without quotes`)
    }
    values.push(await valueOf(part.text, scope, lookUp))
    parts.push(`$${values.length}`)
  }
  return { text: parts.join(''), values }
}

/** @throws TemplateFault */
export async function isTrue(expression: string, scope: Scope, lookUp: LookUp): Promise<boolean> {
  return (await look(expression, 'truth', scope, lookUp)) === true
}

interface Part {
  readonly kind: 'text' | 'expression'
  readonly text: string
}

function split(template: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (;;) {
    const open = template.indexOf(OPEN, from)
    const close = open < 0 ? -1 : template.indexOf(CLOSE, open)
    if (close < 0) break
    parts.push({ kind: 'text', text: template.slice(from, open) })
    const inner = template.slice(open + OPEN.length, close)
    // Dashes beside the braces ask other servers to drop blanks.
    parts.push({ kind: 'expression', text: inner.replace(/^-/, '').replace(/-$/, '').trim() })
    from = close + CLOSE.length
  }
  return [...parts, { kind: 'text', text: template.slice(from) }]
}

/** What an expression says, as text. @throws TemplateFault */
export async function valueOf(expression: string, scope: Scope, lookUp: LookUp): Promise<string> {
  const named = findName(expression, scope)
  return named ? toText(named.value) : String(await look(expression, 'text', scope, lookUp))
}

/** Null for what is more than a name; a name without a value has none. */
export function findName(expression: string, scope: Scope): { readonly value: unknown } | null {
  return NAME.test(expression) ? { value: findValue(expression.replace(/^\./, '').split('.'), scope) } : null
}

function findValue(path: readonly string[], scope: Scope): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? ownValue(value as Scope, key) : undefined),
    scope,
  )
}

/** Those that the expression may name: each is sent to another process, with all that it holds. */
export const variablesOf = (expression: string, scope: Scope): LookVariable[] =>
  Object.entries(scope).flatMap(([name, value]) => (expression.includes(name) ? [{ name, type: 'dyn', value }] : []))

async function look(expression: string, wants: 'truth' | 'text', scope: Scope, lookUp: LookUp) {
  const variables = variablesOf(expression, scope)
  const answer = await lookUp({ expression, wants, variables, maxCharacters: MAX_VALUE_CHARACTERS })
  if ('problem' in answer) {
    const text = `${expression}: ${answer.problem.text}`
    throw answer.problem.isPassing ? new NotAsked(text) : new TemplateFault(text)
  }
  return answer.value
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
