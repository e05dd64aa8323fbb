// What a lookup finds: items of the catalog, and what the sources of scrapers give.
import { NIL_UUID, type Clock } from '@watchroom/shared/kernel'
import { ofAnyAgent } from '@watchroom/shared/resources'
import { ScraperSpecSchema, type TopologyLookup } from '@watchroom/shared/specs'
import type { Pool } from 'pg'

import type { ReadDeps } from '../../catalog/run/readItems.ts'
import { readItems } from '../../catalog/run/readItems.ts'
import { describeWarning } from '../../catalog/run/runScraper.ts'
import { findResources } from '../../resources/findResources.ts'
import { isCatalogRead } from './isCatalogRead.ts'

export interface FoundItem {
  readonly id: string
  /** Of an item of the catalog. */
  readonly configId: string | null
  readonly name: string
  readonly type: string | null
  readonly status: string | null
  readonly icon: string | null
  readonly description: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly properties: readonly Readonly<Record<string, unknown>>[]
  /** What texts of a template may ask about. */
  readonly scope: Readonly<Record<string, unknown>>
}

export interface FoundItems {
  readonly items: readonly FoundItem[]
  readonly problems: readonly string[]
  /** Whether what was not found is gone. */
  readonly isComplete: boolean
}

export interface LookupDeps extends ReadDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly signal: AbortSignal
  /** In the spec: texts that must appear nowhere. */
  readonly secrets: readonly string[]
}

/** Of one lookup; what is found beyond is told. */
const MAX_ITEMS = 5_000

export async function findItems(lookup: TopologyLookup, deps: LookupDeps): Promise<FoundItems> {
  const { configs, ...sources } = lookup
  const [catalog, others] = [await findConfigs(configs ?? [], deps), await findSources(sources, deps)]
  return {
    items: [...catalog.items, ...others.items],
    problems: [...catalog.problems, ...others.problems],
    isComplete: catalog.isComplete && others.isComplete,
  }
}

interface ConfigRow {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class: string | null
  readonly status: string | null
  readonly health: string | null
  readonly icon: string | null
  readonly description: string | null
  readonly labels: Record<string, string> | null
  readonly tags: Record<string, string> | null
  readonly properties: unknown
}

async function findConfigs(
  selectors: NonNullable<TopologyLookup['configs']>,
  { pool }: LookupDeps,
): Promise<FoundItems> {
  if (selectors.length === 0) return NOTHING
  const found = await findResources(pool, 'configs', ofAnyAgent(selectors), MAX_ITEMS + 1)
  if (found.length === 0) {
    return (await isCatalogRead(pool))
      ? { ...NOTHING, problems: ['configs: no item of the catalog is meant'] }
      : { ...NOTHING, isComplete: false }
  }
  const isComplete = found.length <= MAX_ITEMS
  const { rows } = await pool.query<ConfigRow>(
    `select id, name, type, config_class as class, status, health, icon, description, labels, tags, properties
     from config_items where id = any($1::uuid[]) order by name, type, id`,
    [found.slice(0, MAX_ITEMS).map(({ id }) => id)],
  )
  const items = rows.map(({ properties, labels, tags, ...row }): FoundItem => {
    const known = { ...row, labels: labels ?? {} }
    return {
      ...known,
      configId: row.id,
      properties: [],
      scope: { ...known, tags: tags ?? {}, properties: toValues(properties) },
    }
  })
  return { items, problems: isComplete ? [] : [TOO_MANY], isComplete }
}

async function findSources(sources: Omit<TopologyLookup, 'configs'>, deps: LookupDeps): Promise<FoundItems> {
  if (Object.values(sources).every((elements) => (elements?.length ?? 0) === 0)) return NOTHING
  const { clock, signal, secrets } = deps
  const context = { scraper: { id: NIL_UUID, name: 'topology' }, clock, signal }
  const spec = ScraperSpecSchema.parse(sources)
  const { plan, warnings, isComplete } = await readItems({ spec, secrets, stored: [] }, context, deps)
  const items = [...plan.items.values()].flatMap(({ written }): FoundItem[] => {
    if (written === null || written.deletedAt !== undefined) return []
    const { id, name, type, class: itemClass, status = null, icon = null, description = null } = written
    const { labels, tags, properties, config, health } = written
    const known = { id, name, type, status, icon, description, labels }
    return [
      {
        ...known,
        configId: null,
        properties: properties.map(({ value, ...rest }) => ({ ...rest, text: value })),
        scope: { ...known, class: itemClass, health: health ?? null, tags, properties: toValues(properties), config },
      },
    ]
  })
  const problems = warnings.map(describeWarning)
  return items.length > MAX_ITEMS
    ? { items: items.slice(0, MAX_ITEMS), problems: [...problems, TOO_MANY], isComplete: false }
    : { items, problems, isComplete }
}

const NOTHING: FoundItems = { items: [], problems: [], isComplete: true }
const TOO_MANY = `more than ${MAX_ITEMS} items; the others are left out`

/** Of a list of properties: by name. */
function toValues(properties: unknown): Record<string, string> {
  const list = Array.isArray(properties) ? (properties as unknown[]) : []
  return Object.fromEntries(
    list.flatMap((property) => {
      const { name, value, text } = Object(property) as Record<string, unknown>
      const said = text ?? value
      return typeof name === 'string' && (typeof said === 'string' || typeof said === 'number')
        ? [[name, String(said)]]
        : []
    }),
  )
}
