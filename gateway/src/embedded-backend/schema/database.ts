// Kysely types of the tables that TypeScript touches. The migrations are the truth; `database.integration.test.ts` compares.

import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** timestamptz: read as Date, written as Date or RFC 3339 text. */
type Timestamp = ColumnType<Date, Date | string, Date | string>
type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

/** jsonb: read as a value, written as JSON text (`pg` would send an array as a PostgreSQL array). */
type Json<Value> = ColumnType<Value, string, string>
type NullableJson<Value> = ColumnType<Value | null, string | null | undefined, string | null>

type Labels = Record<string, string>

export interface PeopleTable {
  id: Generated<string>
  name: string
  avatar: string | null
  /** null for humans, `agent` for the person behind an agent's token. */
  type: string | null
  team_id: string | null
  organization: string | null
  title: string | null
  email: string | null
  phone: string | null
  properties: NullableJson<Record<string, unknown>>
  external_id: string | null
  created_at: GeneratedTimestamp
  updated_at: NullableTimestamp
  deleted_at: NullableTimestamp
  last_login: NullableTimestamp
}

/** `ptype` g: person `v0` has role `v1`. Never exposed; the console reads the view `people_roles`. */
export interface CasbinRuleTable {
  id: Generated<string>
  ptype: string
  v0: string
  v1: string
  v2: string | null
  v3: string | null
  v4: string | null
  v5: string | null
}

export interface PeopleRolesView {
  id: string
  name: string
  email: string | null
  roles: string[]
}

export interface AccessTokensTable {
  id: Generated<string>
  name: string
  value: string
  person_id: string
  created_at: GeneratedTimestamp
  /** null: never */
  expires_at: NullableTimestamp
}

export interface IdentityTraits {
  email: string
  name?: { first?: string; last?: string }
}

export interface IdentitiesTable {
  /** Also the id of the person, whom a trigger keeps in step. */
  id: Generated<string>
  traits: Json<IdentityTraits>
  state: Generated<'active' | 'inactive'>
  password_hash: string | null
  created_at: GeneratedTimestamp
  /** By trigger. */
  updated_at: GeneratedTimestamp
  /** By trigger. */
  state_changed_at: GeneratedTimestamp
}

export interface SessionsTable {
  id: Generated<string>
  /** SHA-256 of the token. */
  token_hash: Buffer
  identity_id: string
  active: Generated<boolean>
  issued_at: GeneratedTimestamp
  authenticated_at: GeneratedTimestamp
  expires_at: Timestamp
  authentication_methods: JSONColumnType<unknown[], string | undefined>
}

export interface FlowsTable {
  id: Generated<string>
  /** login, registration, recovery, verification, settings, logout, error */
  type: string
  kind: 'browser' | 'api'
  state: JSONColumnType<Record<string, unknown>, string | undefined>
  csrf_token: string | null
  return_to: string | null
  issued_at: GeneratedTimestamp
  expires_at: Timestamp
}

export interface SignInLinksTable {
  /** SHA-256 of the token. */
  token_hash: Buffer
  identity_id: string
  created_at: GeneratedTimestamp
  expires_at: Timestamp
  used_at: NullableTimestamp
}

export interface AgentsTable {
  id: Generated<string>
  name: string
  hostname: string | null
  description: string | null
  ip: string | null
  version: string | null
  username: string | null
  person_id: string | null
  properties: NullableJson<Labels>
  tls: string | null
  created_by: string | null
  created_at: GeneratedTimestamp
  /** By trigger, for edits; a heartbeat is none. */
  updated_at: GeneratedTimestamp
  /** Set together with `deleted_at`: what the agent pushed is deleted too. */
  cleanup: Generated<boolean>
  deleted_at: NullableTimestamp
  last_seen: NullableTimestamp
  last_received: NullableTimestamp
  /** How far the agent's clock is ahead of ours; null: it never said. */
  clock_skew_ms: number | null
  /** Results that wait on the agent's disk. */
  queued_results: number | null
}

export interface PropertiesTable {
  name: string
  value: string
  created_by: string | null
  created_at: GeneratedTimestamp
  updated_at: GeneratedTimestamp
  deleted_at: NullableTimestamp
}

export interface CanariesTable {
  id: Generated<string>
  agent_id: Generated<string>
  name: string
  namespace: string
  labels: NullableJson<Labels>
  annotations: NullableJson<Labels>
  /** The document as written; a broken one is shown as broken, never lost. */
  spec: Json<Record<string, unknown>>
  source: string | null
  created_at: GeneratedTimestamp
  created_by: string | null
  updated_at: GeneratedTimestamp
  deleted_at: NullableTimestamp
  is_pushed: Generated<boolean>
}

export interface ChecksTable {
  id: Generated<string>
  canary_id: string
  agent_id: Generated<string>
  type: string
  name: string
  namespace: string | null
  description: string | null
  icon: string | null
  spec: NullableJson<Record<string, unknown>>
  labels: NullableJson<Labels>
  owner: string | null
  severity: string | null
  category: string | null
  transformed: boolean | null
  last_runtime: NullableTimestamp
  /** By trigger, when `status` changes. */
  last_transition_time: NullableTimestamp
  next_runtime: NullableTimestamp
  silenced_at: NullableTimestamp
  /** healthy, unhealthy, or null before the first run. */
  status: string | null
  created_at: GeneratedTimestamp
  updated_at: GeneratedTimestamp
  deleted_at: NullableTimestamp
  is_pushed: Generated<boolean>
}

export interface CheckStatusesTable {
  check_id: string
  details: NullableJson<unknown>
  /** Milliseconds. */
  duration: number | null
  error: string | null
  /** Start of the run. */
  time: Timestamp
  created_at: GeneratedTimestamp
  /** The check itself is broken, not what it looks at. */
  invalid: boolean | null
  message: string | null
  /** true: passed */
  status: boolean | null
  severity: string | null
  is_pushed: Generated<boolean>
}

/** One hour (`check_statuses_1h`) or one day (`check_statuses_1d`) of a check. */
export interface CheckStatusesAggregateTable {
  check_id: string
  /** Start of the hour or day. */
  created_at: Timestamp
  /** Sum, milliseconds. */
  duration: number
  total: number
  passed: number
  failed: number
}

export interface JobHistoryTable {
  id: Generated<string>
  agent_id: Generated<string>
  name: string | null
  success_count: number | null
  error_count: number | null
  details: NullableJson<Record<string, unknown>>
  hostname: string | null
  duration_millis: number | null
  resource_type: string | null
  resource_id: string | null
  /** RUNNING, SUCCESS, WARNING, FAILED, STALE, SKIPPED */
  status: string | null
  time_start: NullableTimestamp
  time_end: NullableTimestamp
  created_at: GeneratedTimestamp
  is_pushed: Generated<boolean>
}

export interface EventQueueTable {
  id: Generated<string>
  name: string
  properties: NullableJson<Labels>
  error: string | null
  created_at: GeneratedTimestamp
  last_attempt: NullableTimestamp
  attempts: Generated<number | null>
  /** Higher first. */
  priority: Generated<number>
  /** Nanoseconds after `created_at`; bigint, so `pg` reads it as text. */
  delay: ColumnType<string | null, string | number | null | undefined, string | number | null>
}

/** Tables by qualified name; `public` is the default. */
export interface Database {
  people: PeopleTable
  people_roles: PeopleRolesView
  casbin_rule: CasbinRuleTable
  access_tokens: AccessTokensTable
  'watchroom_identity.identities': IdentitiesTable
  'watchroom_identity.sessions': SessionsTable
  'watchroom_identity.flows': FlowsTable
  'watchroom_identity.sign_in_links': SignInLinksTable
  agents: AgentsTable
  properties: PropertiesTable
  canaries: CanariesTable
  checks: ChecksTable
  check_statuses: CheckStatusesTable
  check_statuses_1h: CheckStatusesAggregateTable
  check_statuses_1d: CheckStatusesAggregateTable
  job_history: JobHistoryTable
  event_queue: EventQueueTable
}
