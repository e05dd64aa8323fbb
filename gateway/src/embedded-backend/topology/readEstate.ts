import {
  type ComponentRow,
  ComponentSchema,
  type OwnCounts,
  type SeverityCounts,
  toComponentHealth,
  type TopologyNode,
} from '@watchroom/shared/topology'
import type { Pool } from 'pg'

export interface StoredEstate {
  readonly rows: ReadonlyMap<string, ComponentRow>
  readonly nodes: readonly TopologyNode[]
  /** Names of teams by id. */
  readonly teams: ReadonlyMap<string, string>
}

interface StoredComponent extends Record<string, unknown> {
  readonly id: string
  readonly parent_id: string | null
  readonly status_expr: string | null
  readonly health_expr: string | null
  readonly parents: readonly string[] | null
  readonly team_names: readonly string[] | null
  readonly checks: Readonly<Record<string, number>> | null
  readonly incidents: SeverityCounts | null
  readonly analysis: SeverityCounts | null
  readonly config_healths: readonly (string | null)[] | null
}

/** What each component is made of beside its row, counted once for all. The view `topology` counts it again for every row. */
const COMPONENTS = `
  select
    to_jsonb(components.*) as component, links.parents, owners.team_names, check_summary_by_component.checks,
    incident_summary_by_component.incidents, analysis_summary_by_component.analysis, items.config_healths
  from public.components
  left join (
    select component_id, array_agg(distinct relationship_id) as parents
    from public.component_relationships where deleted_at is null group by component_id
  ) as links on links.component_id = components.id
  left join (
    select component_id, array_agg(teams.name order by teams.name) as team_names
    from public.team_components
    join public.teams on teams.id = team_components.team_id and teams.deleted_at is null
    group by component_id
  ) as owners on owners.component_id = components.id
  left join public.check_summary_by_component on check_summary_by_component.component_id = components.id
  left join public.incident_summary_by_component on incident_summary_by_component.id = components.id
  left join public.analysis_summary_by_component on analysis_summary_by_component.id = components.id
  left join (
    select component_id, array_agg(config_items.health) as config_healths
    from (
      select component_id, config_id from public.config_component_relationships where deleted_at is null
      union
      select id, config_id from public.components where config_id is not null
    ) as linked
    join public.config_items on config_items.id = linked.config_id and config_items.deleted_at is null
    group by component_id
  ) as items on items.component_id = components.id
  where components.deleted_at is null`

const TEAMS = 'select id, name from public.teams where deleted_at is null'

/** Everything that is not deleted, as one statement sees it. */
export async function readEstate(pool: Pick<Pool, 'query'>): Promise<StoredEstate> {
  const { rows: found } = await pool.query<{ component: Record<string, unknown> }>(COMPONENTS)
  const { rows: teams } = await pool.query<{ id: string; name: string }>(TEAMS)
  const stored = found.map(({ component, ...rest }) => ({ ...component, ...rest }) as StoredComponent)
  return {
    rows: new Map(stored.map((row) => [row.id, toRow(row)])),
    nodes: stored.map(toNode),
    teams: new Map(teams.map(({ id, name }) => [id, name])),
  }
}

function toRow(stored: StoredComponent): ComponentRow {
  const {
    summary: _,
    components: __,
    children: ___,
    parents: ____,
    ...row
  } = ComponentSchema.parse({
    ...stored,
    logs: toLogs(stored['log_selectors']),
  })
  return { ...row, team_names: stored.team_names }
}

const toLogs = (selectors: unknown): unknown =>
  Array.isArray(selectors) ? selectors.map((selector: { name?: unknown } | null) => ({ name: selector?.name })) : null

function toNode(stored: StoredComponent): TopologyNode {
  const own: OwnCounts = {
    checks: stored.checks ?? {},
    incidents: stored.incidents ?? {},
    insights: stored.analysis ?? {},
  }
  return {
    id: stored.id,
    parentId: stored.parent_id,
    linkedTo: stored.parents ?? [],
    health: toComponentHealth(text(stored['health'])),
    status: text(stored['status']),
    configs: (stored.config_healths ?? []).map((health) => toComponentHealth(health)),
    own,
    ...(stored.health_expr ? { healthExpr: stored.health_expr } : {}),
    ...(stored.status_expr ? { statusExpr: stored.status_expr } : {}),
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
