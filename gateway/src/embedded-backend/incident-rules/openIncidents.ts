// What a component's change of health makes of the rules for incidents: each that watches it opens one, unless the one that it opened
// before is still open. May run again for the same event.
import { RuleSpecSchema } from '@watchroom/shared/specs'
import type { ClientBase, Pool } from 'pg'
import type { z } from 'zod'

import { lockKey } from '../../platform/database/advisoryLocks.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { findMeant } from '../resources/findResources.ts'
import { toComponentSelectors } from './componentSelectors.ts'

interface Component {
  readonly id: string
  readonly name: string
  readonly reason: string | null
}

export interface Turn {
  readonly componentId: string
  /** Which health it has now. */
  readonly health: string
}

interface Rule {
  readonly id: string
  readonly createdBy: string
  readonly spec: z.infer<typeof RuleSpecSchema>
}

/** Where a rule names none. */
const COUNTED = ['unhealthy']
const USUAL = { type: 'availability', severity: 'medium' } as const
const MAX_TITLE_CHARACTERS = 500

/** @returns ids of the rules that opened an incident */
export async function openIncidents(pool: Pool, { componentId, health }: Turn): Promise<string[]> {
  const rules = (await readRules(pool)).filter(({ spec }) => counts(spec, health))
  const component = rules.length === 0 ? null : await readComponent(pool, componentId)
  if (component === null) return []
  const meant = await findMeant(
    pool,
    { kind: 'components', id: componentId },
    rules.map(({ spec }) => toComponentSelectors(spec.components)),
  )
  const opened: string[] = []
  for (const [index, rule] of rules.entries()) {
    if (meant[index] !== true) continue
    if (await inTransaction(pool, (client) => open(client, rule, component, health))) opened.push(rule.id)
    if (rule.spec.breakOnMatch === true) break
  }
  return opened
}

const counts = ({ filter }: Rule['spec'], health: string): boolean =>
  (filter?.status?.length ? filter.status : COUNTED).some((word) => word.toLowerCase() === health)

async function readComponent(pool: Pool, id: string): Promise<Component | null> {
  const { rows } = await pool.query<Component>(
    `select id, name, coalesce(nullif(status_reason, ''), nullif(description, '')) as reason
     from components where id = $1 and deleted_at is null`,
    [id],
  )
  return rows[0] ?? null
}

/** The oldest first. One whose spec cannot be read opens nothing: its form says what is wrong. */
async function readRules(pool: Pool): Promise<Rule[]> {
  const { rows } = await pool.query<{ id: string; created_by: string; spec: unknown }>(
    'select id, created_by, spec from incident_rules where deleted_at is null order by created_at, id',
  )
  return rows.flatMap(({ id, created_by: createdBy, spec }) => {
    const parsed = RuleSpecSchema.safeParse(spec)
    return parsed.success ? [{ id, createdBy, spec: parsed.data }] : []
  })
}

/** @returns whether there was none open yet */
async function open(client: ClientBase, rule: Rule, component: Component, health: string): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1)', [lockKey('incident-rule', `${rule.id} ${component.id}`)])
  const { rowCount } = await client.query(
    `select from watchroom_internal.incidents_of_rules as opened
     join incidents on incidents.id = opened.incident_id
     where opened.incident_rule_id = $1 and opened.component_id = $2
       and incidents.status not in ('resolved', 'closed') limit 1`,
    [rule.id, component.id],
  )
  if (rowCount !== 0) return false
  const { template, autoAssignOwner } = rule.spec
  const title = (template?.title?.trim() || `${component.name} is ${health}`).slice(0, MAX_TITLE_CHARACTERS)
  const { rows } = await client.query<{ id: string }>(
    `with incident as (
       insert into incidents (incident_rule_id, title, description, type, severity, status, created_by, commander_id, communicator_id)
       values ($1, $2, $3, $4, $5, 'open', $6, $6, $6) returning id),
     known as (
       insert into watchroom_internal.incidents_of_rules (incident_id, incident_rule_id, component_id)
       select id, $1, $7 from incident)
     select id from incident`,
    [
      rule.id,
      title,
      template?.description ?? component.reason ?? '',
      template?.type ?? USUAL.type,
      template?.severity ?? USUAL.severity,
      rule.createdBy,
      component.id,
    ],
  )
  const incidentId = rows[0]?.id
  await client.query(
    `with root as (
       insert into hypotheses (incident_id, type, status, title, created_by)
       values ($1, 'root', 'possible', $2, $3) returning id)
     insert into evidences (hypothesis_id, type, component_id, description, created_by)
     select id, 'topology', $4, $5, $3 from root`,
    [incidentId, title, rule.createdBy, component.id, component.name],
  )
  if (autoAssignOwner === true) await callInOwners(client, { incidentId, rule, component })
  return true
}

interface Opened {
  readonly incidentId: string | undefined
  readonly rule: Rule
  readonly component: Component
}

async function callInOwners(client: ClientBase, { incidentId, rule, component }: Opened): Promise<void> {
  await client.query(
    `insert into responders (incident_id, type, team_id, created_by)
     select $1, 'team', teams.id, $2 from team_components
     join teams on teams.id = team_components.team_id
     where team_components.component_id = $3 and teams.deleted_at is null
     order by teams.name, teams.id`,
    [incidentId, rule.createdBy, component.id],
  )
}
