import type { Clock } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { demoEmail } from '../identity/bootstrap.ts'
import {
  CONFIG_DIFF,
  CONFIG_LINES,
  type DemoIncident,
  HYPOTHESES,
  OPEN_INCIDENT,
  OTHER_INCIDENTS,
  PROVIDERS_RULE,
} from './demoIncidents.ts'
import { KILLED_WORKER, PAPER_SENSORS, type WorkerLine, WORKERS, writeWorkerLog } from './demoWorkers.ts'
import { HARBOUR_TOPOLOGY_ID } from './harbourTopology.ts'

type Row = Readonly<Record<string, unknown>>
type Insert = (table: string, row: Row) => Promise<string>
/** RFC 3339, so many minutes before the start. */
type At = (minutes: number) => string

/** Where the open incident is. */
const NAMESPACE = 'edge-eu'

interface People {
  readonly responder: string
  readonly commander: string
  readonly editor: string
}

/** Incidents to look at in the first minute. Nothing when there are any: what people made or changed stays so. */
export async function seedIncidents(
  pool: Pool,
  { clock, dataDirectory }: { clock: Clock; dataDirectory: string },
): Promise<void> {
  const people = await findPeople(pool)
  const { rows } = await pool.query<{ exists: boolean }>('select exists (select from incidents)')
  if (people === null || rows[0]?.exists) return
  const startedAt = clock.now()
  const at: At = (minutes) => new Date(startedAt - minutes * 60_000).toISOString()
  await inTransaction(pool, async (client) => {
    const insert = inserter(client)
    for (const incident of OTHER_INCIDENTS.toReversed()) {
      const id = await insertIncident(insert, incident, people, at)
      if (incident.isOfRule) await insertRule(client, insert, { id, incident, people, at })
    }
    await insertOpenIncident(client, insert, people, at)
    await datePastEvents(client)
    writeWorkerLog(dataDirectory, NAMESPACE, at)
  })
}

/** The triggers write the history as of now; what it tells of happened when its rows say. */
async function datePastEvents(client: PoolClient): Promise<void> {
  await client.query(`update incident_histories h set created_at = coalesce(
    (select created_at from comments where id = h.comment_id),
    (select created_at from evidences where id = h.evidence_id),
    (select created_at from responders where id = h.responder_id),
    (select created_at from hypotheses where id = h.hypothesis_id),
    (select created_at from incidents where id = h.incident_id),
    h.created_at)`)
}

async function findPeople(pool: Pool): Promise<People | null> {
  const { rows } = await pool.query<{ id: string; email: string }>(
    'select id, email from people where email = any($1)',
    [['responder', 'commander', 'editor'].map((role) => demoEmail(role as keyof People))],
  )
  const idOf = (role: keyof People): string | undefined => rows.find(({ email }) => email === demoEmail(role))?.id
  const [responder, commander, editor] = [idOf('responder'), idOf('commander'), idOf('editor')]
  return responder && commander && editor ? { responder, commander, editor } : null
}

/** Table and column names are this file's own. */
function inserter(client: PoolClient): Insert {
  return async (table, row) => {
    const names = Object.keys(row)
    const values = Object.values(row).map((value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    )
    const { rows } = await client.query<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      values,
    )
    return rows[0]?.id ?? ''
  }
}

async function insertIncident(
  insert: Insert,
  { ageMinutes, isOfRule: _, ...incident }: DemoIncident,
  people: People,
  at: At,
): Promise<string> {
  const id = await insert('incidents', {
    ...incident,
    created_by: people.responder,
    commander_id: people.commander,
    communicator_id: people.commander,
    created_at: at(ageMinutes),
    ...(incident.status === 'closed' ? { closed: at(ageMinutes - 90), resolved: at(ageMinutes - 120) } : {}),
  })
  if (ageMinutes === OPEN_INCIDENT.ageMinutes) return id
  await insert('hypotheses', {
    incident_id: id,
    type: 'root',
    status: incident.status === 'closed' ? 'proven' : 'possible',
    title: incident.title,
    created_by: people.responder,
    created_at: at(ageMinutes),
  })
  if (incident.status !== 'closed')
    await insertCommander(insert, id, people, { calledAt: at(ageMinutes - 2), at: at(ageMinutes - 5) })
  return id
}

/** Called in, and at work since. */
async function insertCommander(
  insert: Insert,
  incidentId: string,
  people: People,
  { calledAt, at }: { calledAt: string; at: string },
): Promise<void> {
  await insert('responders', {
    type: 'person',
    incident_id: incidentId,
    person_id: people.commander,
    created_by: people.responder,
    created_at: calledAt,
    acknowledged: at,
  })
}

interface OfRule {
  readonly id: string
  readonly incident: DemoIncident
  readonly people: People
  readonly at: At
}

/** The rule that opened an incident, with what it knows of that: while it is open the rule opens no other about the component. */
async function insertRule(client: PoolClient, insert: Insert, { id, incident, people, at }: OfRule): Promise<void> {
  const { name, spec, component, team } = PROVIDERS_RULE
  const rule = await insert('incident_rules', {
    name,
    spec,
    source: 'UI',
    created_by: people.editor,
    created_at: at(7 * 24 * 60),
  })
  const componentId = await insert('components', {
    ...(await findTopology(client)),
    ...component,
    external_id: `demo/${component.name}`,
    namespace: 'payments',
    labels: { demo: 'true', team: 'payments' },
    status: 'unhealthy',
    health: 'unhealthy',
  })
  await client.query('update incidents set incident_rule_id = $2 where id = $1', [id, rule])
  await client.query(
    `insert into watchroom_internal.incidents_of_rules (incident_id, incident_rule_id, component_id) values ($1, $2, $3)`,
    [id, rule, componentId],
  )
  await client.query(
    `insert into evidences (hypothesis_id, type, component_id, description, created_by, created_at)
     select id, 'topology', $2, $3, $4, $5 from hypotheses where incident_id = $1 and type = 'root'`,
    [id, componentId, component.name, people.editor, at(incident.ageMinutes)],
  )
  await client.query(
    `insert into responders (incident_id, type, team_id, created_by, created_at)
     select $1, 'team', teams.id, $3, $4 from teams where name = $2 and deleted_at is null`,
    [id, team, people.editor, at(incident.ageMinutes)],
  )
}

/** Where the topology has a component: its next sync takes that in. */
async function findTopology(client: PoolClient): Promise<{ topology_id: string | null }> {
  const { rows } = await client.query<{ id: string }>('select id from topologies where id = $1', [HARBOUR_TOPOLOGY_ID])
  return { topology_id: rows[0]?.id ?? null }
}

async function insertOpenIncident(client: PoolClient, insert: Insert, people: People, at: At): Promise<void> {
  const id = await insertIncident(insert, OPEN_INCIDENT, people, at)
  const hypotheses = new Map<string, string>()
  for (const { key, below, ageMinutes, ...hypothesis } of HYPOTHESES) {
    const row = { ...hypothesis, incident_id: id, parent_id: below === null ? null : hypotheses.get(below) }
    hypotheses.set(
      key,
      await insert('hypotheses', { ...row, created_by: people.responder, created_at: at(ageMinutes) }),
    )
  }
  await insertEvidence(client, insert, hypotheses, people, at)
  await insertComments(client, insert, { id, hypotheses, people, at })
  await insertResponders(insert, id, people, at)
}

/** Ids of what the evidence of the open incident points to. */
interface Found {
  readonly printer: string
  readonly queue: string
  readonly config: string
  readonly rollout: string
  readonly restart: string
  readonly insight: string
  readonly checks: readonly { readonly id: string; readonly name: string }[]
}

async function insertFound(client: PoolClient, insert: Insert, at: At): Promise<Found> {
  const topology = await findTopology(client)
  const printer = await insert('components', {
    ...topology,
    external_id: 'demo/label-printer',
    name: 'label-printer',
    type: 'Deployment',
    namespace: NAMESPACE,
    labels: { demo: 'true' },
    status: 'degraded',
    health: 'warning',
  })
  const queue = await insert('components', {
    ...topology,
    external_id: 'demo/print-queue',
    name: 'print-queue',
    type: 'Queue',
    namespace: NAMESPACE,
    labels: { demo: 'true' },
    status: 'healthy',
    health: 'healthy',
  })
  const config = await insert('config_items', {
    config_class: 'Deployment',
    type: 'Kubernetes::Deployment',
    name: 'label-printer',
    labels: { demo: 'true' },
    config: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 2 } },
    status: 'degraded',
    health: 'warning',
    created_at: at(3 * 24 * 60),
  })
  const change = (summary: string, minutes: number, diff: string | null): Promise<string> =>
    insert('config_changes', {
      config_id: config,
      change_type: 'diff',
      severity: 'high',
      source: 'kubernetes',
      summary,
      diff,
      created_at: at(minutes),
    })
  const rollout = await change('4 to 2 replicas, memory limit 512Mi to 256Mi', 41, CONFIG_DIFF)
  const restart = await change('container restarted: out of memory', 31, null)
  const insight = await insert('config_analysis', {
    config_id: config,
    analyzer: 'memory-limit',
    analysis_type: 'recommendation',
    severity: 'high',
    summary: 'Memory limit below the working set',
    message: 'The working set of the last hour was 301Mi, the limit is 256Mi.',
    status: 'open',
    analysis: { workingSetMi: 301, limitMi: 256 },
    first_observed: at(38),
    last_observed: at(2),
  })
  const { rows: checks } = await client.query<{ id: string; name: string }>(
    `select c.id, c.name from checks c join canaries k on k.id = c.canary_id
     where k.source = 'demo' and c.deleted_at is null order by (c.name like '%label%') desc, c.name limit 2`,
  )
  return { printer, queue, config, rollout, restart, insight, checks }
}

type Piece = readonly [hypothesis: string, type: string, minutes: number, row: Row]

function toPieces({ printer, queue, config, rollout, restart, insight, checks }: Found, at: At): Piece[] {
  const lines = Object.fromEntries(CONFIG_LINES.map((line, index) => [String(index + 1), line]))
  return [
    ...checks.map(({ id, name }, index): Piece => [
      'memory',
      'check',
      25 - index,
      {
        description: name,
        check_id: id,
        evidence: { check_id: id, includeMessages: true },
        definition_of_done: true,
        script: index === 0 ? `check.status == 'healthy' && check.age > duration('5m')` : `check.status == 'healthy'`,
      },
    ]),
    [
      'memory',
      'topology',
      24,
      { description: 'Degraded since the rollout', component_id: printer, evidence: { health: 'unhealthy' } },
    ],
    [
      'limit',
      'config_change',
      20,
      { description: 'The rollout', config_id: config, config_change_id: rollout, evidence: {} },
    ],
    ['limit', 'config_change', 19, { description: '', config_id: config, config_change_id: restart, evidence: {} }],
    [
      'limit',
      'config_analysis',
      18,
      { description: '', config_id: config, config_analysis_id: insight, evidence: { status: 'open' } },
    ],
    [
      'limit',
      'config',
      16,
      {
        description: 'The limit as it is now',
        config_id: config,
        evidence: {
          lines,
          selected_lines: { '7': lines['7'], '17': lines['17'] },
          configName: 'label-printer',
          configType: 'Kubernetes::Deployment',
        },
      },
    ],
    [
      'consumers',
      'topology',
      15,
      { description: 'The queue itself is well', component_id: queue, evidence: { health: 'healthy' } },
    ],
    [
      'consumers',
      'log',
      15,
      {
        description: 'A consumer, killed and started again',
        component_id: printer,
        evidence: { selector: WORKERS, lines: KILLED_WORKER.map(toLineAt(at)) },
      },
    ],
    [
      'paper',
      'log',
      21,
      {
        description: 'Paper sensors',
        component_id: queue,
        evidence: { selector: WORKERS, lines: PAPER_SENSORS.map(toLineAt(at)) },
      },
    ],
    [
      'memory',
      'comment',
      10,
      {
        description: 'Hall 3 prints without a backlog again',
        evidence: { comment: 'Hall 3 prints without a backlog again' },
        definition_of_done: true,
      },
    ],
  ]
}

async function insertEvidence(
  client: PoolClient,
  insert: Insert,
  hypotheses: ReadonlyMap<string, string>,
  people: People,
  at: At,
): Promise<void> {
  const found = await insertFound(client, insert, at)
  for (const [hypothesis, type, minutes, row] of toPieces(found, at)) {
    const owner = { hypothesis_id: hypotheses.get(hypothesis), created_by: people.responder, created_at: at(minutes) }
    await insert('evidences', { ...row, ...owner, type })
  }
}

const toLineAt =
  (at: At) =>
  ({ minutes, message, labels }: WorkerLine) => ({ timestamp: at(minutes), message, labels })

interface Discussion {
  readonly id: string
  readonly hypotheses: ReadonlyMap<string, string>
  readonly people: People
  readonly at: At
}

async function insertComments(client: PoolClient, insert: Insert, discussion: Discussion): Promise<void> {
  const { id, hypotheses, people, at } = discussion
  const { rows } = await client.query<{ name: string }>('select name from people where id = $1', [people.commander])
  const mention = `@[${rows[0]?.name ?? 'commander'}](user:${people.commander})`
  const comments: (readonly [hypothesis: string, author: keyof People, minutes: number, comment: string])[] = [
    [
      'memory',
      'responder',
      25,
      `The printers are at their limit since the rollout. ${mention} can you look at what changed?`,
    ],
    ['limit', 'commander', 20, 'Release 4.2.1 took the default limits along. We go back first and ask later.'],
    ['paper', 'editor', 18, 'Hall 3 says that every tray is full.'],
    ['consumers', 'responder', 13, 'The restarts follow the kills: they are an effect, not the cause.'],
  ]
  for (const [hypothesis, author, minutes, comment] of comments) {
    await insert('comments', {
      incident_id: id,
      hypothesis_id: hypotheses.get(hypothesis),
      created_by: people[author],
      comment,
      created_at: at(minutes),
    })
  }
}

async function insertResponders(insert: Insert, incidentId: string, people: People, at: At): Promise<void> {
  const team = await insert('teams', {
    name: 'Edge platform (demo)',
    icon: 'team',
    created_by: people.editor,
    spec: {
      responder_clients: {
        email: {
          values: {},
          defaults: {
            to: 'edge@demo.watchroom.local',
            subject: '<%= incident.title %>',
            body: '<%= incident.description %>',
          },
        },
        service_now: { values: { category: 'Edge' }, defaults: { description: '<%= incident.title %>' } },
      },
    },
  })
  const responders: Row[] = [
    { type: 'person', person_id: people.commander, created_at: at(24), acknowledged: at(22), resolved: at(5) },
    {
      type: 'system',
      team_id: team,
      created_at: at(21),
      acknowledged: at(19),
      external_id: 'EDGE-1412',
      properties: { responderType: 'service_now', category: 'Edge' },
    },
    { type: 'person', person_id: people.editor, created_at: at(9) },
  ]
  for (const responder of responders) {
    await insert('responders', { ...responder, incident_id: incidentId, created_by: people.responder })
  }
}
