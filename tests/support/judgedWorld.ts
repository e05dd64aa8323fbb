// One estate behind two gateways, to hold what people get of it against what the backend itself answers them: the embedded backend,
// whose changes of rights are told, and a strict one that tells nobody. What is asked about derives from the lists of topics, document
// kinds and tables: a topic without a line here does not compile.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'

import type { Role } from '@watchroom/shared/access'
import { toConfigChangesParams, type TopicName, TOPICS } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES, type SettingsTable } from '@watchroom/shared/settings'
import { WallBoardSchema } from '@watchroom/shared/wall'
import { Client } from 'pg'
import type { z } from 'zod'

import { eventually } from '#support/eventually.ts'

import { parseConfig } from '../../gateway/src/app/config.ts'
import { DOCUMENT_KINDS } from '../../gateway/src/app/documentKinds.ts'
import { startEmptyTestDatabase } from './database.ts'
import {
  type BackendAnswer,
  type BackendCall,
  callSocket,
  type RawAnswer,
  startEmbeddedBackend,
  type TestBackend,
} from './embeddedBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from './gateway.ts'
import { callTable, createIncident, signInPerson } from './incidentGateway.ts'
import { createLogComponents } from './logComponents.ts'
import { patientFetch, patientRequest } from './patientFetch.ts'
import { createEndedRun, createPendingRun, createPlaybook, type TestRun } from './playbookRuns.ts'
import { NAMES_OF, type ScopedTable } from './scopedTables.ts'
import type { Scope } from './strictBackend/scopes.ts'
import { startStrictBackend, WITH_OUTPUT } from './strictBackend/startStrictBackend.ts'

/** What stands behind the gateway, and whether it shows everyone the same rows. */
export const MODES = ['embedded', 'strict', 'strict with scopes'] as const
export type Mode = (typeof MODES)[number]

export interface JudgedPerson {
  readonly id: string
  /** Of a browser of theirs. */
  readonly headers: { readonly cookie: string; readonly origin: string }
}

/** A gateway, and the backend behind it asked past it. */
export interface Side {
  readonly gateway: RunningGateway
  readonly boardId: string
  /** Ids of incidents: one that scopes show, one that they hide. */
  readonly incidents: readonly string[]
  /** Runs of playbooks: one that scopes show, one that they hide. */
  readonly runs: readonly TestRun[]
  /** Components: one that scopes show, one that they hide. */
  readonly components: readonly string[]
  /** Items of the catalog: one that scopes show, one that they hide. */
  readonly configs: readonly string[]
  /** Checks, a transition of each, playbooks, and files that the runs left: one that scopes show, one that they hide. */
  readonly checks: readonly string[]
  readonly transitions: readonly string[]
  readonly playbooks: readonly string[]
  readonly files: readonly string[]
  ask(person: JudgedPerson, path: string, call?: BackendCall): Promise<RawAnswer>
}

export interface JudgedWorld {
  readonly backend: TestBackend
  side(mode: Mode): Side
  createPerson(mode: Mode, role: Role): Promise<JudgedPerson>
  /** From now on this person is shown fewer rows: of every table, or of one and what is made of it. Of the strict backend alone. */
  narrow(person: JudgedPerson, table?: ScopedTable): void
  stop(): Promise<void>
}

export type ParamsOf<Name extends TopicName> = z.infer<(typeof TOPICS)[Name]['params']>

/** Every topic with every set of parameters that it has rows for. */
const PARAMS: { readonly [Name in TopicName]: (side: Side) => readonly ParamsOf<Name>[] } = {
  agents: () => [{}],
  checks: () => [{}],
  eventQueue: () => [{}],
  featureFlags: () => [{}],
  incidents: () => [{}],
  notifications: () => [{}],
  people: () => [{}],
  incident: ({ incidents }) => incidents.map((id) => ({ id })),
  definitionOfDone: ({ incidents }) => incidents.map((incidentId) => ({ incidentId })),
  settings: () => (Object.keys(SETTINGS_RESOURCES) as SettingsTable[]).map((table) => ({ table })),
  // Of one resource: jobs of the program itself begin and end meanwhile.
  jobs: () => [{ resourceId: JOB_RESOURCE }],
  playbooks: () => [{}],
  playbookRuns: () => [{}],
  playbookRun: ({ runs }) => runs.map(({ id }) => ({ id })),
  playbookOutput: ({ runs }) => runs.map(({ actionId }) => ({ actionId })),
  logTail: ({ components }) => components.map((componentId) => ({ componentId, selector: '', query: '' })),
  catalogSummary: () => [{}],
  config: ({ configs }) => configs.map((id) => ({ id })),
  configChanges: ({ configs }) => ['', ...configs].map((id) => toConfigChangesParams({ id })),
  configInsights: ({ configs }) => ['', ...configs].map((configId) => ({ configId })),
  configRelationships: () => [{}],
  configs: () => [{}],
  scrapers: () => [{}],
  presence: ({ runs }) => runs.map(({ id }) => ({ page: 'playbook_runs', id })),
  silences: () => [{}],
  topology: ({ components }) => ['', ...components].map((id) => ({ id })),
  transitions: () => [{}],
  waitingRuns: () => [{}],
  wall: ({ boardId }) => [{ boardId }],
}

/** What the estate's jobs were for. */
const JOB_RESOURCE = '018f0000-0000-7000-8000-00000000b0b5'

const HISTORY = `*,created_by(id,name),evidences(id,description,checks(id,name),components(id,name),configs(id,name)),hypotheses(id,title),comments(id,comment)`

/** What the backend itself is asked for the rows of a topic; their ids are at the top of the answers. */
const ANSWERS: { readonly [Name in TopicName]: (params: ParamsOf<Name>) => readonly string[] } = {
  agents: () => ['/db/agents_summary'],
  checks: () => ['/canary/api/summary'],
  // Named, not numbered.
  eventQueue: () => ['/db/event_queue_summary?select=id:name'],
  featureFlags: () => ['/db/properties?select=id:name'],
  incidents: () => ['/db/incident_summary'],
  notifications: () => ['/db/notifications_summary?select=id'],
  people: () => ['/db/identities?select=id'],
  incident: ({ id }) => [
    `/db/responders?incident_id=eq.${id}&select=*,created_by(id,name),person:person_id(id,name)`,
    `/db/incident_histories?incident_id=eq.${id}&select=${HISTORY}`,
  ],
  // A verdict says how a check is.
  definitionOfDone: ({ incidentId }) => [
    `/db/evidences?select=id,checks!inner(id),hypotheses!inner(incident_id)&hypotheses.incident_id=eq.${incidentId}&definition_of_done=is.true`,
  ],
  settings: ({ table }) => [`/db/${table}?select=id,updated_at&deleted_at=is.null`],
  jobs: ({ resourceId }) => [`/db/job_histories?resource_id=eq.${resourceId}`],
  playbooks: () => ['/db/playbooks?select=id,name,title&deleted_at=is.null'],
  playbookRuns: () => ['/db/playbook_runs'],
  playbookRun: ({ id }) => [
    `/db/playbook_runs?id=eq.${id}`,
    `/db/playbook_run_actions?playbook_run_id=eq.${id}&select=id,playbook_runs!inner(id)`,
    `/db/playbook_approvals?run_id=eq.${id}&select=id,playbook_runs!inner(id)`,
  ],
  // Numbered within its step.
  playbookOutput: ({ actionId }) => [
    `/db/playbook_run_outputs?action_id=eq.${actionId}&select=id:seq::text,playbook_run_actions!inner(playbook_runs!inner(id))`,
  ],
  // Nothing is written to their logs: what is asked is whether it opens.
  logTail: ({ componentId }) => [
    `/db/components?id=eq.${componentId}&select=id&limit=0`,
    `POST /logs {"id":"${componentId}"}`,
  ],
  // Named, not numbered.
  catalogSummary: () => ['/db/config_types?select=id:type'],
  config: ({ id }) => [`/db/config_detail?id=eq.${id}&select=*,config_scrapers(id,name),agent:agents(id,name)`],
  configChanges: ({ id }) => [`/db/catalog_changes${id === '' ? '' : `?config_id=eq.${id}`}`],
  configInsights: ({ configId }) => [`/db/config_analysis${configId === '' ? '' : `?config_id=eq.${configId}`}`],
  configRelationships: () => ['config_id', 'related_id'].map((end) => `/db/config_relationships?select=id:${end}`),
  configs: () => ['/db/configs?select=*,agent:agents(id,name)'],
  scrapers: () => ['/db/config_scrapers_with_status'],
  presence: () => ['/db/people?select=id'],
  topology: ({ id }) => [
    id === '' ? '/db/components?select=id&deleted_at=is.null' : `/db/components?select=id&id=eq.${id}`,
  ],
  silences: () => ['/db/notification_silences?select=id&deleted_at=is.null'],
  transitions: () => ['/db/notification_transitions?select=id'],
  waitingRuns: () => ['/db/playbook_runs?status=in.(pending,waiting)'],
  wall: () => ['/canary/api/summary'],
}

/** Scopes hide rows of it. What else is named, not numbered, is the same for everyone. */
export const isScoped = (name: TopicName): boolean =>
  TOPICS[name].key === 'id' || name === 'logTail' || name === 'catalogSummary'

/** Made of rows that everyone shares: who is shown fewer has none. Their rows may come later than the topic. */
export const isMadeOfShared = (name: TopicName): boolean =>
  name === 'definitionOfDone' || name === 'presence' || name === 'wall'

/** The rows of who is present are no rows of the backend, but whoever reads them. */
export const storedIdsOf = ({ name }: AskedTopic, ids: readonly string[]): string[] =>
  name === 'presence' ? [] : ids.toSorted()

export interface AskedTopic {
  readonly name: TopicName
  readonly params: Record<string, string>
  readonly answers: readonly string[]
}

export const topicsOf = (side: Side): AskedTopic[] =>
  (Object.keys(TOPICS) as TopicName[]).flatMap((name) =>
    PARAMS[name](side).map((params) => ({
      name,
      params,
      answers: (ANSWERS[name] as (of: object) => string[])(params),
    })),
  )

/** Ids of the rows that a backend answers with, none where it knows of no such thing; null when it refuses. */
export function idsOf({ status, text }: Pick<BackendAnswer, 'status' | 'text'>): string[] | null {
  if (status === 401 || status === 403) return null
  if (status === 404) return []
  if (status !== 200 && status !== 206) throw new Error(`${status} ${text}`)
  const body = JSON.parse(text) as { id: string }[] | { checks_summary?: { id: string }[] }
  return (Array.isArray(body) ? body : (body.checks_summary ?? [])).map(({ id }) => id)
}

export async function startJudgedWorld(): Promise<JudgedWorld> {
  const backend = await startEmbeddedBackend()
  const scopes = new Map<string, Scope>()
  const { socketPath, serviceToken } = backend
  const kept = new Agent({ keepAlive: true })
  const strict = await startStrictBackend({
    socketPath,
    serviceToken,
    scopeOf: ({ id }) => scopes.get(id) ?? null,
    // Its other views of notifications are for who may watch over it.
    beyond: { ...WITH_OUTPUT, notification_transitions: 'database.monitor' },
  })
  const database = await startEmptyTestDatabase()
  const told = await startGateway({
    backend: toGatewayBackend(backend),
    // As in front of a backend of its own, which says what changes.
    deps: { config: parseConfig({}, []) },
  })
  const untold = await startGateway({
    backend: { url: strict.url, token: strict.credential, databaseUrl: database.databaseUrl },
  })

  const author = await signInPerson(backend, 'admin')
  const shownAndHidden = ['shown', 'hidden'] as const
  const checks = await createChecks(backend, shownAndHidden)
  const agents = await createAgents(backend, shownAndHidden)
  const settings = await createSettings(backend, shownAndHidden, author.id)
  const jobs = await createJobs(backend, shownAndHidden)
  const rules = await createRules(backend, shownAndHidden)
  const silences = await createSilences(backend, checks)
  const transitions = await createTransitions(backend, checks)
  await callTable(backend, 'properties', { method: 'POST', body: { name: 'proof.flag', value: 'true' } })
  const incidentsOf = (): Promise<string[]> =>
    Promise.all(shownAndHidden.map((word) => buildIncident(backend, author.id, word, checks)))
  const incidents = { told: await incidentsOf(), untold: await incidentsOf() }

  const runsOf = (): Promise<TestRun[]> => Promise.all(shownAndHidden.map(() => createEndedRun(backend, author.id)))
  const runs = { told: await runsOf(), untold: await runsOf() }

  const pending = await Promise.all(shownAndHidden.map(() => createPendingRun(backend, author.id)))

  const playbooks = await Promise.all(shownAndHidden.map((word) => createPlaybook(backend, `playbook ${word}`)))

  const people = await Promise.all(shownAndHidden.map(async () => (await backend.createPerson('viewer')).id))

  const components = await createLogComponents(
    backend,
    shownAndHidden.map((word) => ({ name: `component ${word}`, selectors: [{ name: 'all' }] })),
  )

  const configs = await createConfigs(backend, shownAndHidden)
  const changes = await createConfigChanges(backend, configs)
  const insights = await createConfigInsights(backend, configs)
  await relateConfigs(backend, configs)

  const filesOf = (of: readonly TestRun[]): Promise<string[]> => createFiles(backend, of, shownAndHidden)
  const files = { told: await filesOf(runs.told), untold: await filesOf(runs.untold) }

  const runIds = [runs.told, runs.untold].map((pair) => pair.map(({ id }) => id))
  const pairs = [
    checks,
    agents,
    people,
    components,
    configs,
    changes,
    insights,
    jobs,
    pending,
    playbooks,
    rules,
    silences,
    transitions,
    ...settings,
    files.told,
    files.untold,
    incidents.told,
    incidents.untold,
    ...runIds,
  ]
  const hidden = pairs.map((pair) => pair.at(-1) ?? '')
  const admin = (gateway: RunningGateway) => ({ cookie: `ory_kratos_session=${author.session}`, origin: gateway.url })
  const sides = {
    told: {
      gateway: told,
      boardId: await createBoard(told, admin(told)),
      incidents: incidents.told,
      runs: runs.told,
      components,
      configs,
      checks,
      transitions,
      playbooks,
      files: files.told,
      ask: (person, asked, given = {}) => {
        const [path, call] = toCall(asked, given)
        const headers = { ...call.headers, cookie: person.headers.cookie }
        return callSocket(socketPath, path, { ...call, headers }, kept)
      },
    },
    untold: {
      gateway: untold,
      boardId: await createBoard(untold, admin(untold)),
      incidents: incidents.untold,
      runs: runs.untold,
      components,
      configs,
      checks,
      transitions,
      playbooks,
      files: files.untold,
      ask: (person, asked, call = {}) => askAt(strict.url, person, ...toCall(asked, call)),
    },
  } satisfies Record<string, Side>
  await leaveFailedEvent(backend)
  const side = (mode: Mode): Side => (mode === 'embedded' ? sides.told : sides.untold)

  const hides = `id=not.in.(${hidden.join(',')})`
  const scope = toScope(side('strict'), hides)
  const narrow: JudgedWorld['narrow'] = ({ id }, table) => {
    const of = table && Object.fromEntries(NAMES_OF[table].map((name) => [name, hides]))
    scopes.set(id, of ?? scope)
  }
  return {
    backend,
    side,
    narrow,
    createPerson: async (mode, role) => {
      const { id, session } = await signInPerson(backend, role)
      const person = { id, headers: { cookie: `ory_kratos_session=${session}`, origin: side(mode).gateway.url } }
      if (mode === 'strict with scopes') narrow(person)
      return person
    },
    stop: async () => {
      await told.stop()
      await untold.stop()
      await strict.close()
      await database.stop()
      kept.destroy()
      await backend.stop()
    },
  }
}

/** Hides one row of everything that a topic or a document asks about, under whatever name. */
function toScope(side: Side, hides: string): Scope {
  const sources = topicsOf(side).flatMap(({ name, params }) => {
    const topic = TOPICS[name] as unknown as { source(of: object): string }
    return isScoped(name) ? [topic.source(params)] : []
  })
  const documents = Object.values(DOCUMENT_KINDS).map((kind) => kind.source(''))
  const asked = [...sources, ...documents].map((source) => source.split('?', 1)[0] ?? '')
  const tables = new Set([...asked, ...Object.values(NAMES_OF).flat()])
  return Object.fromEntries([...tables].map((table) => [table, hides]))
}

/** A path, or `POST /path {body}`. */
export function toCall(asked: string, call: BackendCall): [string, BackendCall] {
  const [method, path = '', body] = asked.split(' ', 3)
  return method === 'POST' ? [path, { ...call, method, body: JSON.parse(body ?? '{}') }] : [asked, call]
}

async function askAt(url: string, person: JudgedPerson, path: string, call: BackendCall): Promise<RawAnswer> {
  const { status, headers, bytes } = await patientRequest(url + path, {
    method: call.method ?? 'GET',
    headers: { ...call.headers, 'content-type': 'application/json', cookie: person.headers.cookie },
    body: call.body,
  })
  const text = bytes.toString()
  return { status, headers, text, bytes, json: () => JSON.parse(text) as unknown }
}

type Words = readonly string[]

async function createChecks(backend: TestBackend, words: Words): Promise<string[]> {
  // Once an hour: what people get must not move while it is compared.
  const http = words.map((word) => ({ name: `check ${word}`, url: 'http://127.0.0.1:9/', labels: { team: word } }))
  const spec = { interval: 3_600, http }
  await callTable(backend, 'canaries', {
    method: 'POST',
    body: { name: 'estate', namespace: 'proof', source: 'UI', spec },
  })
  return eventually(
    async () => {
      const rows = await callTable(backend, 'checks?select=id,name&last_runtime=not.is.null&name=like.check*')
      if (rows.length < words.length) throw new Error('the checks have not run')
      return toIds(rows, words, 'check')
    },
    { timeout: 20_000, interval: 50 },
  )
}

async function createConfigs(backend: TestBackend, words: Words): Promise<string[]> {
  const body = words.map((word) => ({ name: `config ${word}`, type: 'Proof::Item', config_class: 'Item' }))
  return toIds(await callTable(backend, 'config_items', { method: 'POST', body }), words, 'config')
}

/** One of each item, of yesterday: whether someone is shown all changes is found out about that day. */
async function createConfigChanges(backend: TestBackend, configs: readonly string[]): Promise<string[]> {
  const created_at = 'yesterday 12:00'
  const change = { change_type: 'diff', severity: 'info', source: 'proof', created_at, first_observed: created_at }
  const body = configs.map((config_id) => ({ ...change, id: randomUUID(), config_id }))
  await callTable(backend, 'config_changes', { method: 'POST', body })
  return body.map(({ id }) => id)
}

async function createConfigInsights(backend: TestBackend, configs: readonly string[]): Promise<string[]> {
  const insight = { analyzer: 'proof', analysis_type: 'security', severity: 'low', status: 'open' }
  const observed = { first_observed: 'yesterday 12:00', last_observed: 'yesterday 12:00' }
  const body = configs.map((config_id) => ({ ...insight, ...observed, id: randomUUID(), config_id }))
  await callTable(backend, 'config_analysis', { method: 'POST', body })
  return body.map(({ id }) => id)
}

/** The first one to the others. */
async function relateConfigs(backend: TestBackend, [config_id, ...others]: readonly string[]): Promise<void> {
  const body = others.map((related_id) => ({
    config_id,
    related_id,
    relation: 'Uses',
    updated_at: 'yesterday 12:00',
  }))
  await callTable(backend, 'config_relationships', { method: 'POST', body })
}

/** One of each run's step. */
async function createFiles(backend: TestBackend, runs: readonly TestRun[], words: Words): Promise<string[]> {
  const body = runs.map(({ actionId }, index) => ({
    id: randomUUID(),
    playbook_run_action_id: actionId,
    path: `${words[index]}.txt`,
    filename: `${words[index]}.txt`,
    size: 1,
    checksum: 'x',
    content_type: 'text/plain',
  }))
  await callTable(backend, 'artifacts', { method: 'POST', body })
  await inDatabase(backend, async (database) => {
    for (const [index, { id }] of body.entries()) {
      const content = Buffer.from(`file ${words[index]}`)
      await database.query('insert into watchroom_internal.artifact_contents (artifact_id, content) values ($1, $2)', [
        id,
        content,
      ])
    }
  })
  return body.map(({ id }) => id)
}

async function createAgents(backend: TestBackend, words: Words): Promise<string[]> {
  for (const word of words) {
    await backend.callAsService('/agent/generate', { method: 'POST', body: { name: `agent ${word}` } })
  }
  return toIds(await callTable(backend, 'agents?select=id,name'), words, 'agent')
}

async function createRules(backend: TestBackend, words: Words): Promise<string[]> {
  const body = words.map((word) => ({ name: `rule ${word}`, events: ['check.failed'] }))
  return toIds(await callTable(backend, 'notifications', { method: 'POST', body }), words, 'rule')
}

/** Of each check. */
async function createSilences(backend: TestBackend, checks: readonly string[]): Promise<string[]> {
  const period = { from: 'yesterday 12:00', until: 'tomorrow 12:00' }
  const body = checks.map((check_id) => ({ ...period, id: randomUUID(), check_id, description: 'planned' }))
  await callTable(backend, 'notification_silences', { method: 'POST', body })
  return body.map(({ id }) => id)
}

/** One of each check, which the backend keeps to itself but for a view. */
async function createTransitions(backend: TestBackend, checks: readonly string[]): Promise<string[]> {
  const ids = checks.map(() => randomUUID())
  await inDatabase(backend, (database) =>
    database.query(
      `insert into watchroom_internal.transitions (id, event, kind, resource_id, properties, subject)
       select id, 'check.failed', 'check', about, '{}', '{}' from unnest($1::uuid[], $2::uuid[]) as happened (id, about)`,
      [ids, checks],
    ),
  )
  return ids
}

/** An event that waits with an error, and no other: until what was made has been told of, names of events come and go. */
async function leaveFailedEvent(backend: TestBackend): Promise<void> {
  await inDatabase(backend, async (database) => {
    await database.query(
      `insert into event_queue (name, error, attempts) values ('proof.failed', 'nobody handles it', 4)`,
    )
    await eventually(async () => {
      const { rows } = await database.query<{ name: string }>('select name from event_queue where error is null')
      if (rows.length > 0) throw new Error(`waiting: ${rows.map(({ name }) => name).join()}`)
    })
  })
}

async function inDatabase(backend: TestBackend, work: (database: Client) => Promise<unknown>): Promise<void> {
  const database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  try {
    await work(database)
  } finally {
    await database.end()
  }
}

async function createJobs(backend: TestBackend, words: Words): Promise<string[]> {
  const body = words.map((word) => ({
    name: `job ${word}`,
    resource_type: 'topology',
    resource_id: JOB_RESOURCE,
    status: 'SUCCESS',
  }))
  return toIds(await callTable(backend, 'job_history', { method: 'POST', body }), words, 'job')
}

/** Of every table: the ids in the order of the words. */
function createSettings(backend: TestBackend, words: Words, authorId: string): Promise<string[][]> {
  return Promise.all(
    Object.values(SETTINGS_RESOURCES).map(async ({ table, fields }) => {
      const of = {
        // What a row must have beside its name.
        ...(table === 'connections' ? { type: 'http' } : { spec: {} }),
        source: 'UI',
        created_by: authorId,
        ...(fields.includes('namespace') ? { namespace: 'proof' } : {}),
      }
      const body = words.map((word) => ({ ...of, name: `${table} ${word}` }))
      return toIds(await callTable(backend, table, { method: 'POST', body }), words, table)
    }),
  )
}

const toIds = (rows: readonly Record<string, unknown>[], words: Words, kind: string): string[] =>
  words.map((word) => {
    const row = rows.find(({ name }) => name === `${kind} ${word}`)
    if (!row) throw new Error(`there is no ${kind} ${word}`)
    return String(row.id)
  })

/** An incident with something in each of its tables, about every check. */
async function buildIncident(
  backend: TestBackend,
  authorId: string,
  word: string,
  checks: readonly string[],
): Promise<string> {
  const { id, rootId } = await createIncident(backend, authorId)
  const author = { created_by: authorId }
  await callTable(backend, `incidents?id=eq.${id}`, { method: 'PATCH', body: { title: `incident ${word}` } })
  const evidence = checks.map((check_id) => ({
    ...author,
    hypothesis_id: rootId,
    type: 'check',
    check_id,
    description: `evidence of ${check_id}`,
    definition_of_done: true,
    script: 'check.health == "healthy"',
  }))
  await callTable(backend, 'evidences', { method: 'POST', body: evidence })
  const comment = { ...author, incident_id: id, hypothesis_id: rootId, comment: `comment ${randomUUID()}` }
  await callTable(backend, 'comments', { method: 'POST', body: comment })
  const responder = { ...author, incident_id: id, type: 'person', person_id: authorId }
  await callTable(backend, 'responders', { method: 'POST', body: responder })
  return id
}

/** The gateway makes its own tables beside its start. */
async function createBoard({ url }: RunningGateway, headers: Record<string, string>): Promise<string> {
  const board = await eventually(
    async () => {
      const answer = await patientFetch(`${url}/gateway/wall/boards`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Everything', filter: {} }),
      })
      return WallBoardSchema.parse(await answer.json())
    },
    { timeout: 20_000, interval: 100 },
  )
  return board.id
}
