// Fills a custom template, within bounds: what people wrote must neither take long nor grow without end.
import type { LookUp } from '../../check-runner/lookApart.ts'
import { NotAsked, TemplateFault } from '../../step-runner/templateFault.ts'
import { findName, isTrue, valueOf, variablesOf } from '../../step-runner/templates.ts'
import type { Expression, TemplateNode, TemplateProblem } from './parseTemplate.ts'

type Scope = Readonly<Record<string, unknown>>

const MAX_STEPS = 5_000
/** Each is asked of another process. */
const MAX_LOOKS = 200
const MAX_ITEMS = 100
const MAX_CHARACTERS = 32_000

interface Filling {
  readonly lookUp: LookUp
  steps: number
  looks: number
  characters: number
}

/** @throws TemplateFault with the place of what is wrong */
export async function fillNodes(nodes: readonly TemplateNode[], scope: Scope, lookUp: LookUp): Promise<string> {
  return fill(nodes, scope, { lookUp, steps: 0, looks: 0, characters: 0 })
}

async function fill(nodes: readonly TemplateNode[], scope: Scope, filling: Filling): Promise<string> {
  const parts: string[] = []
  for (const node of nodes) {
    if (++filling.steps > MAX_STEPS) throw new TemplateFault('the template does too much')
    const text = await fillNode(node, scope, filling)
    // What is inside was counted there.
    if (node.kind === 'text' || node.kind === 'value') filling.characters += text.length
    if (filling.characters > MAX_CHARACTERS) throw new TemplateFault('the message becomes too long')
    parts.push(text)
  }
  return parts.join('')
}

async function fillNode(node: TemplateNode, scope: Scope, filling: Filling): Promise<string> {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'value':
      return ask(node.expression, scope, filling, (source) => valueOf(source, scope, countLooks(filling)))
    case 'choice': {
      for (const { condition, body } of node.branches) {
        if (await holds(condition, scope, filling)) return fill(body, scope, filling)
      }
      return fill(node.otherwise, scope, filling)
    }
    case 'range': {
      const parts: string[] = []
      for (const item of await listOf(node.list, scope, filling)) {
        parts.push(await fill(node.body, { ...scope, item }, filling))
      }
      return parts.join('')
    }
  }
}

/** A name holds when it says anything. */
const holds = (expression: Expression, scope: Scope, filling: Filling): Promise<boolean> =>
  ask(expression, scope, filling, async (source) => {
    const named = findName(source, scope)
    return named ? isSomething(named.value) : isTrue(source, scope, countLooks(filling))
  })

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

const listOf = (expression: Expression, scope: Scope, filling: Filling): Promise<readonly unknown[]> =>
  ask(expression, scope, filling, async (source) => {
    const named = findName(source, scope)
    const list = named ? named.value : parseList(await valueOf(source, scope, countLooks(filling)))
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) throw new TemplateFault(`${expression.source}: range goes over a list`)
    if (list.length > MAX_ITEMS)
      throw new TemplateFault(`${expression.source}: a list has at most ${MAX_ITEMS} items here`)
    return list as unknown[]
  })

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is no list; the caller says so.
    return text
  }
}

async function ask<Answer>(
  expression: Expression,
  scope: Scope,
  filling: Filling,
  work: (source: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(toCel(expression.source, 'item' in scope))
  } catch (error) {
    if (!(error instanceof TemplateFault) || error instanceof NotAsked || filling.steps > MAX_STEPS) throw error
    throw new TemplateFault(`line ${expression.line}, column ${expression.column}: ${error.message}`)
  }
}

function countLooks(filling: Filling): LookUp {
  return (look) => {
    if (++filling.looks > MAX_LOOKS) throw new TemplateFault('the template asks too much')
    return filling.lookUp(look)
  }
}

const QUOTED = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/
/** A dot before a name that nothing stands before. */
const LEADING_DOT = /(^|[^\w.)\]])\.(?=[A-Za-z_])/g

/** `.name` is the item's within a range, else a variable; `$.name` always is a variable; a dot alone is the item. */
function toCel(source: string, isInRange: boolean): string {
  if (source === '.') return isInRange ? 'item' : source
  return source
    .split(QUOTED)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('$.', '').replaceAll(LEADING_DOT, isInRange ? '$1item.' : '$1'),
    )
    .join('')
}

/** What is wrong with the expressions of a template, whatever they are asked about. */
export async function checkNodes(
  nodes: readonly TemplateNode[],
  scope: Scope,
  lookUp: LookUp,
): Promise<TemplateProblem | null> {
  for (const { source, line, column } of expressionsOf(nodes)) {
    const cel = toCel(source, 'item' in scope)
    if (findName(cel, scope)) continue
    const problem = await findMalformed(cel, { ...scope, item: {} }, lookUp)
    if (problem !== null) return { line, column, message: problem }
  }
  return null
}

/** Null for an expression that can be asked; its answer does not matter. */
export async function findMalformed(expression: string, scope: Scope, lookUp: LookUp): Promise<string | null> {
  const answer = await lookUp({ expression, wants: 'text', variables: variablesOf(expression, scope) })
  return 'problem' in answer && answer.problem.isMalformed ? answer.problem.text : null
}

function expressionsOf(nodes: readonly TemplateNode[]): Expression[] {
  return nodes.flatMap((node): Expression[] => {
    switch (node.kind) {
      case 'text':
        return []
      case 'value':
        return [node.expression]
      case 'range':
        return [node.list, ...expressionsOf(node.body)]
      case 'choice':
        return [
          ...node.branches.flatMap(({ condition, body }) => [condition, ...expressionsOf(body)]),
          ...expressionsOf(node.otherwise),
        ]
    }
  })
}
