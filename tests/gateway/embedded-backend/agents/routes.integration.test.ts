import { randomUUID } from 'node:crypto'

import { CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type BackendAnswer,
  type BackendCall,
  startEmbeddedBackend,
  type TestBackend,
} from '#support/embeddedBackend.ts'

let backend: TestBackend
let database: Client

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

const generate = (body: unknown): Promise<BackendAnswer> =>
  backend.callAsService('/agent/generate', { method: 'POST', body })

interface Agent {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly personId: string
  call(path: string, options?: BackendCall): Promise<BackendAnswer>
  push(body: unknown): Promise<BackendAnswer>
}

async function createAgent(name = `agent-${randomUUID()}`): Promise<Agent> {
  const made = (await generate({ name, properties: {} })).json() as { id: string; access_token: string }
  const token = made.access_token
  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`
  const call = (path: string, options: BackendCall = {}): Promise<BackendAnswer> =>
    backend.call(path, { ...options, headers: { authorization, ...options.headers } })
  const { agent } = (await call('/upstream/ping')).json() as { agent: { id: string } }
  return {
    id: agent.id,
    name,
    token,
    personId: made.id,
    call,
    push: (body) => call('/upstream/push', { method: 'POST', body }),
  }
}

const buildDefinition = () => {
  const canary = {
    id: randomUUID(),
    name: `c-${randomUUID()}`,
    namespace: 'edge',
    labels: { site: 'north' },
    spec: { tcp: [] },
  }
  const check = {
    id: randomUUID(),
    canary_id: canary.id,
    type: 'tcp',
    name: 'port',
    spec: { endpoint: 'db:5432' },
    labels: { tier: 'data' },
  }
  return { canary, check }
}

const at = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString()
const result = (checkId: string, time: string, status = true) => ({
  check_id: checkId,
  time,
  duration: 12,
  status,
  ...(status ? { message: 'open' } : { error: 'refused' }),
})

/** Names of the rows that were not kept. */
function conflictOf(answer: BackendAnswer): string[] {
  expect(answer.status).toBe(409)
  const { data } = answer.json() as { data: string }
  return (JSON.parse(data) as { ids: string[] }).ids
}

async function summaryOf(checkId: string) {
  const answer = await backend.callAsService('/canary/api/summary')
  const rows = CheckSummaryResponseSchema.parse(answer.json()).checks_summary
  const row = rows.find((candidate) => (candidate as { id: string }).id === checkId)
  return row === undefined ? null : CheckSummarySchema.parse(row)
}

async function rowsOf(
  checkId: string,
): Promise<{ time: Date; status: boolean; details: Record<string, unknown> | null }[]> {
  const { rows } = await database.query<{ time: Date; status: boolean; details: Record<string, unknown> | null }>(
    'select time, status, details from check_statuses where check_id = $1 order by time',
    [checkId],
  )
  return rows
}

describe('POST /agent/generate', () => {
  it('makes an agent with a person and a token that is shown once and stored as a hash', async () => {
    const answer = await generate({ name: 'edge-eu', properties: { region: 'eu' }, pushTelemetry: { enabled: true } })
    expect(answer.status).toBe(201)
    const made = answer.json() as { id: string; username: string; access_token: string }
    expect(Object.keys(made).toSorted()).toEqual(['access_token', 'id', 'username'])
    expect(made.username).toMatch(/^agent-[0-9a-f]{16}$/)
    expect(made.access_token.split('.')).toHaveLength(5)
    const { rows: people } = await database.query('select name, type, email from people where id = $1', [made.id])
    expect(people).toEqual([{ name: made.username, type: 'agent', email: `${made.username}@local` }])
    const { rows: agents } = await database.query(
      'select name, properties, username, last_seen from agents where person_id = $1',
      [made.id],
    )
    expect(agents).toEqual([
      { name: 'edge-eu', properties: { region: 'eu', type: 'agent' }, username: made.username, last_seen: null },
    ])
    const { rows: tokens } = await database.query<{ value: string; days: number }>(
      `select value, round(extract(epoch from expires_at - now()) / 86400) ::int as days from access_tokens where person_id = $1`,
      [made.id],
    )
    expect(tokens[0]?.days).toBe(365)
    expect(made.access_token).not.toContain(tokens[0]?.value)
    expect(tokens[0]?.value).not.toContain(made.access_token.split('.')[0])
  })

  it('names the person who made it, and reads keys in any case', async () => {
    const { email, password, id } = await backend.createPerson('editor')
    const session = await backend.signIn(email, password)
    const answer = await backend.call('/agent/generate', {
      method: 'POST',
      headers: session,
      body: { Name: 'by an editor', Properties: { a: 'b' } },
    })
    expect(answer.status).toBe(201)
    const { rows } = await database.query(`select created_by, properties from agents where name = 'by an editor'`)
    expect(rows).toEqual([{ created_by: id, properties: { a: 'b', type: 'agent' } }])
  })

  it('refuses a second live agent of one name, and takes the name again after a delete', async () => {
    expect((await generate({ name: 'twice' })).status).toBe(201)
    const second = await generate({ name: 'twice' })
    expect(second.status).toBe(409)
    expect(second.json()).toEqual({
      error: 'there is already an agent named twice',
      message: 'error generating agent',
    })
    await backend.callAsService('/db/agents?name=eq.twice', { method: 'PATCH', body: { deleted_at: 'now()' } })
    expect((await generate({ name: 'twice' })).status).toBe(201)
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['properties that are no texts', { name: 'x', properties: { a: 1 } }],
    ['no object', [1]],
  ])('answers 400 to %s', async (_, body) => {
    const answer = await generate(body)
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ error: expect.any(String) })
  })

  it.each(['viewer', 'responder', 'commander'] as const)('refuses a %s', async (role) => {
    const { email, password } = await backend.createPerson(role)
    const session = await backend.signIn(email, password)
    const answer = await backend.call('/agent/generate', { method: 'POST', headers: session, body: { name: role } })
    expect(answer.status).toBe(403)
  })
})

describe("an agent's token", () => {
  it('opens the routes of agents as Basic and as Bearer, and nothing that a viewer may read', async () => {
    const agent = await createAgent()
    const bearer = { authorization: `Bearer ${agent.token}` }
    expect((await backend.call('/upstream/ping', { headers: bearer })).status).toBe(200)
    for (const path of ['/db/people', '/db/checks', '/canary/api/summary', '/db/agents_summary']) {
      expect([path, (await agent.call(path)).status]).toEqual([path, 403])
    }
    const whoAmI = (await agent.call('/auth/whoami')).json() as { payload: { user: { id: string }; roles: string[] } }
    expect(whoAmI.payload).toMatchObject({ user: { id: agent.personId }, roles: ['agent'] })
  })

  it('is refused when it is wrong, malformed, expired or empty', async () => {
    const agent = await createAgent()
    const [, ...rest] = agent.token.split('.')
    const wrong = [['A'.repeat(43), ...rest].join('.'), 'a.b.1.9999999.1']
    const malformed = ['nonsense', '', `${agent.token}.1`]
    for (const [tokens, answer] of [
      [wrong, { status: 401, text: 'Unauthorized' }],
      [malformed, { status: 400, text: 'invalid access token' }],
    ] as const) {
      for (const token of tokens) {
        const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`
        const { status, text } = await backend.call('/upstream/ping', { headers: { authorization } })
        expect({ token, status, text }).toEqual({ token, ...answer })
      }
    }
    await database.query(`update access_tokens set expires_at = now() - interval '1 second' where person_id = $1`, [
      agent.personId,
    ])
    expect(await agent.call('/upstream/ping')).toMatchObject({ status: 401, text: 'access token has expired' })
  })

  it('dies with its agent, at once', async () => {
    const agent = await createAgent()
    await backend.callAsService(`/db/agents?id=eq.${agent.id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
    expect((await agent.call('/upstream/ping')).status).toBe(401)
    expect((await agent.push({})).status).toBe(401)
  })

  it('is needed for the routes of agents: a person is refused', async () => {
    const answer = await backend.callAsService('/upstream/ping')
    expect(answer.status).toBe(403)
    expect((await backend.call('/upstream/ping')).status).toBe(401)
  })
})

describe('GET /upstream/ping', () => {
  it('says who the agent is and sets when it was seen and what it says of itself, which is no edit', async () => {
    const agent = await createAgent()
    const before = await database.query('select updated_at from agents where id = $1', [agent.id])
    const path = `/upstream/ping?version=1.2.3&hostname=edge-host&queued=7&sent_at=${encodeURIComponent(at(0))}`
    expect((await agent.call(path)).json()).toMatchObject({ agent: { id: agent.id, name: agent.name } })
    const { rows } = await database.query<Record<string, unknown>>(
      `select version, hostname, queued_results, clock_skew_ms, now() - last_seen < interval '1 min' as is_seen, last_received
       from agents where id = $1`,
      [agent.id],
    )
    expect(rows).toEqual([
      {
        version: '1.2.3',
        hostname: 'edge-host',
        queued_results: 7,
        clock_skew_ms: 0,
        is_seen: true,
        last_received: null,
      },
    ])
    const first = await database.query('select updated_at from agents where id = $1', [agent.id])
    await agent.call(path)
    const second = await database.query('select updated_at from agents where id = $1', [agent.id])
    expect(second.rows).toEqual(first.rows)
    expect(before.rows).toHaveLength(1)
  })

  it('of an agent that only asks who it is does not count as seen', async () => {
    const agent = await createAgent('asks-only')
    await database.query('update agents set last_seen = null where id = $1', [agent.id])
    expect((await agent.call('/upstream/ping?starting=true&version=9')).json()).toMatchObject({
      agent: { id: agent.id },
    })
    const { rows } = await database.query('select last_seen, version from agents where id = $1', [agent.id])
    expect(rows).toEqual([{ last_seen: null, version: null }])
  })

  it('ignores nonsense about the agent', async () => {
    const agent = await createAgent()
    expect((await agent.call('/upstream/ping?queued=-1&sent_at=yesterday')).status).toBe(200)
  })
})

describe('POST /upstream/push', () => {
  it('keeps canaries, checks and results, and has them on the board in the answer', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const answer = await agent.push({
      sent_at: at(0),
      canaries: [canary],
      checks: [check],
      check_statuses: [result(check.id, at(-2_000)), result(check.id, at(-1_000), false)],
    })
    expect(answer.json()).toEqual({ message: 'ok', stored: 2, duplicates: 0 })
    await expect
      .poll(() => summaryOf(check.id))
      .toMatchObject({
        status: 'unhealthy',
        agent_id: agent.id,
        canary_name: canary.name,
        endpoint: 'db:5432',
        labels: { site: 'north', tier: 'data' },
        uptime: { passed: 1, failed: 1 },
        last_error: 'refused',
      })
    await agent.push({ sent_at: at(0), check_statuses: [result(check.id, at(-100))] })
    expect(await summaryOf(check.id)).toMatchObject({ status: 'healthy', uptime: { passed: 2 } })
    const { rows } = await database.query(
      'select last_received = last_seen as is_received, checks_count::int from agents_summary where id = $1',
      [agent.id],
    )
    expect(rows).toEqual([{ is_received: true, checks_count: 1 }])
  })

  it('keeps a batch that comes twice once, even at the same time', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const times = Array.from({ length: 50 }, (_, index) => at(-60_000 + index * 1_000))
    const batch = {
      sent_at: at(0),
      canaries: [canary],
      checks: [check],
      check_statuses: times.map((time) => result(check.id, time)),
    }
    const answers = await Promise.all([agent.push(batch), agent.push(batch), agent.push(batch)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map((answer) => (answer.json() as { stored: number }).stored).toSorted((a, b) => a - b)).toEqual([
      0, 0, 50,
    ])
    expect(await rowsOf(check.id)).toHaveLength(50)
  })

  it('says when the check changed, not when that was pushed', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const failedAt = at(-1_800_000)
    await agent.push({
      sent_at: at(0),
      canaries: [canary],
      checks: [check],
      check_statuses: [
        result(check.id, at(-3_600_000)),
        result(check.id, failedAt, false),
        result(check.id, at(-60_000), false),
      ],
    })
    await expect.poll(async () => (await summaryOf(check.id))?.last_transition_time).toBe(failedAt)
    // What comes late about an earlier time does not turn the status back.
    await agent.push({ sent_at: at(0), check_statuses: [result(check.id, at(-1_000_000))] })
    expect(await summaryOf(check.id)).toMatchObject({ status: 'unhealthy', last_transition_time: failedAt })
  })

  it("refuses another agent's canaries, checks and results by name, and writes nothing of them", async () => {
    const [owner, thief] = [await createAgent(), await createAgent()]
    const { canary, check } = buildDefinition()
    await owner.push({ canaries: [canary], checks: [check], check_statuses: [result(check.id, at(-5_000))] })
    const own = buildDefinition()
    const late = result(check.id, at(-1_000), false)
    const pushes = [
      [{ canaries: [own.canary, { ...canary, name: 'stolen' }] }, canary.id],
      [{ canaries: [own.canary], checks: [own.check, { ...check, name: 'stolen' }] }, check.id],
      [{ canaries: [own.canary], checks: [{ ...own.check, canary_id: canary.id }] }, own.check.id],
      [{ canaries: [own.canary], checks: [own.check], check_statuses: [late] }, check.id + late.time],
    ] as const
    for (const [push, name] of pushes) expect(conflictOf(await thief.push(push))).toEqual([name])
    const local = await database.query<{ id: string }>(
      `insert into canaries (name, namespace, spec) values ('local one', 'x', '{}') returning id`,
    )
    const localId = local.rows[0]?.id ?? ''
    expect(conflictOf(await thief.push({ canaries: [{ ...own.canary, id: localId }] }))).toEqual([localId])
    expect(await rowsOf(check.id)).toHaveLength(1)
    const ids = [canary.id, own.canary.id, localId]
    const { rows } = await database.query(
      'select name, agent_id from canaries where id = any($1) order by array_position($1, id)',
      [ids],
    )
    expect(rows).toEqual([
      { name: canary.name, agent_id: owner.id },
      { name: own.canary.name, agent_id: thief.id },
      { name: 'local one', agent_id: NIL_UUID },
    ])
  })

  it('lets an agent take over the checks of a canary that was given to it, and the former one go on with its own', async () => {
    const [former, next] = [await createAgent(), await createAgent()]
    const { canary, check } = buildDefinition()
    const own = buildDefinition()
    await database.query(`insert into canaries (id, agent_id, name, namespace, spec) values ($1, $2, $3, 'x', '{}')`, [
      canary.id,
      former.id,
      canary.name,
    ])
    const early = result(check.id, at(-9_000))
    await former.push({ canaries: [own.canary], checks: [check, own.check], check_statuses: [early] })
    await database.query('update canaries set agent_id = $2 where id = $1', [canary.id, next.id])
    expect((await next.push({ checks: [check], check_statuses: [result(check.id, at(-2_000))] })).status).toBe(200)
    await expect.poll(async () => (await summaryOf(check.id))?.agent_id).toBe(next.id)
    // What still waited there is no longer theirs to tell; what is theirs must not wait behind it.
    const late = [result(check.id, at(-5_000)), result(own.check.id, at(-1_000))]
    const answer = await former.push({ sent_at: at(0), check_statuses: late })
    expect(answer.json()).toEqual({
      message: 'ok',
      stored: 1,
      duplicates: 0,
      refused: [
        {
          table: 'check_statuses',
          id: check.id,
          name: null,
          reason: expect.stringContaining('another agent') as string,
        },
      ],
    })
    expect(await rowsOf(check.id)).toHaveLength(2)
    expect(await rowsOf(own.check.id)).toHaveLength(1)
  })

  it('asks for the definitions of checks it does not know', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const statuses = [result(check.id, at(-1_000))]
    expect(conflictOf(await agent.push({ check_statuses: statuses }))).toEqual([check.id + statuses[0]?.time])
    expect(conflictOf(await agent.push({ checks: [check] }))).toEqual([check.id])
    expect((await agent.push({ canaries: [canary], checks: [check], check_statuses: statuses })).status).toBe(200)
  })

  it('takes away what the agent no longer defines, and brings it back with its history', async () => {
    const agent = await createAgent()
    const [kept, gone] = [buildDefinition(), buildDefinition()]
    const both = { canaries: [kept.canary, gone.canary], checks: [kept.check, gone.check] }
    await agent.push({ ...both, check_statuses: [result(gone.check.id, at(-1_000))] })
    await expect.poll(() => summaryOf(kept.check.id)).not.toBeNull()
    await agent.push({ live: { canaries: [kept.canary.id], checks: [kept.check.id] } })
    await expect.poll(() => summaryOf(gone.check.id)).toBeNull()
    expect(await summaryOf(kept.check.id)).not.toBeNull()
    await agent.push(both)
    await expect.poll(async () => (await summaryOf(gone.check.id))?.uptime.passed).toBe(1)
  })

  it.each([
    ['a text', '"x"'],
    ['no JSON', '{'],
    ['a kind that nobody here keeps', { views: [{ id: randomUUID() }] }],
    ['too many results', { check_statuses: Array.from({ length: 10_001 }, () => ({})) }],
  ])('answers 400 to %s', async (_, body) => {
    const agent = await createAgent()
    const answer = await agent.call('/upstream/push', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
  })

  it('answers 413 to a body beyond its bound', async () => {
    const agent = await createAgent()
    // Announced only: whoever goes on sending into a refusal may lose the answer with the connection.
    const headers = { 'content-type': 'application/json', 'content-length': String(33 * 1_048_576) }
    const answer = await agent.call('/upstream/push', { method: 'POST', body: '', headers })
    expect(answer.status).toBe(413)
  })

  it('keeps texts that the database cannot: NUL and half of a pair', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const odd = {
      ...result(check.id, at(-1_000)),
      message: 'a\u0000b\uD800',
      severity: '\uDC00',
      details: { k: 'x\u0000', 'a\u0000\uD800': { 'b\uD800': 1 } },
    }
    expect((await agent.push({ canaries: [canary], checks: [check], check_statuses: [odd] })).status).toBe(200)
    expect((await rowsOf(check.id))[0]?.details).toEqual({ k: 'x', 'a\uFFFD': { 'b\uFFFD': 1 } })
  })

  it('refuses by name the rows that it cannot keep, and keeps the others of the same push', async () => {
    const agent = await createAgent()
    const good = buildDefinition()
    const nul = { ...buildDefinition().canary, name: 'broken', labels: { 'si\u0000te': 'north' } }
    const half = { ...good.check, id: randomUUID(), name: 'half', spec: { deep: { text: '\uD800' } } }
    const long = { ...good.check, id: randomUUID(), name: 'long', owner: 'x'.repeat(9_000) }
    const deep = {
      ...good.check,
      id: randomUUID(),
      name: 'deep',
      spec: JSON.parse('['.repeat(45) + ']'.repeat(45)) as unknown,
    }
    const answer = await agent.push({
      sent_at: at(0),
      canaries: [nul, good.canary],
      checks: [half, good.check, long, deep],
      check_statuses: [result(good.check.id, at(-1_000)), result(good.check.id, 'yesterday')],
    })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      stored: 1,
      refused: [
        { table: 'canaries', id: nul.id, name: 'broken', reason: expect.stringContaining('NUL character') },
        { table: 'checks', id: half.id, name: 'half', reason: expect.stringContaining('spec.deep.text') },
        { table: 'checks', id: long.id, name: 'long', reason: expect.stringContaining('owner') },
        { table: 'checks', id: deep.id, name: 'deep', reason: expect.stringContaining('nested deeper') },
        { table: 'check_statuses', id: good.check.id, name: null, reason: expect.stringContaining('time') },
      ],
    })
    await expect.poll(() => summaryOf(good.check.id)).toMatchObject({ status: 'healthy' })
    // Agents that do not read of refused rows must not take them for kept.
    expect(conflictOf(await agent.push({ checks: [half, good.check] }))).toEqual([half.id])
    expect((await agent.call('/upstream/ping?version=%00&hostname=a%00')).status).toBe(200)
  })
})

describe('a clock that is wrong', () => {
  const HOUR_MS = 3_600_000
  const around = (aheadMs: number) => ({ least_ms: aheadMs - 40, most_ms: aheadMs + 60 })

  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])('%s moves no time of the board; the result says what the clock said', async (_, aheadMs) => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const now = Date.now()
    const agentTime = new Date(now + aheadMs - 2_000).toISOString()
    const push = (delayMs: number) =>
      agent.push({
        sent_at: at(aheadMs),
        clock: around(aheadMs + delayMs),
        canaries: [canary],
        checks: [check],
        check_statuses: [result(check.id, agentTime)],
      })
    expect((await push(0)).json()).toMatchObject({ stored: 1 })
    const [row] = await rowsOf(check.id)
    expect(Math.abs((row?.time.getTime() ?? 0) - (now - 2_000))).toBeLessThan(2_000)
    expect(row?.details).toMatchObject({ agent_clock: { time: agentTime } })
    await expect.poll(async () => (await summaryOf(check.id))?.last_runtime).toBe(row?.time.toISOString())
    expect(row?.time.getTime()).toBeLessThanOrEqual(Date.now())

    // The same result again: measured a little differently, it is still the same.
    expect((await push(400)).json()).toMatchObject({ stored: 0, duplicates: 1 })
    // And again after someone set the clock right.
    const corrected = { sent_at: at(0), clock: around(0), check_statuses: [result(check.id, agentTime)] }
    expect((await agent.push(corrected)).json()).toMatchObject({ stored: 0, duplicates: 1 })
    // And by an agent that does not say what it knows of its clock.
    const plain = { check_statuses: [result(check.id, agentTime)] }
    expect((await agent.push(plain)).json()).toMatchObject({ stored: 0, duplicates: 1 })
    expect(await rowsOf(check.id)).toHaveLength(1)
  })

  it('that says nothing of itself but is ahead is taken back to now', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    await agent.push({ canaries: [canary], checks: [check], check_statuses: [result(check.id, at(HOUR_MS))] })
    const [row] = await rowsOf(check.id)
    expect(row?.time.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('is not believed to be from one push that was slow: the times stay as the agent said them', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const times = [at(-40_000), at(-30_000)]
    const batch = { canaries: [canary], checks: [check], check_statuses: times.map((time) => result(check.id, time)) }
    // Twelve seconds on the way, as when the gateway stood still; and again in time.
    await agent.push({ sent_at: at(-12_000), ...batch })
    expect((await agent.push({ sent_at: at(0), ...batch })).json()).toMatchObject({ stored: 0, duplicates: 2 })
    expect((await rowsOf(check.id)).map(({ time }) => time.toISOString())).toEqual(times)
    const { rows } = await database.query('select clock_skew_ms from agents where id = $1', [agent.id])
    expect(rows).toEqual([{ clock_skew_ms: 0 }])
  })

  it('was wrong for a while: what that time left in the queue is not in the future, and nothing else moves', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const [past, early, late] = [at(-60_000), at(HOUR_MS - 10_000), at(HOUR_MS)]
    await agent.push({
      sent_at: at(0),
      clock: around(0),
      canaries: [canary],
      checks: [check],
      check_statuses: [past, early, late].map((time) => result(check.id, time)),
    })
    const [first, second, third] = await rowsOf(check.id)
    expect(first?.time.toISOString()).toBe(past)
    expect(third?.time.getTime()).toBeLessThanOrEqual(Date.now())
    expect((third?.time.getTime() ?? 0) - (second?.time.getTime() ?? 0)).toBe(10_000)
  })

  it('gives two runs that it moves to one millisecond a moment each', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    const now = Date.now()
    const said = (ms: number): string => new Date(now + ms).toISOString()
    const push = (aheadMs: number, time: string) =>
      agent.push({
        clock: { least_ms: aheadMs, most_ms: aheadMs },
        canaries: [canary],
        checks: [check],
        check_statuses: [result(check.id, time)],
      })
    expect((await push(-HOUR_MS, said(-HOUR_MS - 30_000))).json()).toMatchObject({ stored: 1 })
    expect((await push(-HOUR_MS - 5, said(-HOUR_MS - 30_005))).json()).toMatchObject({ stored: 1 })
    expect((await rowsOf(check.id)).map(({ time }) => time.toISOString())).toEqual([said(-30_000), said(-29_999)])
  })
})

describe('canaries assigned to an agent', () => {
  async function pulledBy(agent: Agent, since?: string): Promise<unknown[]> {
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
    const answer = (await agent.call(`/upstream/canary/pull${query}`)).json() as { before: string; canaries: unknown[] }
    expect(Date.parse(answer.before)).toBeLessThanOrEqual(Date.now())
    return answer.canaries
  }

  it('are pulled by that agent alone, without those it brought along, and the ping tells when they change', async () => {
    const [agent, other] = [await createAgent(), await createAgent()]
    await agent.push({ canaries: [buildDefinition().canary] })
    const versionOf = async (): Promise<string> =>
      ((await agent.call('/upstream/ping')).json() as { canaries: string }).canaries
    const before = await versionOf()
    const { rows } = await database.query<{ id: string }>(
      `insert into canaries (agent_id, name, namespace, spec, source) values ($1, 'assigned', 'x', '{"http": []}', 'UI') returning id`,
      [agent.id],
    )
    expect(await pulledBy(agent)).toMatchObject([{ id: rows[0]?.id, name: 'assigned' }])
    expect(await pulledBy(other)).toEqual([])
    expect(await versionOf()).not.toBe(before)
    await database.query('update canaries set deleted_at = now() where id = $1', [rows[0]?.id])
    expect(await pulledBy(agent)).toEqual([])
    expect(await pulledBy(agent, at(-60_000))).toMatchObject([{ id: rows[0]?.id, deleted_at: expect.any(String) }])
    expect(await pulledBy(agent, at(1_000))).toEqual([])
    expect((await agent.call('/upstream/canary/pull?since=monday')).status).toBe(400)
  })
})

describe('DELETE /upstream/push', () => {
  it("deletes the agent's own rows and leaves those of others alone", async () => {
    const [agent, other] = [await createAgent(), await createAgent()]
    const [own, foreign] = [buildDefinition(), buildDefinition()]
    await agent.push({ canaries: [own.canary], checks: [own.check] })
    await other.push({ canaries: [foreign.canary], checks: [foreign.check] })
    await expect.poll(() => summaryOf(own.check.id)).not.toBeNull()
    const answer = await agent.call('/upstream/push', {
      method: 'DELETE',
      body: { canaries: [{ id: own.canary.id }, { id: foreign.canary.id }] },
    })
    expect(answer.json()).toEqual({ message: 'ok', deleted: 1 })
    await expect.poll(() => summaryOf(own.check.id)).toBeNull()
    expect(await summaryOf(foreign.check.id)).not.toBeNull()
  })
})

describe('deleting an agent', () => {
  it('with the cleanup takes its checks off the board, without it leaves them there', async () => {
    const [cleaned, left] = [await createAgent(), await createAgent()]
    const [gone, kept] = [buildDefinition(), buildDefinition()]
    await cleaned.push({ canaries: [gone.canary], checks: [gone.check] })
    await left.push({ canaries: [kept.canary], checks: [kept.check] })
    const remove = (id: string, cleanup: boolean) =>
      backend.callAsService(`/db/agents?id=eq.${id}`, {
        method: 'PATCH',
        body: { deleted_at: 'now()', ...(cleanup ? { cleanup } : {}) },
      })
    await expect.poll(() => summaryOf(gone.check.id)).not.toBeNull()
    await expect.poll(() => summaryOf(kept.check.id)).not.toBeNull()
    await remove(cleaned.id, true)
    await remove(left.id, false)
    await expect.poll(() => summaryOf(gone.check.id)).toBeNull()
    expect(await summaryOf(kept.check.id)).not.toBeNull()
  })
})

describe('the local agent', () => {
  it('is online for as long as the product runs checks', async () => {
    const { rows } = await database.query(
      `select now() - last_seen < interval '61 s' as is_online from agents where name = 'local'`,
    )
    expect(rows).toEqual([{ is_online: true }])
  })

  it('cannot be deleted, because every row without another agent is its own', async () => {
    const answer = await backend.callAsService('/db/agents?id=eq.00000000-0000-0000-0000-000000000000', {
      method: 'PATCH',
      body: { deleted_at: 'now()' },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).toContain('the local agent cannot be deleted')
  })
})

describe('an agent that falls silent', () => {
  it('has its checks unknown since it was last seen, told at that moment, and back with the next sign of life', async () => {
    const agent = await createAgent()
    const { canary, check } = buildDefinition()
    await agent.push({
      sent_at: at(0),
      canaries: [canary],
      checks: [check],
      check_statuses: [result(check.id, at(-500))],
    })
    await expect.poll(async () => (await summaryOf(check.id))?.status).toBe('healthy')
    expect((await summaryOf(check.id))?.unknown_since).toBeUndefined()

    // As if it had been seen long ago: the database is what a restarted backend knows.
    await agent.call('/upstream/ping')
    const short = await startEmbeddedBackend({ databaseUrl: backend.databaseUrl, agentOfflineAfterMs: 1_500 })
    try {
      const rowIn = async () => {
        const answer = await short.callAsService('/canary/api/summary')
        const rows = CheckSummaryResponseSchema.parse(answer.json()).checks_summary
        return CheckSummarySchema.parse(rows.find((row) => (row as { id: string }).id === check.id))
      }
      const { rows } = await database.query<{ last_seen: Date }>('select last_seen from agents where id = $1', [
        agent.id,
      ])
      await expect.poll(async () => (await rowIn()).unknown_since).toBe(rows[0]?.last_seen.toISOString())
      const authorization = `Basic ${Buffer.from(`token:${agent.token}`).toString('base64')}`
      // Silent again soon: where a busy machine takes as long for the two calls, they are made again.
      await expect
        .poll(async () => {
          await short.call('/upstream/ping', { headers: { authorization } })
          return (await rowIn()).unknown_since
        })
        .toBeUndefined()
    } finally {
      await short.stop()
    }
  })
})
