// What may have led to something, out of the database: where the question starts from, what is near it, and what happened there
// around that moment. How likely each is, `shared` says. Its texts are all of this file; whatever a caller wrote is a parameter.
import {
  type LensStartKind,
  rankSuspects,
  type Suspect,
  type WhatChanged,
  type WhatChangedRequest,
} from '@watchroom/shared/catalog'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

const MINUTE_MS = 60_000
const BEFORE_MS = 24 * 60 * MINUTE_MS
/** Clocks of sources differ, and a scrape sees a change when it comes by. */
const AFTER_MS = 10 * MINUTE_MS
const MAX_STEPS = 3
const MAX_NEAR = 5_000
const MAX_RELATED = 500
const MAX_OTHERS = 100
const MAX_SHOWN = 50
/** An agent that was quiet for less may only be between two reports. */
const SILENT_MS = 5 * MINUTE_MS

type Database = Pick<Pool, 'query'>

/** What the caller may read besides the catalog. */
export interface LensRights {
  readonly runs: boolean
  readonly agents: boolean
}

interface Start {
  readonly at: Date | null
  readonly configs: readonly string[]
  readonly checks: readonly string[]
  readonly components: readonly string[]
  readonly agents: readonly string[]
}

const NOTHING: Start = { at: null, configs: [], checks: [], components: [], agents: [] }

/** `$1` is the id. What is linked to a component stands for it. */
const STARTS: Readonly<Record<Exclude<LensStartKind, 'instant'>, string>> = {
  config: `select null::timestamptz as at, array[id] as configs, '{}'::uuid[] as checks, '{}'::uuid[] as components,
      array[agent_id] as agents
    from config_items where id = $1`,
  check: `select last_transition_time as at,
      array(select config_id from check_config_relationships where check_id = $1 and deleted_at is null
        union select config_id from config_component_relationships as link
          join check_component_relationships as watched on watched.component_id = link.component_id
          where watched.check_id = $1 and link.deleted_at is null and watched.deleted_at is null) as configs,
      array[id] as checks,
      array(select component_id from check_component_relationships where check_id = $1 and deleted_at is null) as components,
      array[agent_id] as agents
    from checks where id = $1`,
  component: `select null::timestamptz as at,
      array(select config_id from config_component_relationships where component_id = $1 and deleted_at is null
        union select config_id where config_id is not null) as configs,
      array(select check_id from check_component_relationships where component_id = $1 and deleted_at is null) as checks,
      array[id] as components, array[agent_id] as agents
    from components where id = $1`,
  incident: `with evidence as (
      select evidences.* from evidences join hypotheses on hypotheses.id = evidences.hypothesis_id
      where hypotheses.incident_id = $1)
    select created_at as at,
      array(select config_id from evidence where config_id is not null
        union select change.config_id from evidence join config_changes as change on change.id = evidence.config_change_id
        union select insight.config_id from evidence join config_analysis as insight on insight.id = evidence.config_analysis_id
        union select link.config_id from evidence join check_config_relationships as link on link.check_id = evidence.check_id
          where link.deleted_at is null
        union select link.config_id from evidence
          join config_component_relationships as link on link.component_id = evidence.component_id
          where link.deleted_at is null) as configs,
      array(select check_id from evidence where check_id is not null) as checks,
      array(select component_id from evidence where component_id is not null) as components, '{}'::uuid[] as agents
    from incidents where id = $1`,
}

/** @returns null when nothing has this id */
async function findStart(database: Database, { start, id }: WhatChangedRequest): Promise<Start | null> {
  if (start === 'instant') return NOTHING
  const { rows } = await database.query<Start>(STARTS[start], [id])
  return rows[0] ?? null
}

/** @returns null where there is nothing to start from */
export async function findWhatChanged(
  database: Database,
  request: WhatChangedRequest,
  { now, rights }: { readonly now: number; readonly rights: LensRights },
): Promise<WhatChanged | null> {
  const start = await findStart(database, request)
  if (start === null) return null
  const at = request.at ? new Date(request.at) : (start.at ?? new Date(now))
  const range = { from: new Date(at.getTime() - BEFORE_MS), to: new Date(at.getTime() + AFTER_MS), at }
  const near = await findNear(database, start.configs)
  const suspects = [
    ...(await findChanges(database, near, range)),
    ...(rights.runs ? await findRuns(database, near, { ...range, start }) : []),
    ...(rights.agents ? await findAgents(database, { ...range, start, now }) : []),
  ]
  return { at: at.toISOString(), suspects: rankSuspects(suspects, at.toISOString(), MAX_SHOWN) }
}

interface Near {
  readonly ids: readonly string[]
  readonly distances: readonly number[]
}

async function findNear(database: Database, starts: readonly string[]): Promise<Near> {
  const { rows } = await database.query<Near>(
    `select coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(distance), '{}') as distances
     from watchroom_internal.near_configs($1::uuid[], ${MAX_STEPS}, ${MAX_NEAR})`,
    [starts],
  )
  return rows[0] ?? { ids: [], distances: [] }
}

interface Range {
  readonly from: Date
  readonly to: Date
  readonly at: Date
}

const NEAR = `near as (select * from unnest($1::uuid[], $2::integer[]) as near (id, distance))`

async function findChanges(database: Database, { ids, distances }: Near, { from, to, at }: Range): Promise<Suspect[]> {
  const { rows } = await database.query<Suspect>(
    `with ${NEAR}, related as (
       select c.id, c.config_id, c.summary, c.change_type, c.severity, c.created_at, near.distance
       from near join config_changes c on c.config_id = near.id
       where c.created_at between $3 and $4
       order by near.distance, abs(extract(epoch from c.created_at - $5::timestamptz)) limit ${MAX_RELATED}
     ), others as (
       select c.id, c.config_id, c.summary, c.change_type, c.severity, c.created_at, null::integer as distance
       from config_changes c
       where c.created_at between $3 and $5 and c.config_id <> all($1::uuid[])
       order by c.created_at desc limit ${MAX_OTHERS}
     )
     select 'change' as kind, found.id, coalesce(nullif(found.summary, ''), found.change_type, 'changed') as title,
       coalesce(item.name, item.id::text) as subject, found.config_id, to_json(found.created_at) #>> '{}' as at,
       found.distance, found.severity
     from (select * from related union all select * from others) as found
     join config_items item on item.id = found.config_id`,
    [ids, distances, from, to, at],
  )
  return rows
}

async function findRuns(
  database: Database,
  { ids, distances }: Near,
  { from, to, at, start }: Range & { readonly start: Start },
): Promise<Suspect[]> {
  const { rows } = await database.query<Suspect>(
    `with ${NEAR}
     select 'run' as kind, run.id, 'run ' || run.status as title, coalesce(nullif(playbook.title, ''), playbook.name) as subject,
       run.config_id, to_json(run.start_time) #>> '{}' as at,
       case when run.check_id = any($5::uuid[]) or run.component_id = any($6::uuid[]) then 0 else near.distance end as distance,
       null as severity
     from playbook_runs run
     join playbooks playbook on playbook.id = run.playbook_id
     left join near on near.id = run.config_id
     where run.start_time between $3 and $4
     order by distance nulls last, abs(extract(epoch from run.start_time - $7::timestamptz)) limit ${MAX_OTHERS}`,
    [ids, distances, from, to, start.checks, start.components, at],
  )
  return rows
}

async function findAgents(
  database: Database,
  { from, to, start, now }: Range & { readonly start: Start; readonly now: number },
): Promise<Suspect[]> {
  const { rows } = await database.query<Suspect>(
    `select 'agent' as kind, agent.id, event.title, agent.name as subject, null as config_id,
       to_json(event.at) #>> '{}' as at, case when agent.id = any($3::uuid[]) then 0 end as distance, null as severity
     from agents agent, lateral (values
       ('fell silent', case when agent.last_seen < $4 then agent.last_seen end),
       ('was added', agent.created_at)) as event (title, at)
     where agent.id <> '${NIL_UUID}' and agent.deleted_at is null and event.at between $1 and $2
     order by event.at desc limit ${MAX_OTHERS}`,
    [from, to, start.agents, new Date(now - SILENT_MS)],
  )
  return rows
}
