// Every write of the console's database API (backend reference, section 5), with the bodies it sends.
import { expect } from 'vitest'

import { rows } from '#support/consoleRows.ts'

export interface WriteCase {
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  /** `{id}` and `{name}` stand for what `prepare` made. */
  path: string
  /** Makes the row to change, as the database's owner: SQL that returns `id` (and `name`), or whose values are in `path`. */
  prepare?: string
  body?: unknown
  /** Loads the row first and sends it back whole with these changes, as the settings forms do. */
  wholeRow?: Record<string, unknown>
  /** The one row in the answer has at least this. */
  answer?: Record<string, unknown>
}

const anyText: unknown = expect.any(String)
const created_by = rows.ada
const removed = { body: { deleted_at: 'now()' }, answer: { deleted_at: anyText } }

/** A settings resource is created, edited as a whole row, and deleted softly, always in the same three calls. */
function settingsResource(
  table: string,
  create: Record<string, unknown>,
  prepare: string,
  edit: Record<string, unknown>,
  /** Of the answers: what the row does not say again. */
  hidden: Record<string, unknown> = {},
): WriteCase[] {
  return [
    {
      name: `create in ${table}`,
      method: 'POST',
      path: table,
      body: { ...create, created_by },
      answer: { ...create, ...hidden },
    },
    { name: `edit in ${table}`, method: 'PATCH', path: `${table}?id=eq.{id}`, prepare, wholeRow: edit, answer: edit },
    { name: `delete in ${table}`, method: 'PATCH', path: `${table}?id=eq.{id}`, prepare, ...removed },
  ]
}

const settings: WriteCase[] = [
  ...settingsResource(
    'teams',
    { name: '{unique}', spec: { components: [] }, icon: 'group' },
    `insert into teams (name, created_by) values ('{unique}', '${created_by}') returning id`,
    { icon: 'star' },
  ),
  ...settingsResource(
    'incident_rules',
    { name: '{unique}', spec: { filter: {} } },
    `insert into incident_rules (name, created_by) values ('{unique}', '${created_by}') returning id`,
    { spec: { breakOnMatch: true } },
  ),
  ...settingsResource(
    'config_scrapers',
    { name: '{unique}', source: 'UI', spec: { kubernetes: [{}] } },
    `insert into config_scrapers (name, spec) values ('{unique}', '{}') returning id`,
    { spec: { file: [{}] } },
  ),
  ...settingsResource(
    'topologies',
    { name: '{unique}', namespace: 'default', labels: '{"a": "b"}', spec: {}, source: 'UI' },
    `insert into topologies (name, namespace) values ('{unique}', 'default') returning id`,
    { schedule: '@every 1h' },
  ),
  ...settingsResource(
    'canaries',
    { name: '{unique}', namespace: 'default', labels: { a: 'b' }, spec: { http: [{ url: 'http://127.0.0.1' }] } },
    `insert into canaries (name, namespace, spec) values ('{unique}', 'default', '{}') returning id`,
    { spec: { tcp: [{}] } },
  ),
  ...settingsResource(
    'connections',
    { name: '{unique}', namespace: 'default', type: 'http', url: 'http://127.0.0.1', password: 'secret' },
    `insert into connections (name, type, url, password) values ('{unique}', 'http', 'http://127.0.0.2', 'kept') returning id`,
    { url: 'http://127.0.0.2/elsewhere' },
    { password: '***' },
  ),
  ...settingsResource(
    'logging_backends',
    { name: '{unique}', labels: '{}', spec: { file: [{}] } },
    `insert into logging_backends (name, spec) values ('{unique}', '{}') returning id`,
    { spec: { opensearch: [{}] } },
  ),
  ...settingsResource(
    'notifications',
    { title: '{unique}', events: ['check.failed'], person_id: rows.ada, template: null, source: 'UI' },
    `insert into notifications (name, events, person_id) values ('{unique}', '{check.failed}', '${rows.ada}') returning id`,
    { person_id: null, team_id: rows.team, custom_services: null },
  ),
  {
    name: 'a masked secret as it was',
    method: 'PATCH',
    path: 'connections?id=eq.{id}',
    prepare: `insert into connections (name, type, url, password) values ('{unique}', 'http', 'http://127.0.0.3', 'kept') returning id`,
    body: { password: '***', url: 'http://127.0.0.3/elsewhere' },
    answer: { password: '***', url: 'http://127.0.0.3/elsewhere' },
  },
  {
    name: 'a feature flag',
    method: 'POST',
    path: 'properties',
    body: { name: '{unique}', value: 'true', created_by },
    answer: { name: '{unique}', value: 'true' },
  },
  {
    name: 'an edited feature flag',
    method: 'PATCH',
    path: 'properties?name=eq.{unique}',
    prepare: `insert into properties (name, value) values ('{unique}', 'true')`,
    body: { name: '{unique}', value: 'false', created_at: 'now()', updated_at: 'now()', deleted_at: null, created_by },
    answer: { value: 'false' },
  },
  {
    name: 'a deleted feature flag',
    method: 'DELETE',
    path: 'properties?name=eq.{unique}',
    prepare: `insert into properties (name, value) values ('{unique}', 'true')`,
    answer: { name: '{unique}' },
  },
  {
    name: 'a team member',
    method: 'POST',
    path: 'team_members',
    prepare: `insert into people (name) values ('{unique}') returning id`,
    body: [{ team_id: rows.team, person_id: '{id}' }],
    answer: { team_id: rows.team },
  },
  {
    name: 'a removed team member',
    method: 'DELETE',
    path: 'team_members?person_id=eq.{id}',
    prepare: `with person as (insert into people (name) values ('{unique}') returning id)
      insert into team_members (team_id, person_id) select '${rows.team}', id from person returning person_id as id`,
    answer: { person_id: '{id}' },
  },
  {
    name: 'a person',
    method: 'POST',
    path: 'people',
    body: { name: '{unique}', email: '{unique}@example.test', avatar: null },
    answer: { name: '{unique}' },
  },
  { name: 'a saved query', method: 'POST', path: 'saved_query', body: { query: 'a = b' }, answer: { query: 'a = b' } },
  {
    name: 'an edited saved query',
    method: 'PATCH',
    path: 'saved_query?id=eq.{id}',
    prepare: `insert into saved_query (query) values ('{unique}') returning id`,
    body: { description: 'mine' },
    answer: { description: 'mine' },
  },
  {
    name: 'a deleted saved query',
    method: 'DELETE',
    path: 'saved_query?id=eq.{id}',
    prepare: `insert into saved_query (query) values ('{unique}') returning id`,
    answer: { id: '{id}' },
  },
]

const AN_AGENT = `insert into agents (name, created_by) values ('{unique}', '${created_by}') returning id`
const agents: WriteCase[] = [
  {
    name: 'properties of an agent',
    method: 'PATCH',
    path: 'agents?id=eq.{id}',
    prepare: AN_AGENT,
    body: { properties: { region: 'eu' } },
    answer: { properties: { region: 'eu' } },
  },
  { name: 'a deleted agent', method: 'PATCH', path: 'agents?id=eq.{id}', prepare: AN_AGENT, ...removed },
  {
    name: 'an agent deleted with its resources',
    method: 'PATCH',
    path: 'agents?id=eq.{id}',
    prepare: AN_AGENT,
    body: { deleted_at: 'now()', cleanup: true },
    answer: { deleted_at: anyText, cleanup: true },
  },
]

const A_COMPONENT = `insert into components (name, external_id, status, topology_id)
  values ('{unique}', '{unique}', 'healthy', '${rows.topology}') returning id`
const topology: WriteCase[] = [
  {
    name: 'a hidden component',
    method: 'PATCH',
    path: 'components?id=eq.{id}',
    prepare: A_COMPONENT,
    body: { hidden: true },
    answer: { hidden: true },
  },
  {
    name: 'a link to the catalog',
    method: 'POST',
    path: 'config_component_relationships',
    prepare: A_COMPONENT,
    body: { component_id: '{id}', config_id: rows.cluster, selector_id: 'manual' },
    answer: { component_id: '{id}', config_id: rows.cluster },
  },
  {
    name: 'a removed link to the catalog',
    method: 'DELETE',
    path: `config_component_relationships?component_id=eq.{id}&config_id=eq.${rows.cluster}&selector_id=eq.manual`,
    prepare: `with component as (${A_COMPONENT})
      insert into config_component_relationships (component_id, config_id, selector_id)
      select id, '${rows.cluster}', 'manual' from component returning component_id as id`,
    answer: { component_id: '{id}' },
  },
]

const AN_INCIDENT = `insert into incidents (title, description, severity, type, status, created_by)
  values ('{unique}', '', 'low', 'cost', 'open', '${created_by}') returning id`
const A_HYPOTHESIS = `insert into hypotheses (incident_id, type, title, status, created_by)
  values ('${rows.incident}', 'factor', '{unique}', 'possible', '${created_by}') returning id`
const AN_EVIDENCE = `with hypothesis as (${A_HYPOTHESIS})
  insert into evidences (hypothesis_id, type, description, created_by)
  select id, 'comment', '{unique}', '${created_by}' from hypothesis`
const A_COMMENT = `with hypothesis as (${A_HYPOTHESIS})
  insert into comments (incident_id, hypothesis_id, comment, created_by)
  select '${rows.incident}', id, '{unique}', '${created_by}' from hypothesis`
const A_RESPONDER = `insert into responders (incident_id, type, person_id, created_by)
  values ('${rows.incident}', 'system', '${rows.bob}', '${created_by}') returning id`
const incidents: WriteCase[] = [
  {
    name: 'an incident',
    method: 'POST',
    path: 'incidents?select=*',
    body: {
      title: '{unique}',
      description: '',
      severity: 'high',
      type: 'availability',
      status: 'open',
      created_by,
      commander_id: created_by,
      communicator_id: created_by,
      created_at: 'now()',
      updated_at: 'now()',
    },
    answer: { title: '{unique}', incident_id: expect.stringMatching(/^INC-\d+$/) },
  },
  ...[{ status: 'resolved' }, { severity: 'low', type: 'cost' }, { title: 'renamed' }].map((body): WriteCase => ({
    name: `an incident's ${Object.keys(body).join(' and ')}`,
    method: 'PATCH',
    path: 'incidents?id=eq.{id}',
    prepare: AN_INCIDENT,
    body,
    answer: body,
  })),
  {
    name: 'a root hypothesis',
    method: 'POST',
    path: 'hypotheses',
    prepare: AN_INCIDENT,
    body: { created_by, incident_id: '{id}', title: '{unique}', type: 'root', status: 'possible' },
    answer: { type: 'root', parent_id: null },
  },
  {
    name: 'a hypothesis',
    method: 'POST',
    path: 'hypotheses',
    body: {
      title: '{unique}',
      type: 'factor',
      status: 'likely',
      incident_id: rows.incident,
      parent_id: rows.rootHypothesis,
      created_by,
    },
    answer: { parent_id: rows.rootHypothesis },
  },
  {
    name: 'an edited hypothesis',
    method: 'PATCH',
    path: 'hypotheses?id=eq.{id}',
    prepare: A_HYPOTHESIS,
    body: { status: 'proven', title: 'renamed', parent_id: rows.rootHypothesis, type: 'solution' },
    answer: { status: 'proven', type: 'solution' },
  },
  {
    name: 'deleted comments of a hypothesis',
    method: 'DELETE',
    path: 'comments?hypothesis_id=eq.{id}',
    prepare: `${A_COMMENT} returning hypothesis_id as id`,
    answer: { hypothesis_id: '{id}' },
  },
  {
    name: 'deleted evidence of a hypothesis',
    method: 'DELETE',
    path: 'evidences?hypothesis_id=eq.{id}',
    prepare: `${AN_EVIDENCE} returning hypothesis_id as id`,
    answer: { hypothesis_id: '{id}' },
  },
  {
    name: 'a deleted hypothesis with a history',
    method: 'DELETE',
    path: 'hypotheses?id=eq.{id}',
    prepare: A_HYPOTHESIS,
    answer: { id: '{id}' },
  },
  {
    name: 'hypotheses deleted together',
    method: 'DELETE',
    path: 'hypotheses?id=in.("{id}")',
    prepare: A_HYPOTHESIS,
    answer: { id: '{id}' },
  },
  {
    name: 'evidence of a config change',
    method: 'POST',
    path: 'evidences',
    body: {
      config_id: rows.pod,
      config_change_id: rows.change,
      created_by,
      hypothesis_id: rows.hypothesis,
      evidence: {},
      type: 'config_change',
      description: '',
    },
    answer: { config_change_id: rows.change, definition_of_done: false, done: null },
  },
  {
    name: 'a comment as definition of done',
    method: 'POST',
    path: 'evidences',
    body: {
      created_by,
      hypothesis_id: rows.hypothesis,
      evidence: { comment: 'works again' },
      type: 'comment',
      description: 'works again',
      definition_of_done: true,
    },
    answer: { definition_of_done: true },
  },
  {
    name: 'edited evidence',
    method: 'PATCH',
    path: 'evidences?id=eq.{id}',
    prepare: `${AN_EVIDENCE} returning id`,
    body: {
      definition_of_done: true,
      script: "check.status == 'healthy'",
      done: true,
      description: 'new',
      evidence: {},
    },
    answer: { definition_of_done: true, done: true },
  },
  {
    name: 'deleted evidence',
    method: 'DELETE',
    path: 'evidences?id=eq.{id}',
    prepare: `${AN_EVIDENCE} returning id`,
    answer: { id: '{id}' },
  },
  {
    name: 'a comment',
    method: 'POST',
    path: 'comments',
    body: { created_by, incident_id: rows.incident, hypothesis_id: rows.hypothesis, comment: '@[Bob](user:1) look' },
    answer: { comment: '@[Bob](user:1) look' },
  },
  {
    name: 'a responder',
    method: 'POST',
    path: 'responders?select=*',
    body: {
      type: 'system',
      incident_id: rows.incident,
      created_by,
      team_id: rows.team,
      properties: { responderType: { label: 'Jira', value: 'jira' } },
    },
    answer: { team_id: rows.team },
  },
  { name: 'a removed responder', method: 'PATCH', path: 'responders?id=eq.{id}', prepare: A_RESPONDER, ...removed },
]

const A_PLAYBOOK = `insert into playbooks (name, spec) values ('{unique}', '{}') returning id`
const playbooks: WriteCase[] = [
  {
    name: 'a playbook',
    method: 'POST',
    path: 'playbooks',
    body: { title: '{unique}', name: '{unique}', source: 'UI', category: 'ops', spec: { actions: [] }, created_by },
    answer: { title: '{unique}', namespace: 'default' },
  },
  {
    name: 'an edited playbook',
    method: 'PATCH',
    path: 'playbooks?id=eq.{id}',
    prepare: A_PLAYBOOK,
    body: { id: '{id}', source: 'UI', title: 'renamed', spec: { actions: [{}] }, category: 'ops', icon: 'play' },
    answer: { title: 'renamed', icon: 'play' },
  },
  { name: 'a deleted playbook', method: 'PATCH', path: 'playbooks?id=eq.{id}', prepare: A_PLAYBOOK, ...removed },
]

export const WRITES: readonly WriteCase[] = [...settings, ...agents, ...topology, ...incidents, ...playbooks]
