// What properties say now: of checks and of items of the catalog, as they are stored, and of expressions over both.
import { NIL_UUID } from '@watchroom/shared/kernel'
import { ofAnyAgent, type FoundResource, type ResourceSelector } from '@watchroom/shared/resources'
import { findByJsonPath, tryParseJsonPath, type TopologyProperty } from '@watchroom/shared/specs'
import { tryParseDuration } from '@watchroom/shared/time'

import { findResources } from '../../resources/findResources.ts'
import type { LookupDeps } from './findItems.ts'
import { INLINE_SOURCE, toInlineSource } from './inlineCanaries.ts'
import { isCatalogRead } from './isCatalogRead.ts'
import { placeKey } from './planSync.ts'
import { readStoredComponents } from './storedComponents.ts'
import type { WantedComponent } from './wanted.ts'

type Property = Readonly<Record<string, unknown>>
type Asking = Pick<
  WantedComponent,
  'parent' | 'name' | 'type' | 'namespace' | 'labels' | 'owner' | 'checks' | 'inlineChecks' | 'configs' | 'configId'
> & {
  readonly asked: readonly TopologyProperty[]
}

const MAX_FOUND = 500
const HOUR_MS = 3_600_000
const MAX_WINDOW_MS = 7 * 24 * HOUR_MS
const MAX_VALUE_CHARACTERS = 1_000

/** @returns for each component its properties, in their order */
export async function readProperties(
  components: readonly Asking[],
  topologyId: string,
  deps: LookupDeps,
  onProblem: (problem: string) => void,
): Promise<readonly (readonly Property[])[]> {
  const inline = await readInlineChecks(components, topologyId, deps.pool)
  const reader = createReader(deps, inline)
  const found: Property[][] = []
  for (const component of components) {
    const values = new Map<string, unknown>()
    const properties: Property[] = []
    for (const property of component.asked) {
      // What is looked up goes before what the spec says.
      const { check: _, config: __, expr: ___, text: ____, value: _____, ...shown } = property
      const said = await reader.read(property, component, Object.fromEntries(values))
      if ('problem' in said) {
        onProblem(`${component.name}: property ${property.name}: ${said.problem}`)
        properties.push({ ...shown, text: 'unknown', tooltip: said.problem })
        continue
      }
      values.set(property.name, said.value ?? said.text ?? '')
      properties.push({ ...shown, ...said })
    }
    found.push(properties)
  }
  return found
}

type Said = { readonly text?: string; readonly value?: number; readonly unit?: string } | { readonly problem: string }

type Check = Pick<FoundResource, 'id' | 'name' | 'type' | 'status'>

/**
 * Checks that components brought along when they were synced before, where an expression may ask about them. An agent may name any
 * component as the source of its canaries.
 */
async function readInlineChecks(
  components: readonly Asking[],
  topologyId: string,
  pool: LookupDeps['pool'],
): Promise<ReadonlyMap<Asking, readonly Check[]>> {
  const isAsked = ({ inlineChecks, asked }: Asking): boolean =>
    inlineChecks.length > 0 && asked.some(({ expr }) => expr !== undefined)
  if (!components.some(isAsked)) return new Map()
  const stored = (await readStoredComponents(pool, topologyId)).filter(({ isDeleted }) => !isDeleted)
  const { rows } = await pool.query<Check & { componentId: string }>(
    `select checks.id, checks.name, checks.type, checks.status, substr(canaries.source, ${INLINE_SOURCE.length + 1}) as "componentId"
     from canaries join checks on checks.canary_id = canaries.id and checks.deleted_at is null
     where canaries.deleted_at is null and canaries.agent_id = '${NIL_UUID}' and canaries.source = any($1)
     order by checks.name, checks.id`,
    [stored.map(({ id }) => toInlineSource(id))],
  )
  const idAt = new Map(stored.map((node) => [placeKey(node, node.parentId), node.id]))
  const ids: string[] = []
  return new Map(
    components.map((component) => {
      const id = idAt.get(placeKey(component, component.parent === null ? null : (ids[component.parent] ?? ''))) ?? ''
      ids.push(id)
      return [component, rows.filter(({ componentId }) => componentId === id)]
    }),
  )
}

function createReader({ pool, clock, lookUp }: LookupDeps, inline: ReadonlyMap<Asking, readonly Check[]>) {
  const known = new Map<string, Promise<FoundResource[]>>()
  let catalogRead: Promise<boolean> | undefined
  const find = (kind: 'checks' | 'configs', selectors: readonly ResourceSelector[]): Promise<FoundResource[]> => {
    const key = JSON.stringify([kind, selectors])
    const asked = known.get(key) ?? findResources(pool, kind, ofAnyAgent(selectors), MAX_FOUND)
    known.set(key, asked)
    return asked
  }

  const measure = async (checkIds: readonly string[], windowMs: number): Promise<Measured[]> => {
    const { rows } = await pool.query<Measured>(
      `select check_id as id, count(*)::int as runs, count(*) filter (where status)::int as passed,
         coalesce(percentile_disc(0.95) within group (order by duration), 0)::float as latency
       from check_statuses where check_id = any($1::uuid[]) and time > $2 group by check_id`,
      [checkIds, new Date(clock.now() - windowMs)],
    )
    return rows
  }

  const ofChecks = async ({
    selector,
    measure: what,
    window,
  }: NonNullable<TopologyProperty['check']>): Promise<Said> => {
    const checks = await find('checks', [selector])
    if (checks.length === 0) return { problem: 'no check is meant' }
    const windowMs = Math.min(MAX_WINDOW_MS, (window === undefined ? null : tryParseDuration(window)) ?? HOUR_MS)
    const measured = await measure(
      checks.map(({ id }) => id),
      windowMs,
    )
    const runs = measured.reduce((sum, each) => sum + each.runs, 0)
    // Not run yet is nothing to tell people about.
    if (runs === 0) return { text: '' }
    const passed = measured.reduce((sum, each) => sum + each.passed, 0)
    return what === 'uptime'
      ? { value: Math.floor((passed / runs) * 10_000) / 10_000, unit: 'percent' }
      : { value: Math.round(Math.max(...measured.map(({ latency }) => latency))), unit: 'ms' }
  }

  const ofConfig = async ({ selector, field }: NonNullable<TopologyProperty['config']>): Promise<Said> => {
    const [config] = await find('configs', [selector])
    const path = tryParseJsonPath(field)
    if (!config || !path) {
      catalogRead ??= isCatalogRead(pool)
      return (await catalogRead) ? { problem: 'no item of the catalog is meant' } : { text: '' }
    }
    const { rows } = await pool.query<{ config: unknown }>('select config from config_items where id = $1', [config.id])
    const [value] = findByJsonPath(rows[0]?.config, path)
    return value === undefined ? { problem: `${config.name} has nothing at ${field}` } : toSaid(value)
  }

  const ofExpression = async (expression: string, component: Asking, properties: Property): Promise<Said> => {
    const selected: readonly Check[] = await find('checks', component.checks)
    const all = [...selected, ...(inline.get(component) ?? [])]
    // Selectors find those that were brought along, too.
    const checks = [...new Map(all.map((check) => [check.id, check])).values()]
    const measured = new Map(
      (
        await measure(
          checks.map(({ id }) => id),
          HOUR_MS,
        )
      ).map((each) => [each.id, each]),
    )
    const own = component.configId === null ? [] : [{ id: component.configId }]
    const { rows: configs } = await pool.query<Record<string, unknown>>(
      'select name, type, status, health, tags, labels from config_items where id = any($1::uuid[]) order by name, id',
      [[...own, ...(await find('configs', component.configs))].map(({ id }) => id)],
    )
    const { name, type, namespace, labels, owner } = component
    const answer = await lookUp({
      expression,
      wants: 'text',
      maxCharacters: MAX_VALUE_CHARACTERS,
      variables: [
        { name: 'component', type: 'map<string, dyn>', value: { name, type, namespace, labels, owner } },
        {
          name: 'checks',
          type: 'list<dyn>',
          value: checks.map(({ id, name: checkName, type: checkType, status = null }) => {
            const { runs = 0, passed = 0, latency = 0 } = measured.get(id) ?? {}
            return { name: checkName, type: checkType, status, uptime: runs === 0 ? null : passed / runs, latency }
          }),
        },
        { name: 'configs', type: 'list<dyn>', value: configs },
        { name: 'properties', type: 'map<string, dyn>', value: properties },
      ],
    })
    return 'problem' in answer ? { problem: answer.problem.text } : toSaid(answer.value)
  }

  return {
    read: async (property: TopologyProperty, component: Asking, before: Property): Promise<Said> => {
      const { text, value, check, config, expr } = property
      if (check) return withUnit(property, await ofChecks(check))
      if (config) return ofConfig(config)
      if (expr !== undefined) return ofExpression(expr, component, before)
      return { ...(text !== undefined && { text }), ...(value !== undefined && { value }) }
    },
  }
}

interface Measured {
  readonly id: string
  readonly runs: number
  readonly passed: number
  readonly latency: number
}

/** What the spec says of it goes before what is usual. */
const withUnit = ({ unit }: TopologyProperty, said: Said): Said =>
  'problem' in said || unit === undefined ? said : { ...said, unit }

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/

function toSaid(value: unknown): Said {
  if (typeof value === 'number') return { value }
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE_CHARACTERS)
  return NUMBER.test(text) ? { value: Number(text) } : { text }
}
