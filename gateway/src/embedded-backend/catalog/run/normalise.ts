// From what a family read to items: credentials out, rules asked, fields in their bounds. Knows neither rows nor sources.
import { toConfigClass } from '@watchroom/shared/catalog'
import { boundLabels } from '@watchroom/shared/health'
import { describeUnstorable, failed, SECRET_MASK, toStorable } from '@watchroom/shared/kernel'
import { findByJsonPath, type ItemRules, type ItemValue, tryParseJsonPath } from '@watchroom/shared/specs'
import { parseTimestamp } from '@watchroom/shared/time'
import { toComponentHealth } from '@watchroom/shared/topology'

import type {
  ItemChange,
  ItemCosts,
  ItemFacts,
  ItemInsight,
  ItemProperty,
  ItemReference,
  ItemRelationship,
  RawItem,
  ScrapedItem,
  SourceWarning,
} from '../item.ts'
import { type Masking } from './createMasking.ts'
import { editAtPath, LEFT_OUT } from './editAtPath.ts'
import { maskDocument } from './maskDocument.ts'
import { type Expressions, type RuleReader, type RuleScope, valuesOf } from './rules.ts'

export interface Normalised {
  readonly items: readonly ScrapedItem[]
  readonly warnings: readonly SourceWarning[]
}

export interface NormaliseDeps {
  readonly rules: ItemRules
  /** Of the whole spec: those of the element and of the family go before them. */
  readonly common: Pick<ItemRules, 'labels' | 'tags'>
  readonly expressions: Expressions
  readonly masking: Masking
}

const MAX_TEXT_CHARACTERS = 1_000
const MAX_DESCRIPTION_CHARACTERS = 10_000
const MAX_DOCUMENT_BYTES = 5_000_000
const MAX_RELATIONSHIPS = 1_000
const MAX_COST = 1e11

export async function normalise(raw: readonly RawItem[], deps: NormaliseDeps): Promise<Normalised> {
  const { rules, common, expressions, masking } = deps
  const warnings: SourceWarning[] = []
  const prepared = await prepare(raw, deps, warnings)
  const scopes = prepared.map(({ config, facts }) => ({ config, item: toScope(facts) }))
  const values = [...valuesOf(rules), ...valuesOf(common)]
  const readers = await expressions.ask(values, scopes)
  const found = prepared.flatMap((each, index): Found[] => {
    const reader = readers[index]
    const item = reader && toItem(each, reader, deps)
    if (item === undefined) return []
    if (typeof item !== 'string') return [{ item, whole: each.config }]
    warnings.push({ ...each.place, message: item, hidesItems: true })
    return []
  })
  return { items: await relateAndJudge(found, rules, expressions, masking), warnings }
}

interface Found {
  readonly item: ScrapedItem
  /** What rules look at: also that which is not stored. */
  readonly whole: unknown
}

/** What rules may be asked about: storable, without credentials, one document per item. */
async function prepare(
  raw: readonly RawItem[],
  { rules, expressions, masking }: NormaliseDeps,
  warnings: SourceWarning[],
): Promise<RawItem[]> {
  const masked: RawItem[] = []
  for (const each of raw) {
    const unstorable = describeUnstorable(each.config)
    const document = unstorable === null ? await maskDocument(each.config, masking) : failed(unstorable)
    if (document.ok) masked.push({ ...each, config: document.value })
    else warnings.push({ ...each.place, message: document.error, hidesItems: true })
  }
  const { transform } = rules
  const whole =
    transform?.expr === undefined ? masked : await transformAll(masked, transform.expr, expressions, warnings)
  const path = rules.items === undefined ? null : tryParseJsonPath(rules.items)
  const several = path ? whole.flatMap((each) => spread(each, findByJsonPath(each.config, path))) : whole
  return several.flatMap((each): RawItem[] => {
    const config = editAll(each.config, rules.transform?.mask, SECRET_MASK)
    if (Buffer.byteLength(JSON.stringify(config)) <= MAX_DOCUMENT_BYTES) return [{ ...each, config }]
    warnings.push({ ...each.place, message: 'the document of an item is larger than 5 MB', hidesItems: true })
    return []
  })
}

async function transformAll(
  raw: readonly RawItem[],
  expression: string,
  expressions: Expressions,
  warnings: SourceWarning[],
): Promise<RawItem[]> {
  const scopes = raw.map(({ config, facts }) => ({ config, item: toScope(facts) }))
  const made = await expressions.transform(expression, scopes)
  return raw.flatMap((each, index) => {
    const config = made[index]
    if (typeof config === 'object' && config !== null) {
      return spread(each, Array.isArray(config) ? (config as unknown[]) : [config])
    }
    warnings.push({ ...each.place, message: 'transform.expr makes no object and no list of it', hidesItems: true })
    return []
  })
}

/** Several items of one document: what the family knows of the document is not known of each of them. */
function spread(raw: RawItem, documents: readonly unknown[]): RawItem[] {
  if (documents.length === 1 && documents[0] === raw.config) return [raw]
  const { id, name } = raw.facts
  return documents.map((config, index) => ({
    ...raw,
    config,
    facts: {
      ...raw.facts,
      id: id === undefined ? undefined : `${id}#${index + 1}`,
      name: name === undefined ? undefined : `${name} ${index + 1}`,
    },
  }))
}

function editAll(config: unknown, paths: readonly string[] = [], replacement: unknown): unknown {
  return paths.reduce((document, text) => {
    const path = tryParseJsonPath(text)
    const edited = path ? editAtPath(document, path, replacement) : document
    return edited === LEFT_OUT ? {} : edited
  }, config)
}

/** @returns why it is none */
function toItem(raw: RawItem, read: RuleReader, { rules, common, masking }: NormaliseDeps): ScrapedItem | string {
  const { facts } = raw
  const text = (
    rule: ItemValue | undefined,
    known: string | undefined,
    max = MAX_TEXT_CHARACTERS,
  ): string | undefined => {
    const found =
      rule === undefined
        ? known
        : read(rule)
            .map(toText)
            .find((words) => words !== '')
    return found === undefined || found.trim() === '' ? undefined : bound(masking.text(found), max)
  }
  const id = text(rules.id, facts.id)
  if (id === undefined) return 'an item has no id'
  const type = text(rules.type, facts.type)
  if (type === undefined) return `the item ${id} has no type`
  const texts = (kind: 'labels' | 'tags'): Readonly<Record<string, string>> => {
    const ruled = Object.entries({ ...common[kind], ...rules[kind] }).flatMap(([key, rule]) => {
      const found = read(rule)
        .map(toText)
        .find((words) => words !== '')
      return found === undefined ? [] : [[key, found] as const]
    })
    const all = Object.entries({ ...facts[kind], ...Object.fromEntries(ruled) })
    return boundLabels(
      Object.fromEntries(
        all
          .map(([key, words]) => [bound(masking.text(key)), bound(masking.named(key, words))] as const)
          .toSorted(byKey),
      ),
    )
  }
  const parent = text(rules.parent, undefined)
  return {
    id,
    type,
    name: text(rules.name, facts.name) ?? id,
    class: text(rules.class, facts.class) ?? toConfigClass(type),
    status: text(rules.status, facts.status),
    health: toHealth(text(rules.health, facts.health)),
    description: text(rules.description, facts.description, MAX_DESCRIPTION_CHARACTERS),
    icon: text(rules.icon, facts.icon),
    aliases: [...new Set((facts.aliases ?? []).map((alias) => bound(masking.text(alias))))].filter(
      (alias) => alias !== id,
    ),
    labels: texts('labels'),
    tags: texts('tags'),
    properties: toProperties(rules, facts, read, masking),
    parent: parent === undefined ? (facts.parent ? maskReference(facts.parent, masking) : null) : { id: parent },
    relationships: (facts.relationships ?? []).map((each) => maskRelationship(each, masking)),
    changes: (facts.changes ?? []).map((change) => maskChange(change, masking)),
    insights: (facts.insights ?? []).map((insight) => maskInsight(insight, masking)),
    costs: toCosts(rules, facts, read),
    createdAt: toMoment(rules.createdAt, read) ?? facts.createdAt,
    deletedAt: toMoment(rules.deletedAt, read) ?? facts.deletedAt,
    config: editAll(raw.config, rules.transform?.exclude, LEFT_OUT),
    place: raw.place,
    authorship: raw.authorship,
  }
}

/** Rules that look at the finished item. */
async function relateAndJudge(
  found: readonly Found[],
  { relationships = [], insights = [] }: ItemRules,
  expressions: Expressions,
  masking: Masking,
): Promise<readonly ScrapedItem[]> {
  const items = found.map(({ item }) => item)
  if (relationships.length === 0 && insights.length === 0) return items
  const scopes = found.map(({ item, whole }) => ({ config: whole, item: toScope(item) }))
  const values = relationships.flatMap(({ id, name, type }) => [id, name, type]).filter((rule) => rule !== undefined)
  const readers = await expressions.ask(values, scopes)
  const judged = await judge(scopes, insights, expressions, masking)
  return items.map((item, index): ScrapedItem => {
    const read: RuleReader = readers[index] ?? (() => [])
    const related = relationships.flatMap((rule) => relate(rule, read))
    return {
      ...item,
      relationships: [...item.relationships, ...related].slice(0, MAX_RELATIONSHIPS),
      insights: [...item.insights, ...(judged[index] ?? [])],
    }
  })
}

/** @returns the insights of each scope */
async function judge(
  scopes: readonly RuleScope[],
  rules: NonNullable<ItemRules['insights']>,
  expressions: Expressions,
  masking: Masking,
): Promise<readonly (readonly ItemInsight[])[]> {
  const truths = await expressions.judge(
    rules.map(({ expr }) => expr),
    scopes,
  )
  const found = scopes.map((): ItemInsight[] => [])
  for (const [at, rule] of rules.entries()) {
    const places = scopes.flatMap((scope, index) => (truths[index]?.[at] === true ? [{ scope, index }] : []))
    // The expression of the message is evaluated only for items that the rule matches.
    const readers = await expressions.ask(
      rule.message === undefined ? [] : [rule.message],
      places.map(({ scope }) => scope),
    )
    for (const [place, { index }] of places.entries()) {
      const words = readers[place]?.(rule.message).map(toText).join(', ') ?? ''
      found[index]?.push(maskInsight({ ...rule, message: words === '' ? rule.analyzer : words }, masking))
    }
  }
  return found
}

function relate(rule: NonNullable<ItemRules['relationships']>[number], read: RuleReader): ItemRelationship[] {
  const { relation, direction } = rule
  const [type] = read(rule.type).map(toText)
  const by = rule.id === undefined ? 'name' : 'id'
  return read(rule[by])
    .flatMap((found) => (Array.isArray(found) ? (found as unknown[]) : [found]))
    .map(toText)
    .filter((words) => words !== '')
    .map((words) => ({ to: { [by]: words, type }, relation, direction }))
}

function toProperties(rules: ItemRules, facts: ItemFacts, read: RuleReader, masking: Masking): ItemProperty[] {
  const ruled = (rules.properties ?? []).flatMap(({ value: rule, ...rest }): ItemProperty[] => {
    const value = read(rule).map(toText).join(', ')
    return value === '' ? [] : [{ ...rest, value }]
  })
  const text = (words: string | undefined): string | undefined => maskText(words, masking)
  return [...(facts.properties ?? []), ...ruled].map(({ name, value, label, unit, icon }) => ({
    name: bound(masking.text(name)),
    value: bound(masking.named(name, value)),
    label: text(label),
    unit: text(unit),
    icon: text(icon),
  }))
}

function toCosts({ costs: rules }: ItemRules, { costs: known }: ItemFacts, read: RuleReader): ItemCosts {
  const amount = (field: keyof ItemCosts): number | undefined => {
    const rule = rules?.[field]
    const found = rule === undefined ? known?.[field] : Number(read(rule).map(toText)[0] ?? Number.NaN)
    return found !== undefined && found >= 0 && found < MAX_COST ? found : undefined
  }
  return {
    perMinute: amount('perMinute'),
    total1d: amount('total1d'),
    total7d: amount('total7d'),
    total30d: amount('total30d'),
  }
}

function toMoment(rule: ItemValue | undefined, read: RuleReader): Date | undefined {
  const [text] = read(rule).map(toText)
  const at = parseTimestamp(text)
  return at === null ? undefined : new Date(at)
}

const toHealth = (words: string | undefined): string | undefined =>
  words === undefined ? undefined : toComponentHealth(words)

function maskChange(change: ItemChange, masking: Masking): ItemChange {
  const long = (words: string | undefined): string | undefined =>
    words === undefined ? undefined : toStorable(masking.text(words))
  const { details } = change
  return {
    id: bound(masking.text(change.id)),
    type: bound(masking.text(change.type)),
    severity: maskText(change.severity, masking),
    source: maskText(change.source, masking),
    summary: long(change.summary),
    createdBy: long(change.createdBy),
    createdAt: change.createdAt,
    diff: long(change.diff),
    details: details === undefined || describeUnstorable(details) !== null ? undefined : masking.document(details),
  }
}

const maskInsight = ({ analyzer, type, severity, message, summary }: ItemInsight, masking: Masking): ItemInsight => ({
  analyzer: bound(masking.text(analyzer)),
  type: bound(masking.text(type)),
  severity: bound(masking.text(severity)),
  summary: maskText(summary, masking),
  message: bound(masking.text(message), MAX_DESCRIPTION_CHARACTERS),
})

const maskRelationship = ({ to, relation, direction }: ItemRelationship, masking: Masking): ItemRelationship => ({
  to: maskReference(to, masking),
  relation: bound(masking.text(relation)),
  direction,
})

/** As the ids and names of the items are masked that it may mean. */
const maskReference = ({ id, name, type }: ItemReference, masking: Masking): ItemReference => ({
  id: maskText(id, masking),
  name: maskText(name, masking),
  type: maskText(type, masking),
})

const maskText = (words: string | undefined, masking: Masking): string | undefined =>
  words === undefined ? undefined : bound(masking.text(words))

/** As expressions see an item. */
const toScope = ({
  id,
  name,
  type,
  class: itemClass,
  status,
  health,
  labels,
  tags,
}: Omit<ItemFacts, 'parent'>): object => ({
  id: id ?? '',
  name: name ?? '',
  type: type ?? '',
  class: itemClass ?? '',
  status: status ?? '',
  health: health ?? '',
  labels: labels ?? {},
  tags: tags ?? {},
})

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

const bound = (words: string, max = MAX_TEXT_CHARACTERS): string => toStorable(words).slice(0, max)

const byKey = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)
