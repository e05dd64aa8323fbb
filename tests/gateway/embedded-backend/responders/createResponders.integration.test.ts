import { randomUUID } from 'node:crypto'

import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { insertRow } from '#support/insertRow.ts'
import { type Asked, type ServiceServer, startServiceServer } from '#support/serviceServer.ts'

import {
  createEventConsumer,
  type EventConsumer,
} from '../../../../gateway/src/embedded-backend/jobs/createEventConsumer.ts'
import { createMailer } from '../../../../gateway/src/embedded-backend/mail/createMailer.ts'
import { createMailTransport } from '../../../../gateway/src/embedded-backend/mail/createMailTransport.ts'
import {
  createResponders,
  type Responders,
} from '../../../../gateway/src/embedded-backend/responders/createResponders.ts'
import type { BackendContext } from '../../../../gateway/src/embedded-backend/server/context.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const logger = pino({ level: 'silent' })

let database: TestDatabase
let service: ServiceServer
let responders: Responders
let consumer: EventConsumer
let author: string

const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<string> =>
  insertRow(database.pool, table, row)

const addTeam = (clients: unknown): Promise<string> =>
  insert('teams', { name: `team ${randomUUID()}`, created_by: author, spec: { responder_clients: clients } })
const addIncident = (): Promise<string> =>
  insert('incidents', {
    title: 'Prints hang',
    type: 'availability',
    severity: 'high',
    status: 'open',
    description: '',
    created_by: author,
    commander_id: author,
    communicator_id: author,
  })

interface CalledIn {
  readonly external_id: string | null
  readonly properties: Readonly<Record<string, unknown>>
}

async function readResponder(id: string): Promise<CalledIn | undefined> {
  const { rows } = await database.pool.query<CalledIn>('select external_id, properties from responders where id = $1', [
    id,
  ])
  return rows[0]
}

const callIn = async (
  teamId: string,
  properties: Record<string, unknown>,
): Promise<{ id: string; incidentId: string }> => {
  const incidentId = await addIncident()
  const id = await insert('responders', {
    incident_id: incidentId,
    type: 'system',
    team_id: teamId,
    created_by: author,
    properties,
  })
  return { id, incidentId }
}

async function comments(incidentId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select comment, external_created_by, responder_id from comments where incident_id = $1 order by created_at, id`,
    [incidentId],
  )
  return rows
}

async function runJob(name: string): Promise<string[]> {
  const failures: string[] = []
  const job = responders.jobs.find((each) => each.name === name)
  await job?.run({
    pool: database.pool,
    signal: new AbortController().signal,
    now: Date.now(),
    report: { success: () => undefined, failure: (message) => failures.push(message) },
  })
  return failures
}

const told = (part: string): Asked[] => service.asked.filter(({ line }) => line.includes(part))

beforeAll(async () => {
  database = await startTestDatabase()
  service = await startServiceServer()
  author = await insert('people', { name: 'Ada', email: 'ada@harbour.example' })
  const { pool, channels, vault } = database
  const transport = createMailTransport({ smtpUrl: undefined, hostname: 'watch.example', print: () => undefined })
  const mailer = createMailer({ pool, linkBase: 'https://watch.example', transport })
  const context = { pool, vault, clock: systemClock, logger, random: () => 0 } as unknown as BackendContext
  responders = createResponders(context, { mailer, network: service.network })
  consumer = createEventConsumer({
    pool,
    channels,
    clock: systemClock,
    logger,
    handlers: new Map(),
    couriers: new Map([...responders.couriers, ['mail.send', mailer.courier]]),
  })
  consumer.start()
})
// The tickets of a test are nobody's any more when it ends.
afterEach(async () => {
  await database.pool.query(`update incidents set status = 'closed'`)
  service.asked.length = 0
})
afterAll(async () => {
  await consumer.close()
  await service.stop()
  await database.stop()
})

/** A ticket system that keeps what it is told, as Jira does. */
function startJira() {
  const issues: { key: string; mark: string; comments: { id: string; body: string; author: unknown }[] }[] = []
  const state = { issues, losesAnswers: false }
  service.answerBy(({ line, body }) => {
    const { method, path } = /^(?<method>\w+) https:\/\/[^/]+(?<path>[^?]*)/.exec(line)?.groups ?? {}
    if (path === '/rest/api/2/issue') {
      const sent = JSON.parse(body) as { properties: { value: { mark: string } }[] }
      issues.push({ key: `OPS-${issues.length + 1}`, mark: sent.properties[0]?.value.mark ?? '', comments: [] })
      return state.losesAnswers ? { status: 502, body: '' } : { status: 201, body: { key: issues.at(-1)?.key } }
    }
    if (path === '/rest/api/2/search/jql') return { status: 404, body: '' }
    if (path === '/rest/api/2/search') {
      return {
        body: { issues: issues.map(({ key, mark }) => ({ key, properties: { watchroom: { mark } } })).toReversed() },
      }
    }
    const issue = issues.find(({ key }) => path === `/rest/api/2/issue/${key}/comment`)
    if (issue && method === 'POST') {
      const { body: text } = JSON.parse(body) as { body: string }
      issue.comments.push({ id: String(issue.comments.length + 1), body: text, author: { displayName: 'Watchroom' } })
      return state.losesAnswers ? { status: 502, body: '' } : { status: 201, body: {} }
    }
    if (issue) return { body: { comments: issue.comments.toReversed() } }
    if (path === '/rest/api/2/project') return { body: [{ key: 'OPS', name: 'Operations' }] }
    if (path === '/rest/api/2/project/OPS') return { body: { issueTypes: [{ name: 'Bug' }, { name: 'Task' }] } }
    if (path === '/rest/api/2/priority') return { body: [{ name: 'High' }] }
    return { status: 404, body: '' }
  })
  return state
}

const JIRA = { url: 'https://jira.example', username: 'watch', password: 'jira-password' }
const TICKET = {
  responderType: 'jira',
  project: 'OPS',
  issueType: 'Bug',
  priority: 'High',
  summary: 'Prints hang',
  description: 'since noon',
}

describe('a team that is called in', () => {
  it('gets one mail at each address, once, with the way to the incident', async () => {
    const teamId = await addTeam({ email: { values: { to: 'ops@harbour.example, night@harbour.example' } } })
    const { incidentId } = await callIn(teamId, {
      responderType: { label: 'Email', value: 'email' },
      to: 'elsewhere@evil.example',
      subject: 'Prints hang\r\nBcc: evil@evil.example',
      body: 'Please look',
    })
    const mails = async () =>
      (await database.pool.query('select recipient, data from watchroom_internal.mails order by recipient')).rows
    await expect.poll(mails).toEqual([
      { recipient: 'night@harbour.example', data: expect.anything() },
      {
        recipient: 'ops@harbour.example',
        data: expect.objectContaining({ text: 'Please look', url: `https://watch.example/incidents/${incidentId}` }),
      },
    ])
  })

  it('gets a ticket in Jira as the team has it, whatever the form says, and its number and link are kept', async () => {
    startJira()
    const teamId = await addTeam({ jira: { ...JIRA, values: { project: 'OPS' } } })
    const { id } = await callIn(teamId, { ...TICKET, project: 'SECRET' })
    await expect.poll(async () => (await readResponder(id))?.external_id).toBe('OPS-1')
    expect((await readResponder(id))?.properties).toMatchObject({ link: 'https://jira.example/browse/OPS-1' })
    const [asked] = told('/rest/api/2/issue')
    expect(asked?.headers['authorization']).toBe(`Basic ${Buffer.from('watch:jira-password').toString('base64')}`)
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      fields: {
        project: { key: 'OPS' },
        issuetype: { name: 'Bug' },
        priority: { name: 'High' },
        summary: 'Prints hang',
        description: 'since noon',
      },
    })
  })

  it('gets no second ticket when the answer to the first one was lost', async () => {
    const jira = startJira()
    jira.losesAnswers = true
    const teamId = await addTeam({ jira: JIRA })
    const { id } = await callIn(teamId, TICKET)
    await expect.poll(async () => (await readResponder(id))?.properties['error']).toContain('502')
    jira.losesAnswers = false
    await responders.couriers.get('incident.responder.added')?.handle({ id: '', name: '', properties: { id } })
    expect(jira.issues).toHaveLength(1)
    expect(await readResponder(id)).toEqual({
      external_id: 'OPS-1',
      properties: { ...TICKET, link: 'https://jira.example/browse/OPS-1' },
    })
    await responders.couriers.get('incident.responder.added')?.handle({ id: '', name: '', properties: { id } })
    expect(told('POST https://jira.example/rest/api/2/issue')).toHaveLength(1)
  })

  it('says with the incident and its ticket the same, both ways, each comment once', async () => {
    const jira = startJira()
    const { id, incidentId } = await callIn(await addTeam({ jira: JIRA }), TICKET)
    await expect.poll(async () => (await readResponder(id))?.external_id).toBe('OPS-1')
    const said = () => jira.issues[0]?.comments.map(({ body }) => body)
    const comment = (text: string) => insert('comments', { incident_id: incidentId, comment: text, created_by: author })
    await comment('on it')
    await expect.poll(said).toEqual([expect.stringMatching(/^Ada on Watchroom \[\w+\]:\n\non it$/)])

    jira.issues[0]?.comments.push({ id: '77', body: 'restarted it', author: { displayName: 'Grace' } })
    expect(await runJob('ResponderCommentsSync')).toEqual([])
    expect(await runJob('ResponderCommentsSync')).toEqual([])
    expect(await comments(incidentId)).toEqual([
      { comment: 'on it', external_created_by: null, responder_id: null },
      { comment: 'restarted it', external_created_by: 'Grace', responder_id: id },
    ])
    const { rows } = await database.pool.query(
      `select type from incident_histories where incident_id = $1 and type = 'responder.commented'`,
      [incidentId],
    )
    expect(rows).toHaveLength(1)

    // An answer that was lost: the comment is there, and goes no second time.
    jira.losesAnswers = true
    await comment('better?')
    await expect.poll(() => said()?.length).toBe(3)
    jira.losesAnswers = false
    await expect.poll(() => runJob('ResponderCommentsSync')).toEqual([])
    expect(await runJob('ResponderCommentsSync')).toEqual([])
    expect(said()).toHaveLength(3)
  })

  it('is recorded alone where its type runs elsewhere, and a person too', async () => {
    startJira()
    const teamId = await addTeam({ jira: JIRA, redhat: {} })
    const { id } = await callIn(teamId, { responderType: 'redhat', product: 'x' })
    const queued = () => database.pool.query(`select from event_queue where properties ->> 'id' = $1`, [id])
    await expect.poll(async () => (await queued()).rowCount).toBe(0)
    expect(service.asked).toEqual([])
  })

  it('never makes the product read or write a ticket that someone only names', async () => {
    startJira()
    const teamId = await addTeam({ jira: JIRA })
    const { id, incidentId } = await callIn(teamId, { responderType: 'vmware' })
    await database.pool.query(
      `update responders set external_id = 'SECRET-1', properties = '{"responderType": "jira"}' where id = $1`,
      [id],
    )
    await insert('comments', { incident_id: incidentId, comment: 'hello', created_by: author })
    await runJob('ResponderCommentsSync')
    expect(told('SECRET-1')).toEqual([])
  })

  it('says why it could not be called in, without the password', async () => {
    service.answerBy(({ headers }) => ({ status: 401, body: { error: `bad ${String(headers['authorization'])}` } }))
    const { id } = await callIn(await addTeam({ jira: JIRA }), TICKET)
    await expect.poll(async () => (await readResponder(id))?.properties['error']).toContain('401')
    const error = String((await readResponder(id))?.properties['error'])
    expect(error).not.toContain(Buffer.from('watch:jira-password').toString('base64'))
    expect(error).not.toContain('jira-password')
  })

  it('is reached by a connection, whose credentials go to its own address', async () => {
    startJira()
    await insert('connections', {
      name: 'tickets',
      namespace: 'ops',
      type: 'http',
      url: 'https://tickets.example/jira',
      password: 'token-of-jira',
    })
    const teamId = await addTeam({ jira: { connection: 'connection://ops/tickets', url: 'https://evil.example' } })
    const { id } = await callIn(teamId, TICKET)
    await expect.poll(async () => (await readResponder(id))?.properties['error']).toContain('404')
    expect(service.asked.map(({ line }) => line)).toEqual(['POST https://tickets.example/jira/rest/api/2/issue'])
    expect(service.asked[0]?.headers['authorization']).toBe('Bearer token-of-jira')
  })

  it('is led to no metadata of a cloud', async () => {
    const { id } = await callIn(await addTeam({ jira: { ...JIRA, url: 'http://169.254.169.254' } }), TICKET)
    await expect.poll(async () => (await readResponder(id))?.properties['error']).toBeTruthy()
    expect(service.asked).toEqual([])
  })
})

const PLANNER = {
  tenant_id: 'contoso',
  client_id: 'watch',
  group_id: 'g1',
  username: 'watch@contoso.example',
  password: 'planner-password',
}

function startPlanner() {
  const tasks: { id: string; title: string; conversationThreadId?: string; '@odata.etag': string }[] = []
  const posts: { id: string; body: { content: string; contentType: string }; from: unknown }[] = []
  let description = ''
  const post = (content: string, name: string, contentType = 'html'): void => {
    posts.push({ id: `p${posts.length + 1}`, body: { content, contentType }, from: { emailAddress: { name } } })
  }
  service.answerBy(({ line, body }) => {
    const { method, path } = /^(?<method>\w+) https:\/\/[^/]+(?<path>[^?]*)/.exec(line)?.groups ?? {}
    const sent = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, never>
    switch (`${method} ${path}`) {
      case 'POST /contoso/oauth2/v2.0/token':
        return { body: { access_token: 'graph-token' } }
      case 'POST /v1.0/planner/tasks':
        tasks.push({ id: `t${tasks.length + 1}`, title: sent['title'] ?? '', '@odata.etag': 'W/"1"' })
        return { status: 201, body: tasks.at(-1) }
      case 'GET /v1.0/planner/tasks/t1/details':
        return { body: { '@odata.etag': 'W/"2"', description } }
      case 'PATCH /v1.0/planner/tasks/t1/details':
        description = sent['description'] ?? ''
        return { status: 204, body: '' }
      case 'POST /v1.0/groups/g1/threads':
        post('since noon', 'Watchroom')
        return { status: 201, body: { id: 'th1' } }
      case 'PATCH /v1.0/planner/tasks/t1':
        return { status: 204, body: '' }
      case 'GET /v1.0/groups/g1/threads/th1/posts':
        return { body: { value: posts } }
      case 'POST /v1.0/groups/g1/threads/th1/reply':
        post(
          (sent['post'] as { body: { content: string } } | undefined)?.body.content.replaceAll('\n', '<br>') ?? '',
          'Watchroom',
        )
        return { status: 202, body: '' }
      case 'GET /v1.0/groups/g1/planner/plans':
        return { body: { value: [{ id: 'plan-1', title: 'Harbour' }] } }
      case 'GET /v1.0/planner/plans/plan-1/buckets':
        return { body: { value: [{ id: 'b1', name: 'Now' }] } }
      default:
        return { status: 404, body: '' }
    }
  })
  return { tasks, post, description: () => description }
}

describe('a team that is called in by Microsoft Planner', () => {
  it('gets a task with its description, and talks in the conversation of the task', async () => {
    const planner = startPlanner()
    const { id, incidentId } = await callIn(await addTeam({ ms_planner: PLANNER }), {
      responderType: 'ms_planner',
      plan_id: 'plan-1',
      bucket_id: 'b1',
      priority: 'Urgent',
      title: 'Prints hang',
      description: 'since noon',
    })
    await expect.poll(async () => (await readResponder(id))?.external_id).toBe('t1')
    expect(planner.description()).toBe('since noon')
    const [asked] = told('/v1.0/planner/tasks')
    expect(asked?.headers['authorization']).toBe('Bearer graph-token')
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      planId: 'plan-1',
      bucketId: 'b1',
      priority: 1,
      title: expect.stringMatching(/^Prints hang \[[0-9a-f]{8}\]$/),
    })
    expect(told('oauth2')[0]?.body).toContain('scope=https%3A%2F%2Fgraph.microsoft.com%2F.default')

    await insert('comments', { incident_id: incidentId, comment: 'on it', created_by: author })
    await expect.poll(() => told('/reply').length).toBe(1)
    planner.post('<html><body><p>restarted &amp; fine</p></body></html>', 'Grace')
    expect(await runJob('ResponderCommentsSync')).toEqual([])
    expect(await comments(incidentId)).toEqual([
      { comment: 'on it', external_created_by: null, responder_id: null },
      { comment: 'restarted & fine', external_created_by: 'Grace', responder_id: id },
    ])
    expect(told('/reply')).toHaveLength(1)
  })
})

describe('what ticket systems offer', () => {
  it('is an item of the catalog for each team, and goes with the client', async () => {
    const jira = startJira()
    jira.issues.length = 0
    const teamId = await addTeam({ jira: JIRA })
    const items = async () =>
      (
        await database.pool.query(
          `select config_class, type, config, deleted_at is null as is_there from config_items where external_id = array[$1]`,
          [teamId],
        )
      ).rows
    await runJob('ResponderConfigSync')
    await runJob('ResponderConfigSync')
    expect(await items()).toEqual([
      {
        config_class: 'Responder',
        type: 'jira',
        config: { projects: [{ key: 'OPS', name: 'Operations', issueTypes: ['Bug', 'Task'] }], priorities: ['High'] },
        is_there: true,
      },
    ])
    await database.pool.query(`update teams set spec = '{}' where id = $1`, [teamId])
    await runJob('ResponderConfigSync')
    expect(await items()).toMatchObject([{ is_there: false }])
  })

  it('is read of Microsoft Planner, too', async () => {
    startPlanner()
    const teamId = await addTeam({ ms_planner: PLANNER })
    await runJob('ResponderConfigSync')
    const { rows } = await database.pool.query('select config from config_items where external_id = array[$1]', [
      teamId,
    ])
    expect(rows).toEqual([
      {
        config: {
          plans: [{ id: 'plan-1', name: 'Harbour', buckets: [{ id: 'b1', name: 'Now' }] }],
          priorities: ['Urgent', 'Important', 'Medium', 'Low'],
        },
      },
    ])
  })
})
