// What the selectors of components mean now, as rows that link: other components, checks, items of the catalog. Only what a selector
// linked is unlinked; what people or agents linked stays. Components of agents are theirs to relate,
// but for their checks: those links are never pushed, and only checks of the same agent are meant.
import { createHash } from 'node:crypto'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { ofAgent, type ResourceSelector, ResourceSelectorSchema, type SearchKind } from '@watchroom/shared/resources'
import type { Pool } from 'pg'

import { findEach } from '../../resources/findResources.ts'
import { INLINE_SOURCE } from './inlineCanaries.ts'
import { isCatalogRead } from './isCatalogRead.ts'

export const LINK_KINDS = ['components', 'checks', 'configs'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

interface LinkTable {
  readonly kind: SearchKind
  readonly column: string
  readonly table: string
  /** Columns of a link: whose selector it is, and what is meant. */
  readonly owner: string
  readonly meant: string
  readonly insert: string
}

const WANTED = `jsonb_to_recordset($1::jsonb) as wanted(owner uuid, meant uuid, selector text)`

const LINKS: Readonly<Record<LinkKind, LinkTable>> = {
  components: {
    kind: 'components',
    column: 'selectors',
    table: 'component_relationships',
    owner: 'relationship_id',
    meant: 'component_id',
    insert: `insert into component_relationships (component_id, relationship_id, selector_id, relationship_path)
      select wanted.meant, wanted.owner, wanted.selector, concat_ws('.', nullif(parent.path, ''), parent.id)
      from ${WANTED} join components as parent on parent.id = wanted.owner
      on conflict (component_id, relationship_id, selector_id) do update
        set deleted_at = null, relationship_path = excluded.relationship_path`,
  },
  checks: {
    kind: 'checks',
    column: 'component_checks',
    table: 'check_component_relationships',
    owner: 'component_id',
    meant: 'check_id',
    insert: `insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
      select wanted.owner, checks.id, checks.canary_id, wanted.selector
      from ${WANTED} join checks on checks.id = wanted.meant
      on conflict (component_id, check_id, canary_id, selector_id) do update set deleted_at = null`,
  },
  configs: {
    kind: 'configs',
    column: 'configs',
    table: 'config_component_relationships',
    owner: 'component_id',
    meant: 'config_id',
    insert: `insert into config_component_relationships (component_id, config_id, selector_id)
      select distinct on (owner, meant) owner, meant, selector from ${WANTED} order by owner, meant, selector
      on conflict (component_id, config_id) do update set deleted_at = null, selector_id = excluded.selector_id
      where config_component_relationships.selector_id is distinct from 'manual'`,
  },
}

/** Marks links that a selector made. */
const PREFIX = 'spec:'
const MAX_MEANT = 10_000
const LINKS_AT_ONCE = 5_000

export interface Related {
  readonly components: number
  /** Selectors that mean nothing, or cannot be read; by the name of their component. */
  readonly problems: readonly string[]
}

export interface OwnerRow {
  readonly id: string
  readonly name: string
  readonly parentId: string | null
  readonly configId: string | null
  /** Of a component that an agent pushed: only what is that agent's is meant. */
  readonly agentId?: string | null
  readonly selectors: unknown
}

interface Link {
  readonly owner: string
  readonly meant: string
  readonly selector: string
}

/** @param topologyId of one topology alone; of all components when it is not said */
export async function relateComponents(
  pool: Pick<Pool, 'query'>,
  kind: LinkKind,
  topologyId?: string,
): Promise<Related> {
  const { column, table, owner, meant, insert } = LINKS[kind]
  const { rows } = await pool.query<OwnerRow>(
    `select id, name, parent_id as "parentId", config_id as "configId", nullif(agent_id, '${NIL_UUID}') as "agentId",
       ${column} as selectors
     from components
     where deleted_at is null and ${kind === 'checks' ? 'true' : `agent_id = '${NIL_UUID}'`}
       and ($1::uuid is null or topology_id = $1)
       and (${column} is not null ${kind === 'configs' ? 'or config_id is not null' : ''} or exists (
         select from ${table} as link where link.${owner} = components.id and link.selector_id like '${PREFIX}%'))
     order by id`,
    [topologyId ?? null],
  )
  const problems: string[] = []
  const wanted = await findLinks(pool, kind, rows, (problem) => problems.push(problem))
  const { rows: stored } = await pool.query<Link & { isDeleted: boolean }>(
    `select ${owner} as owner, ${meant} as meant, selector_id as selector, deleted_at is not null as "isDeleted" from ${table}
     where ${owner} = any($1::uuid[]) and selector_id like '${PREFIX}%' and selector_id <> '${PREFIX}inline'`,
    [rows.map(({ id }) => id)],
  )
  const keyOf = (link: Link): string =>
    kind === 'configs' ? `${link.owner} ${link.meant}` : `${link.owner} ${link.meant} ${link.selector}`
  const live = new Set(stored.filter(({ isDeleted }) => !isDeleted).map(keyOf))
  const keys = new Set(wanted.map(keyOf))
  const added = wanted.filter((link) => !live.has(keyOf(link)))
  const lost = stored.filter((link) => !link.isDeleted && !keys.has(keyOf(link)))
  for (let at = 0; at < added.length; at += LINKS_AT_ONCE) {
    await pool.query(insert, [JSON.stringify(added.slice(at, at + LINKS_AT_ONCE))])
  }
  if (lost.length > 0) {
    await pool.query(
      `update ${table} as link set deleted_at = now() from ${WANTED}
       where link.${owner} = wanted.owner and link.${meant} = wanted.meant and link.selector_id = wanted.selector
         and link.deleted_at is null`,
      [JSON.stringify(lost.map(({ owner, meant, selector }) => ({ owner, meant, selector })))],
    )
  }
  if (kind === 'checks' && topologyId === undefined) await pool.query(LINK_INLINE)
  return { components: rows.length, problems }
}

/** Checks that components of agents brought along; those of our own are linked as soon as they are there. */
const LINK_INLINE = `
insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
select component.id, checks.id, canary.id, '${PREFIX}inline'
from components as component
join canaries as canary on canary.source = '${INLINE_SOURCE}' || component.id and canary.agent_id = component.agent_id
  and canary.deleted_at is null
join checks on checks.canary_id = canary.id and checks.deleted_at is null
where component.deleted_at is null and component.agent_id <> '${NIL_UUID}'
on conflict (component_id, check_id, canary_id, selector_id) do update set deleted_at = null
where check_component_relationships.deleted_at is not null`

/** @returns a link for each that a selector of the rows means, the same one as often as selectors mean it */
export async function findLinks(
  pool: Pick<Pool, 'query'>,
  kind: LinkKind,
  rows: readonly OwnerRow[],
  onProblem: (problem: string) => void,
): Promise<Link[]> {
  const owners = rows.map((row) => ({
    ...row,
    asked: toSelectors(row.selectors, row.agentId).map((selector) => ({ selector, written: JSON.stringify(selector) })),
  }))
  // Many components ask for the same.
  const different = new Map(
    owners.flatMap(({ asked }) => asked.map(({ selector, written }) => [written, selector] as const)),
  )
  const found = await findEach(pool, LINKS[kind].kind, [...different.values()], MAX_MEANT)
  const meantBy = new Map([...different.keys()].map((written, index) => [written, found[index]]))
  const lacksItems = kind === 'configs' && found.some((meant) => meant.ok && meant.value.length === 0)
  const mayMeanNothing = lacksItems && !(await isCatalogRead(pool))
  const links: Link[] = []
  for (const { id: owner, name, parentId, configId, agentId, asked } of owners) {
    // Those who read about it here cannot fix it.
    const tell = agentId ? () => undefined : onProblem
    if (kind === 'configs' && configId !== null) links.push({ owner, meant: configId, selector: `${PREFIX}lookup` })
    for (const { written } of asked) {
      const meant = meantBy.get(written)
      if (meant === undefined) continue
      if (!meant.ok) {
        tell(`${name}: ${kind}: ${meant.error}`)
        continue
      }
      const mark = PREFIX + createHash('sha256').update(written).digest('hex').slice(0, 32)
      // What contains itself would be its own part.
      const others = kind === 'components' ? meant.value.filter((id) => id !== owner && id !== parentId) : meant.value
      if (others.length === 0 && !mayMeanNothing) tell(`${name}: ${kind}: ${written} means nothing`)
      links.push(...others.map((id) => ({ owner, meant: id, selector: mark })))
    }
  }
  return links
}

/** Of checks each stands in an object of its own. Inline ones are none of ours here: they ask for nothing. */
function toSelectors(written: unknown, agentId: string | null | undefined): ResourceSelector[] {
  const selectors = [written ?? []].flat().flatMap((each: unknown) => {
    const { selector = each } = Object(each) as { selector?: unknown }
    const parsed = ResourceSelectorSchema.safeParse(selector)
    return parsed.success ? [parsed.data] : []
  })
  return agentId ? ofAgent(selectors, agentId) : selectors
}
