import { ownValue } from '@watchroom/shared/kernel'
import {
  type ComponentRow,
  ComponentSchema,
  type NodePart,
  type SeverityCounts,
  toComponentHealth,
  type TopologyNode,
} from '@watchroom/shared/topology'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../../platform/database/inTransaction.ts'

/** A component as it is stored. */
export interface StoredComponent {
  readonly row: ComponentRow
  readonly node: TopologyNode
  readonly shown: ShownState
}

/** What its row in the database shows: what was worked out when it was written last. */
export interface ShownState {
  readonly health: string | null
  readonly status: string
  readonly status_reason: string | null
  readonly summary: unknown
}

/** Rows that changed, by what they are. */
export interface Touched {
  readonly components: readonly string[]
  readonly checks: readonly string[]
  readonly configs: readonly string[]
  readonly incidents: readonly string[]
}

interface StoredRow {
  readonly component: Readonly<Record<string, unknown>> & ShownState & { readonly id: string }
  readonly said: {
    readonly health: string | null
    readonly status: string
    readonly status_reason: string | null
  } | null
  readonly said_since: Date | null
  readonly parents: readonly string[] | null
  readonly team_names: readonly string[] | null
  readonly checks: readonly StoredPart[] | null
  readonly configs: readonly StoredPart[] | null
  readonly incidents: SeverityCounts | null
  readonly open_incidents: readonly string[] | null
  /** Open insights by item. */
  readonly analysis: Readonly<Record<string, SeverityCounts>> | null
}

interface StoredPart {
  readonly id: string
  readonly name: string | null
  readonly word: string | null
  readonly since: string | null
}

/** Those that rows belong to: components, checks, items and incidents by their ids. */
const TOUCHED = `
  and id in (
    select unnest($1::uuid[])
    union select component_id from public.check_component_relationships where check_id = any($2)
    union select component_id from public.config_component_relationships where config_id = any($3)
    union select id from public.components where config_id = any($3)
    union select evidences.component_id from public.hypotheses
      join public.evidences on evidences.hypothesis_id = hypotheses.id
      where hypotheses.incident_id = any($4) and evidences.component_id is not null)`

/** What each component is made of beside its row, counted once for all that are wanted. @param which narrows them */
const selectComponents = (which: string): string => `
  with wanted as materialized (select id from public.components where deleted_at is null ${which}),
  links as (
    select component_id, array_agg(distinct relationship_id order by relationship_id) as parents
    from wanted join public.component_relationships on component_id = wanted.id and deleted_at is null
    group by component_id
  ),
  owners as (
    select component_id, array_agg(teams.name order by teams.name) as team_names
    from wanted join public.team_components on component_id = wanted.id
    join public.teams on teams.id = team_components.team_id and teams.deleted_at is null
    group by component_id
  ),
  check_parts as (
    select component_id, jsonb_agg(jsonb_build_object('id', checks.id, 'name', checks.name, 'word', checks.status,
      'since', checks.last_transition_time) order by checks.id) as checks
    from (
      select distinct component_id, check_id
      from wanted join public.check_component_relationships on component_id = wanted.id and deleted_at is null
    ) as linked
    join public.checks on checks.id = linked.check_id and checks.deleted_at is null
    group by component_id
  ),
  items as (
    select component_id, config_id
    from wanted join public.config_component_relationships on component_id = wanted.id and deleted_at is null
    union
    select components.id, components.config_id
    from wanted join public.components on components.id = wanted.id and components.config_id is not null
  ),
  config_parts as (
    select component_id, jsonb_agg(jsonb_build_object('id', config_items.id, 'name', config_items.name,
      'word', config_items.health, 'since', config_health_since.since) order by config_items.id) as configs
    from items
    join public.config_items on config_items.id = items.config_id and config_items.deleted_at is null
    left join watchroom_internal.config_health_since on config_health_since.config_id = config_items.id
    group by component_id
  ),
  insights as (
    select component_id, jsonb_object_agg(config_id, kinds) as analysis
    from (
      select component_id, config_id, jsonb_object_agg(kind, severities) as kinds
      from (
        select component_id, config_id, kind, jsonb_object_agg(severity, total) as severities
        from (
          select link.component_id, link.config_id, coalesce(analysis_type, 'other') as kind,
            coalesce(severity, 'unknown') as severity, count(*) as total
          from wanted
          join public.config_component_relationships as link on link.component_id = wanted.id and link.deleted_at is null
          join public.config_items on config_items.id = link.config_id and config_items.deleted_at is null
          join public.config_analysis on config_analysis.config_id = link.config_id
          where config_analysis.status = 'open'
          group by 1, 2, 3, 4
        ) as counted
        group by component_id, config_id, kind
      ) as by_kind
      group by component_id, config_id
    ) as by_item
    group by component_id
  ),
  open_evidence as (
    select evidences.component_id, incidents.id, incidents.type, incidents.severity
    from wanted
    join public.evidences on evidences.component_id = wanted.id
    join public.hypotheses on hypotheses.id = evidences.hypothesis_id
    join public.incidents on incidents.id = hypotheses.incident_id
    where incidents.resolved is null and incidents.closed is null
      and incidents.status not in ('resolved', 'closed', 'cancelled')
  ),
  open_incidents as (
    select component_id, array_agg(distinct id::text) as ids from open_evidence group by component_id
  ),
  counted_evidence as (
    select component_id, jsonb_object_agg(type, severities) as incidents
    from (
      select component_id, type, jsonb_object_agg(severity, total) as severities
      from (select component_id, type, severity, count(*) as total from open_evidence group by 1, 2, 3) as counted
      group by component_id, type
    ) as grouped
    group by component_id
  )
  select
    to_jsonb(components.*) as component, to_jsonb(component_said.*) as said, component_said.health_since as said_since,
    links.parents, owners.team_names, check_parts.checks, config_parts.configs, insights.analysis,
    counted_evidence.incidents, open_incidents.ids as open_incidents
  from wanted
  join public.components on components.id = wanted.id
  left join watchroom_internal.component_said on component_said.component_id = wanted.id
  left join links on links.component_id = wanted.id
  left join owners on owners.component_id = wanted.id
  left join check_parts on check_parts.component_id = wanted.id
  left join config_parts on config_parts.component_id = wanted.id
  left join insights on insights.component_id = wanted.id
  left join counted_evidence on counted_evidence.component_id = wanted.id
  left join open_incidents on open_incidents.component_id = wanted.id`

const ALL_COMPONENTS = selectComponents('')
const TOUCHED_COMPONENTS = { name: 'touched components', text: selectComponents(TOUCHED) }

/** Everything that is not deleted, as one statement sees it. */
export async function readComponents(pool: Pool): Promise<StoredComponent[]> {
  return [...(await readInSlices(pool, Infinity))].flat()
}

/**
 * The same as one of several: each is looked at when it is asked for. Whoever reads everything wants no loop over a loop: PostgreSQL takes
 * one where it counted the tables while they were empty, and a thousand components then take a minute instead of a tenth of a second.
 */
export async function readInSlices(pool: Pool, length: number): Promise<Iterable<StoredComponent[]>> {
  const { rows } = await inTransaction(pool, async (client) => {
    await client.query('set local enable_nestloop = off')
    return client.query<StoredRow>(ALL_COMPONENTS)
  })
  return slice(rows, length)
}

function* slice(rows: readonly StoredRow[], length: number): Generator<StoredComponent[]> {
  for (let from = 0; from < rows.length; from += length) yield rows.slice(from, from + length).map(toStored)
}

export interface TouchedReader {
  /** What changed rows belong to, and is not deleted; as one statement sees it. */
  read(touched: Touched): Promise<StoredComponent[]>
  /** There may be many more rows than there were: what was the best way to a few of ten is none to a few of ten thousand. */
  planAnew(): void
  close(): void
}

/**
 * A few out of many, with every transition. To plan the statement takes ten times as long as to run it, so a connection of its own keeps
 * the plan; it is one for any number of ids, which by itself PostgreSQL takes for dearer than it is. A connection that was lost is replaced
 * by the next read.
 */
export function createTouchedReader(pool: Pool): TouchedReader {
  let client: PoolClient | null = null
  let isPlanOld = false

  const drop = (lost: PoolClient): void => {
    if (client !== lost) return
    client = null
    lost.release(true)
  }

  const open = async (): Promise<PoolClient> => {
    const opened = await pool.connect()
    client = opened
    opened.once('error', () => drop(opened))
    await opened.query('set plan_cache_mode = force_generic_plan')
    return opened
  }

  return {
    read: async ({ components, checks, configs, incidents }) => {
      try {
        const opened = client ?? (await open())
        if (isPlanOld) await opened.query('discard plans')
        isPlanOld = false
        const values = [components, checks, configs, incidents]
        const { rows } = await opened.query<StoredRow>({ ...TOUCHED_COMPONENTS, values })
        return rows.map(toStored)
      } catch (error) {
        if (client) drop(client)
        throw error
      }
    },
    planAnew: () => {
      isPlanOld = true
    },
    close: () => {
      if (client) drop(client)
    },
  }
}

const toStored = (stored: StoredRow): StoredComponent => ({
  row: toRow(stored),
  node: toNode(stored),
  shown: {
    health: stored.component.health,
    status: stored.component.status,
    status_reason: stored.component.status_reason,
    summary: stored.component.summary,
  },
})

/** Names of teams by id. */
export async function readTeams(pool: Pick<Pool, 'query'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    'select id, name from public.teams where deleted_at is null',
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function toRow({ component, said, team_names: teamNames }: StoredRow): ComponentRow {
  const {
    summary: _,
    components: __,
    children: ___,
    parents: ____,
    because: _____,
    ...row
  } = ComponentSchema.parse({
    ...component,
    ...(said && { health: said.health, status: said.status, status_reason: said.status_reason }),
    logs: toLogs(component['log_selectors']),
  })
  return { ...row, team_names: teamNames }
}

const toLogs = (selectors: unknown): unknown =>
  Array.isArray(selectors) ? selectors.map((selector: { name?: unknown } | null) => ({ name: selector?.name })) : null

function toNode(stored: StoredRow): TopologyNode {
  const { component, said, said_since: saidSince, checks, configs } = stored
  const { id, parent_id: parentId, health_expr: healthExpr, status_expr: statusExpr } = component
  return {
    id,
    parentId: text(parentId) || null,
    linkedTo: stored.parents ?? [],
    health: toComponentHealth((said ?? component).health),
    since: saidSince?.toISOString() ?? null,
    status: (said ?? component).status,
    parts: [
      ...(checks ?? []).map((part) => ({
        ...toPart('check', part),
        ...(part.word === null ? {} : { status: part.word }),
      })),
      ...(configs ?? []).map((part) => {
        const insights = ownValue(stored.analysis ?? {}, part.id)
        return { ...toPart('config', part), ...(insights && { insights }) }
      }),
    ],
    incidents: stored.incidents ?? {},
    ...(stored.open_incidents === null ? {} : { openIncidents: stored.open_incidents }),
    ...(text(healthExpr) === '' ? {} : { healthExpr: text(healthExpr) }),
    ...(text(statusExpr) === '' ? {} : { statusExpr: text(statusExpr) }),
  }
}

const toPart = (kind: NodePart['kind'], { id, name, word, since }: StoredPart): NodePart => ({
  kind,
  id,
  name: name ?? id,
  health: toComponentHealth(word),
  since: since === null ? null : new Date(since).toISOString(),
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
