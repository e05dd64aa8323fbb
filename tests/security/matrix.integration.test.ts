// Every caller at every door, asked over the running product. What must come out is generated from `shared/src/access`, so a table,
// route or topic that is added there is asked about here without another line.
import { randomUUID } from 'node:crypto'

import {
  can,
  GATEWAY_ROUTES,
  mayUseRoute,
  ROLES,
  type Role,
  ROUTE_ACCESS,
  type RouteAccess,
  TABLE_ACCESS,
  tableAccess,
} from '@watchroom/shared/access'
import { rootOf, toDocumentName } from '@watchroom/shared/collab'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { toConfigChangesParams, type Topic, type TopicName, type TopicRow, TOPICS } from '@watchroom/shared/protocol'
import { NewWallLinkSchema, WallBoardSchema } from '@watchroom/shared/wall'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

import { openBenchClient } from '#support/benchClient.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { createIncident, signInPerson } from '#support/incidentGateway.ts'
import { inLanes } from '#support/inLanes.ts'
import { createLogComponents } from '#support/logComponents.ts'
import { createEndedRun, type TestRun } from '#support/playbookRuns.ts'
import { until } from '#support/processes.ts'
import { shareOf } from '#support/share.ts'

import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createLiveClient, type LiveClient } from '../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../web/src/live/openSocket.ts'

/** Who asks. `nobody` has no session, `agent` an agent's token, `screen` the cookie of a wallboard's link. */
const CALLERS = [...ROLES, 'nobody', 'agent', 'screen'] as const
type Caller = (typeof CALLERS)[number]

const DOCUMENT_WRITERS: ReadonlySet<Caller> = new Set(['admin', 'editor', 'commander', 'responder'])
/** Questions under way at once: one person's share of the gateway. */
const AT_ONCE = 4

let backend: TestBackend
let gateway: RunningGateway
let pool: Pool
let incident: { id: string }
let run: TestRun
let componentId: string
let boardId: string
const headersOf = new Map<Caller, Record<string, string>>()

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  pool = new Pool({ connectionString: backend.databaseUrl })
  for (const role of ROLES) headersOf.set(role, { ...(await gateway.signInAs(role)).headers })
  const author = await signInPerson(backend, 'admin')
  incident = await createIncident(backend, author.id)
  run = await createEndedRun(backend, author.id)
  const [component = ''] = await createLogComponents(backend, [{ name: 'shop', selectors: [{ name: 'all' }] }])
  componentId = component
  const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: 'edge' } })
  const { access_token: token } = made.json() as { access_token: string }
  headersOf.set('agent', { authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}` })
  headersOf.set('nobody', { origin: gateway.url })
  headersOf.set('screen', { cookie: await enterAsScreen(), origin: gateway.url })
})

afterAll(async () => {
  await pool?.end()
  await gateway?.stop()
  await backend?.stop()
})

const headersFor = (caller: Caller): Record<string, string> => headersOf.get(caller) ?? {}
const rolesOf = (caller: Caller): readonly Role[] => ROLES.filter((role) => role === caller)

/** The cookie that a browser holds after it opened the link of a wallboard. */
async function enterAsScreen(): Promise<string> {
  const send = (path: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const admin = headersFor('admin')
  // The gateway makes its own tables beside its start.
  const board = await eventually(
    async () => {
      const answer = await send('/gateway/wall/boards', { name: 'Lobby', filter: {} }, admin)
      return WallBoardSchema.parse(await answer.json())
    },
    { timeout: 60_000, interval: 100 },
  )
  boardId = board.id
  const link = await send(`/gateway/wall/boards/${boardId}/links`, { name: 'Lobby' }, admin)
  const { token } = NewWallLinkSchema.parse(await link.json())
  const entered = await send('/gateway/wall/device', { token }, { origin: gateway.url })
  return entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

type Verdict = 'open' | 'denied'
interface Question {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly expected: Verdict
}

/** 401 and 403 keep someone out, and so does a door that is not there for anyone; everything else let the caller through. */
async function ask(caller: Caller, { method, path, body }: Question): Promise<Verdict> {
  const answer = await fetch(gateway.url + path, {
    method,
    redirect: 'manual',
    headers: { ...headersFor(caller), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  if (answer.status >= 500 && answer.status !== 501) throw new Error(`${method} ${path}: ${answer.status}`)
  return [401, 403].includes(answer.status) ? 'denied' : 'open'
}

/** Asks all, and says which answers were others than expected: as many lines as there are holes. */
async function findSurprises(caller: Caller, questions: readonly Question[]): Promise<string[]> {
  const surprises: string[] = []
  await inLanes(questions, AT_ONCE, async (question) => {
    const verdict = await ask(caller, question)
    if (verdict !== question.expected) surprises.push(`${question.method} ${question.path}: ${verdict}`)
  })
  return surprises.toSorted()
}

const toVerdict = (isOpen: boolean): Verdict => (isOpen ? 'open' : 'denied')
const mayTouch = (caller: Caller, action: 'read' | 'write', name: string): boolean => {
  return mayUseRoute(tableAccess(name, action), rolesOf(caller))
}

const NAMES = Object.keys(TABLE_ACCESS)
const RELATIONS = NAMES.filter((name) => !name.startsWith('rpc/'))
const FUNCTIONS = NAMES.filter((name) => name.startsWith('rpc/'))

interface Column {
  readonly relation: string
  readonly name: string
}

/** A column of each relation that a PATCH may name. */
async function readColumns(): Promise<Map<string, string>> {
  const { rows } = await pool.query<Column>(
    `select distinct on (table_name) table_name as relation, column_name as name from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' order by table_name, ordinal_position`,
  )
  return new Map(rows.map(({ relation, name }) => [relation, name]))
}

interface Relationship {
  readonly name: string
  readonly source: string
  readonly target: string
}

async function readRelationships(): Promise<Relationship[]> {
  const { rows } = await pool.query<Relationship>(
    `select conname as name, source.relname as source, target.relname as target from pg_constraint
     join pg_class as source on source.oid = conrelid join pg_class as target on target.oid = confrelid
     where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  )
  return rows.filter(({ source, target }) => RELATIONS.includes(source) && RELATIONS.includes(target))
}

describe.each(shareOf(CALLERS, 3))('%s', { timeout: 120_000 }, (caller) => {
  it('reads exactly the tables and views that the matrix opens', async () => {
    const questions = RELATIONS.map((name): Question => {
      return { method: 'GET', path: `/api/db/${name}?limit=0`, expected: toVerdict(mayTouch(caller, 'read', name)) }
    })
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it('calls exactly the functions that the matrix opens', async () => {
    const questions = FUNCTIONS.flatMap((name): Question[] => {
      const expected = toVerdict(mayTouch(caller, 'read', name))
      return [
        { method: 'POST', path: `/api/db/${name}`, body: {}, expected },
        { method: 'GET', path: `/api/db/${name}`, expected },
      ]
    })
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it('changes and deletes rows of exactly the tables that the matrix opens', async () => {
    const columns = await readColumns()
    const questions = RELATIONS.flatMap((name): Question[] => {
      const column = columns.get(name) ?? 'id'
      const expected = toVerdict(mayTouch(caller, 'write', name))
      // A row that is and is not null does not exist: rights are asked, nothing happens.
      const path = `/api/db/${name}?${column}=is.null&${column}=not.is.null`
      return [
        { method: 'PATCH', path, body: { [column]: null }, expected },
        { method: 'DELETE', path, expected },
      ]
    })
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it('embeds a table only where the matrix opens both ends', async () => {
    const questions = (await readRelationships()).flatMap(({ name, source, target }): Question[] => {
      const expected = toVerdict(mayTouch(caller, 'read', source) && mayTouch(caller, 'read', target))
      const embed = (from: string, to: string): Question => {
        return { method: 'GET', path: `/api/db/${from}?select=hop:${to}!${name}(*)&limit=0`, expected }
      }
      return [embed(source, target), embed(target, source)]
    })
    expect(questions.length).toBeGreaterThan(100)
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it('gets through exactly the routes that the table of routes opens', async () => {
    const questions = ROUTE_ACCESS.filter(({ access, isForAgents }) => access !== 'public' && !isForAgents).map(
      ({ method, path, access }): Question => ({
        // What reads is asked by rules of its own.
        method: method === 'ANY' ? 'DELETE' : method,
        path: `/api${path.replaceAll(/\{\w+\}/g, NIL_UUID).replace(/\*$/, 'x')}`,
        expected: toVerdict(opens(access, caller)),
        ...(method === 'POST' ? { body: {} } : {}),
      }),
    )
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it("gets through exactly the gateway's own routes that their table opens", async () => {
    const questions = Object.values(GATEWAY_ROUTES)
      .filter(({ access }) => access !== 'public')
      .map(({ method, path, access }): Question => {
        const isChange = method === 'POST' || method === 'PUT'
        return {
          method,
          path: path.replace('{id}', NIL_UUID),
          expected: toVerdict(opens(access, caller)),
          ...(isChange ? { body: {} } : {}),
        }
      })
    expect(await findSurprises(caller, questions)).toEqual([])
  })

  it('hears exactly the topics that the matrix opens', async () => {
    const client = openLive(caller)
    const heard: Record<string, Verdict> = {}
    const expected: Record<string, Verdict> = {}
    await inLanes(Object.keys(TOPICS) as TopicName[], AT_ONCE, async (name) => {
      heard[name] = await listen(client, name)
      expected[name] = toVerdict(mayHear(caller, name))
    })
    expect(heard).toEqual(expected)
  })

  it('opens documents only as a person, and writes only with the right to', async () => {
    const isPerson = rolesOf(caller).length > 0
    expect(await openDocument(caller)).toBe(
      DOCUMENT_WRITERS.has(caller) ? 'writes' : isPerson ? 'reads' : 'is turned away',
    )
  })
})

/** An agent has an identity and no role, so a route for everyone who is signed in is open to it. */
function opens(access: RouteAccess, caller: Caller): boolean {
  if (access === 'signed-in') return rolesOf(caller).length > 0 || caller === 'agent'
  return mayUseRoute(access, rolesOf(caller))
}

function mayHear(caller: Caller, name: TopicName): boolean {
  if (caller === 'screen') return name === 'wall'
  const { topic, params } = topicOf(name)
  return can(rolesOf(caller), 'read', topic.resource(params))
}

/** A topic, with parameters that it has rows for. */
function topicOf(name: TopicName) {
  const params = {
    agents: {},
    checks: {},
    featureFlags: {},
    incidents: {},
    jobs: { resourceId: '' },
    notifications: {},
    silences: {},
    transitions: {},
    eventQueue: {},
    people: {},
    logTail: { componentId, selector: '', query: '' },
    playbookOutput: { actionId: run.actionId },
    playbookRun: { id: run.id },
    playbooks: {},
    playbookRuns: {},
    catalogSummary: {},
    config: { id: run.id },
    configChanges: toConfigChangesParams({}),
    configInsights: { configId: '' },
    configRelationships: {},
    configs: {},
    scrapers: {},
    presence: { page: 'playbook_runs', id: run.id },
    definitionOfDone: { incidentId: incident.id },
    incident: { id: incident.id },
    settings: { table: 'logging_backends' },
    topology: { id: '' },
    waitingRuns: {},
    wall: { boardId },
  }[name] as Record<string, string>
  return { topic: TOPICS[name] as unknown as Topic<Record<string, string>, TopicRow>, params }
}

function openLive(caller: Caller): LiveClient {
  const client = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(
      gateway.url,
      { ...headersFor(caller), origin: gateway.url },
      caller === 'screen' ? 'device' : 'person',
    ),
  })
  onTestFinished(() => client.close())
  return client
}

async function listen(client: LiveClient, name: TopicName): Promise<Verdict> {
  const { topic, params } = topicOf(name)
  const watch = client.watch(topic, params)
  return eventually(
    () => {
      if (client.link().kind === 'ended') return 'denied'
      const { state, rows } = watch.view()
      if (state === 'live') return 'open'
      if (state === 'denied' && rows.length === 0) return 'denied'
      throw new Error(`${name} is ${state}`)
    },
    { timeout: 60_000, interval: 20 },
  )
}

type Entry = 'writes' | 'reads' | 'is turned away'

/** Opens the incident's document and tries one edit, with a client that asks nobody whether it may. */
async function openDocument(caller: Caller): Promise<Entry> {
  const url = `${gateway.url.replace('http', 'ws')}/collab/${toDocumentName('incident', incident.id)}`
  const headers = { ...headersFor(caller), origin: gateway.url }
  if (await isRefusedAtUpgrade(url, headers)) return 'is turned away'
  const client = openBenchClient({ url, headers, prefix: null })
  onTestFinished(() => client.close())
  await until(() => client.isSynced() || client.closed() !== null, { what: `document for ${caller}` })
  if (!client.isSynced()) return 'is turned away'
  const title = `${caller} ${randomUUID().slice(0, 8)} `
  client.write((doc) => {
    const found = rootOf(doc, 'incident').get('title')
    if (found instanceof Y.Text) found.insert(0, title)
  })
  // Whoever may not write is told so, or closed; whoever may finds the words in a reader's copy.
  return eventually(
    async () => {
      const reader = openBenchClient({ url, headers: { ...headersFor('viewer'), origin: gateway.url }, prefix: null })
      try {
        await until(reader.isSynced, { what: 'reader' })
        if (String(rootOf(reader.doc, 'incident').get('title')).includes(title)) return 'writes'
      } finally {
        reader.close()
      }
      if (client.rejections() > 0) return 'reads'
      throw new Error('neither stored nor refused')
    },
    { timeout: 60_000, interval: 50 },
  )
}

function isRefusedAtUpgrade(url: string, headers: Record<string, string>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers })
    socket.on('unexpected-response', () => resolve(true))
    socket.on('open', () => {
      socket.close()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })
}

it('asks about every table, route and topic there is', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(RELATIONS.toSorted())
})
