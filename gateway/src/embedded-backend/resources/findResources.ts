// Selectors as queries. Their texts are all of `resourceSources.ts`; whatever a caller wrote is a parameter.
import { failed, NIL_UUID, ok, type Result } from '@watchroom/shared/kernel'
import {
  type FoundResource,
  parseRequirements,
  type Requirement,
  type ResourceSelector,
  type SearchKind,
} from '@watchroom/shared/resources'
import type { Pool } from 'pg'
import { z } from 'zod'

import { Refusal } from '../../platform/http/refusal.ts'
import { type Bind, compareRequirement, ofLabels } from './requirementSql.ts'
import { RESOURCE_SOURCES, type ResourceSource } from './resourceSources.ts'

/** Rows whose words match that are put in order; among more of them the order is not worth its time. */
const MAX_CANDIDATES = 500

const UuidSchema = z.guid()

/** @throws Refusal when a selector cannot be read */
export async function findResources(
  pool: Pick<Pool, 'query'>,
  kind: SearchKind,
  selectors: readonly ResourceSelector[],
  limit: number,
): Promise<FoundResource[]> {
  const found = new Map<string, FoundResource>()
  for (const selector of selectors) {
    const values: unknown[] = []
    const text = toQuery(RESOURCE_SOURCES[kind], selector, limit, (value) => `$${values.push(value)}`)
    if (text === null || found.size >= limit) continue
    const { rows } = await pool.query<FoundRow>(text, values)
    for (const row of rows) if (found.size < limit && !found.has(row.id)) found.set(row.id, toResource(row))
  }
  return [...found.values()]
}

/** Questions of one search under way: whoever types waits for half of them, and takes two connections at most. */
const KINDS_AT_ONCE = 2

/** What is asked of one kind. */
type AskedKind = readonly [kind: SearchKind, selectors: readonly ResourceSelector[]]

/**
 * @returns for each kind what was found, in the order of `asked`
 * @throws Refusal when a selector cannot be read
 */
export async function findOfKinds(
  pool: Pick<Pool, 'query'>,
  asked: readonly AskedKind[],
  limit: number,
): Promise<[SearchKind, FoundResource[]][]> {
  const found: [SearchKind, FoundResource[]][] = asked.map(([kind]) => [kind, []])
  const waiting = asked.entries()
  const work = async (): Promise<void> => {
    for (const [at, [kind, selectors]] of waiting) {
      found[at] = [kind, await findResources(pool, kind, selectors, limit)]
    }
  }
  await Promise.all(Array.from({ length: KINDS_AT_ONCE }, work))
  return found
}

/** Selectors that are alike, of one statement. */
const SELECTORS_AT_ONCE = 100

/**
 * What a search with each selector alone finds. Selectors that ask for the same in other words are one statement: a thousand of them are
 * not a thousand questions.
 *
 * @returns for each selector ids, or what is wrong with it
 */
export async function findEach(
  pool: Pick<Pool, 'query'>,
  kind: SearchKind,
  selectors: readonly ResourceSelector[],
  limit: number,
): Promise<Result<readonly string[], string>[]> {
  const answers: Result<readonly string[], string>[] = selectors.map(() => ok([]))
  const alike = new Map<string, { columns: string; asked: object[] }>()
  for (const [at, selector] of selectors.entries()) {
    try {
      // Words are found by patterns that their index must know beforehand.
      if (toSearch(selector) !== '') {
        answers[at] = ok((await findResources(pool, kind, [selector], limit)).map(({ id }) => id))
        continue
      }
      const values: unknown[] = []
      const text = toQuery(RESOURCE_SOURCES[kind], selector, limit, (value) => `asked.v${values.push(value)}`)
      if (text === null) continue
      const group = alike.get(text) ?? { columns: values.map(toColumn).join(', '), asked: [] }
      group.asked.push({ at, ...Object.fromEntries(values.map((value, index) => [`v${index + 1}`, value])) })
      alike.set(text, group)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      answers[at] = failed(String(error.body['error']))
    }
  }
  for (const [text, { columns, asked }] of alike) {
    for (let start = 0; start < asked.length; start += SELECTORS_AT_ONCE) {
      const { rows } = await pool.query<{ at: number; ids: string[] }>(
        `select asked.at, array(select found.id from (${text}) as found) as ids
         from jsonb_to_recordset($1::jsonb) as asked(at int, ${columns})`,
        [JSON.stringify(asked.slice(start, start + SELECTORS_AT_ONCE))],
      )
      for (const { at, ids } of rows) answers[at] = ok(ids)
    }
  }
  return answers
}

const toColumn = (value: unknown, index: number): string =>
  `v${index + 1} ${typeof value === 'number' ? 'int' : Array.isArray(value) ? 'text[]' : 'text'}`

/** Questions of one statement. */
const LISTS_AT_ONCE = 200

/**
 * Whether a resource is one of those that selectors mean: the same that a search with them finds.
 *
 * @returns for each list an answer; a selector that cannot be read means nothing
 */
export async function findMeant(
  pool: Pick<Pool, 'query'>,
  { kind, id }: { readonly kind: SearchKind; readonly id: string },
  lists: readonly (readonly ResourceSelector[])[],
): Promise<boolean[]> {
  const source = RESOURCE_SOURCES[kind]
  const answers: boolean[] = []
  for (let start = 0; start < lists.length; start += LISTS_AT_ONCE) {
    const values: unknown[] = [id]
    const questions = lists
      .slice(start, start + LISTS_AT_ONCE)
      .map((selectors) => toQuestion(source, selectors, values))
    const text = `select array[${questions.join(', ')}] as meant from ${source.from} where ${source.live} and r.id = $1`
    const { rows } = await pool.query<{ meant: boolean[] }>(text, values)
    answers.push(...(rows[0]?.meant ?? questions.map(() => false)))
  }
  return answers
}

function toQuestion(source: ResourceSource, selectors: readonly ResourceSelector[], values: unknown[]): string {
  const bind = (value: unknown): string => `$${values.push(value)}`
  const meanings = selectors.flatMap((selector) => {
    const before = values.length
    try {
      const conditions = toConditions(source, selector, bind)
      if (conditions === null) return []
      const search = toSearch(selector)
      const found = search === '' ? [] : [`(${beginnings(source, search, bind).join(' or ')})`]
      return [`coalesce((${['true', ...conditions, ...found].join(' and ')}), false)`]
    } catch (error) {
      // Whoever wrote it is told when the playbook is looked at; here it only offers nothing.
      if (!(error instanceof Refusal)) throw error
      values.length = before
      return []
    }
  })
  return meanings.length === 0 ? 'false' : `(${meanings.join(' or ')})`
}

interface FoundRow {
  readonly id: string
  readonly agent: string
  readonly name: string
  readonly namespace: string
  readonly type: string
  readonly icon: string | null
  readonly status: string | null
  readonly alias: string | null
  readonly tags: unknown
}

function toResource({ id, agent, name, namespace, type, icon, status, alias, tags }: FoundRow): FoundResource {
  return {
    id,
    agent,
    name,
    namespace,
    type,
    ...(icon ? { icon } : {}),
    ...(status ? { status } : {}),
    ...(alias ? { alias } : {}),
    ...(isFilled(tags) ? { tags } : {}),
  }
}

const isFilled = (tags: unknown): tags is Record<string, unknown> =>
  typeof tags === 'object' && tags !== null && !Array.isArray(tags) && Object.keys(tags).length > 0

/** @returns null when nothing is asked for */
function toQuery(source: ResourceSource, selector: ResourceSelector, limit: number, bind: Bind): string | null {
  const conditions = toConditions(source, selector, bind)
  if (conditions === null) return null
  const where = [selector.includeDeleted === true ? 'true' : source.live, ...conditions].join(' and ')
  const columns = `r.id, ${source.agent ?? `'${NIL_UUID}'`} as agent, ${source.name} as name,
    coalesce(${source.namespace}, '') as namespace, coalesce(${source.type}, '') as type,
    ${source.icon ?? 'null'} as icon, ${source.status ?? 'null'} as status, ${source.alias ?? 'null'} as alias,
    ${source.tags ?? 'null'} as tags`
  const lowered = `lower(${source.name}) collate "C"`
  const order = `${source.urgency === undefined ? '' : `${source.urgency}, `}length(${source.name}), ${lowered}, r.id limit ${bind(limit)}`
  const search = toSearch(selector)
  if (search === '') {
    const narrowed = [where, ...narrowName(lowered, selector.name ?? '', bind)].join(' and ')
    return `select ${columns} from ${source.from} where ${narrowed} order by ${order}`
  }
  const start = `${bind(search)}::text`
  const arm = (condition: string, besides = ''): string =>
    `(select r.id from ${source.from} where ${where} and ${condition} ${besides} limit ${MAX_CANDIDATES})`
  const [isCalled, begins, hasWords] = beginnings(source, search, bind)
  // In the order of their index, whose first are enough: sorting all of very many is not worth its time.
  const named = `${arm(isCalled)} union ${arm(begins, `order by ${lowered}`)}`
  // Where enough names begin so, words inside of names come after all of them: they are not even looked for. Another name of its
  // own is found by its words.
  const isWanted = source.alias === undefined ? `and (select count(*) from named) < ${bind(limit)}` : ''
  const rank = `case when ${start} in (lower(${source.name}), lower(${source.alias ?? 'null'})) then 0
    when ${begins} then 1 when strpos(lower(${source.name}), ${start}) > 0 then 2 else 3 end`
  return `with named as materialized (${named})
    select ${columns} from ${source.from} where r.id in (select id from named union ${arm(hasWords, isWanted)})
    order by ${rank}, ${order}`
}

/** How words of the name begin, or of a tag's or label's value: three ways in which an index finds them. */
function beginnings(source: ResourceSource, search: string, bind: Bind): [string, string, string] {
  const lowered = `lower(${source.name}) collate "C"`
  const start = `${bind(search)}::text`
  return [
    `${lowered} = ${start}`,
    `${lowered} like ${bind(toPattern(search, '', '%'))}::text`,
    `${source.words} @@ watchroom_internal.search_query(${start})`,
  ]
}

const toPattern = (text: string, before: string, after: string): string =>
  before + text.replaceAll(/[\\%_]/g, String.raw`\$&`) + after

/** `*` at one end stands for anything. */
function isLike(column: string, wanted: string, bind: Bind): string {
  if (wanted.endsWith('*')) return `${column} like ${bind(toPattern(wanted.slice(0, -1), '', '%'))}`
  if (wanted.startsWith('*')) return `${column} like ${bind(toPattern(wanted.slice(1), '%', ''))}`
  return `${column} = ${bind(wanted)}`
}

/** Letters that every language writes small in the same way: not the `I`. */
const PLAIN_START = /^[ -HJ-~]*/

/** What an index finds of names that are called so, or begin so: a few more than are meant. */
function narrowName(lowered: string, name: string, bind: Bind): string[] {
  if (!name.endsWith('*')) return name === '' || name.startsWith('*') ? [] : [`${lowered} = lower(${bind(name)}::text)`]
  const start = PLAIN_START.exec(name.slice(0, -1))?.[0].toLowerCase() ?? ''
  if (start === '') return []
  const end = start.slice(0, -1) + String.fromCodePoint((start.codePointAt(start.length - 1) ?? 0) + 1)
  return [`${lowered} >= ${bind(start)}`, `${lowered} < ${bind(end)}`]
}

const toSearch = ({ search }: ResourceSelector): string => (search ?? '').trim().toLowerCase()

/** What the selector asks for besides `search`. @returns null when it asks for nothing at all */
function toConditions(source: ResourceSource, selector: ResourceSelector, bind: Bind): string[] | null {
  const { id, name, namespace, agent, scope, types, statuses, tagSelector, labelSelector, fieldSelector } = selector
  const asked = [id, name, namespace, agent, scope, toSearch(selector), tagSelector, labelSelector, fieldSelector]
  if (!asked.some(Boolean) && !types?.length && !statuses?.length) return null
  const uuid = (column: string | undefined, value: string): string =>
    column !== undefined && UuidSchema.safeParse(value).success ? `${column} = ${bind(value)}::uuid` : 'false'
  return [
    ...(id ? [uuid('r.id', id)] : []),
    ...(name ? [isLike(source.name, name, bind)] : []),
    ...(namespace ? [isLike(source.namespace, namespace, bind)] : []),
    ...(scope ? [uuid(source.scope, scope)] : []),
    ...(types?.length ? [`(${types.map((type) => isLike(source.type, type, bind)).join(' or ')})`] : []),
    ...(statuses?.length ? [`${source.status ?? 'null'} = any(${bind(statuses)}::text[])`] : []),
    ...(source.agent === undefined ? [] : ofAgent(source.agent, agent ?? '', bind)),
    ...requirements(tagSelector).map((each) => ofLabels(source.tags, each, bind)),
    ...requirements(labelSelector).map((each) => ofLabels(source.labels, each, bind)),
    ...requirements(fieldSelector).map((each) => ofFields(source, each, bind)),
  ]
}

function ofAgent(column: string, agent: string, bind: Bind): string[] {
  if (agent === 'all') return []
  if (agent === '') return [`${column} = '${NIL_UUID}'`]
  if (UuidSchema.safeParse(agent).success) return [`${column} = ${bind(agent)}::uuid`]
  return [`${column} in (select id from agents where deleted_at is null and name = ${bind(agent)})`]
}

function requirements(text: string | null | undefined): Requirement[] {
  const parsed = parseRequirements(text ?? '')
  if (!parsed.ok) throw new Refusal(400, { error: parsed.error })
  return parsed.value
}

function ofFields({ fields, listField, properties }: ResourceSource, requirement: Requirement, bind: Bind): string {
  const { key, operator, values } = requirement
  if (listField !== undefined && key === listField.name) {
    const isMember = `coalesce(${listField.column} && ${bind(values)}::text[], false)`
    return operator === 'in'
      ? isMember
      : operator === 'not-in'
        ? `not ${isMember}`
        : compareRequirement(`${listField.column}[1]`, requirement, bind)
  }
  const column = fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined
  if (column !== undefined) return compareRequirement(column, requirement, bind)
  if (properties === undefined) throw new Refusal(400, { error: `field ${key} cannot be selected by` })
  const list = `case when jsonb_typeof(${properties}) = 'array' then ${properties} else '[]' end`
  const value = `(select property ->> 'text' from jsonb_array_elements(${list}) as property where property ->> 'name' = ${bind(key)} limit 1)`
  return compareRequirement(value, requirement, bind)
}
