import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { PUSHED_KINDS, type PushedKind } from '@watchroom/shared/agents/upstream'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { forgetPeak, residentMiB } from '#support/processes.ts'
import { createRandom } from '#support/random.ts'
import {
  type AgentRow,
  type AgentRows,
  buildAgentRows,
  createPushBook,
  generateRealAgent,
  type RealAgent,
  type RealAgentAnswer,
} from '#support/realAgent.ts'

import { readPush } from '../../../../gateway/src/embedded-backend/agents/readPush.ts'
import { receivePush } from '../../../../gateway/src/embedded-backend/agents/receivePush.ts'
import { type JobRun, writeOutcome } from '../../../../gateway/src/embedded-backend/jobs/jobHistory.ts'

const SMALL_LETTERS = new URL(
  '../../../../gateway/src/embedded-backend/schema/migrations/0240_health_in_small_letters.sql',
  import.meta.url,
)

const MEBIBYTE = 2 ** 20
const HEAP_MIB = 400
const PEAK_MIB = 700

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

interface Made extends RealAgent {
  readonly id: string
}

async function makeAgent(): Promise<Made> {
  const name = `agent-${randomUUID()}`
  const agent = await generateRealAgent(backend, name)
  const { rows } = await database.query<{ id: string }>('select id from agents where name = $1', [name])
  return { id: rows[0]?.id ?? '', ...agent }
}

let seed = 0
const buildRows = (actionIds: readonly string[] = [], count = 40): Record<PushedKind, AgentRow[]> =>
  buildAgentRows({ random: createRandom(++seed), count, actionIds })

/** An action of a playbook's run that people gave to an agent. */
async function giveAction(agentId: string): Promise<{ actionId: string; runId: string }> {
  const { rows } = await database.query<{ id: string; run: string }>(
    `with book as (
         insert into playbooks (name, spec)
         select $2, jsonb_build_object('actions', jsonb_build_array(jsonb_build_object(
           'name', 'echo', 'exec', '{"script": "exit 1"}'::jsonb, 'runsOn', jsonb_build_array(agents.name))))
         from agents where agents.id = $1 returning id),
       run as (insert into playbook_runs (playbook_id, status) select id, 'running' from book returning id)
     insert into playbook_run_actions (name, status, playbook_run_id, agent_id) select 'echo', 'waiting', id, $1 from run
     returning id, playbook_run_id as run`,
    [agentId, randomUUID()],
  )
  return { actionId: rows[0]?.id ?? '', runId: rows[0]?.run ?? '' }
}

const TABLES: Readonly<Record<PushedKind, string>> = {
  ...(Object.fromEntries(PUSHED_KINDS.map((kind) => [kind, kind])) as Record<PushedKind, string>),
  playbook_actions: 'playbook_run_actions',
}

const ITEMS = `(select id from config_items where agent_id <> '${NIL_UUID}')`

/** The product checks itself, notes its own jobs and keeps a catalog of itself meanwhile. */
const OWN_WORK: Partial<Record<string, string>> = {
  checks: `agent_id <> '${NIL_UUID}'`,
  check_statuses: 'agent_time is not null',
  components: `agent_id <> '${NIL_UUID}'`,
  job_history: `agent_id <> '${NIL_UUID}'`,
  config_items: `agent_id <> '${NIL_UUID}'`,
  config_changes: `config_id in ${ITEMS}`,
  config_analysis: `config_id in ${ITEMS}`,
  config_relationships: `config_id in ${ITEMS} or related_id in ${ITEMS}`,
  config_component_relationships: `component_id in (select id from components where agent_id <> '${NIL_UUID}')`,
}

/** Every row of every table, with all that it holds but the time of the last change. */
async function dump(): Promise<Record<string, string[]>> {
  const tables: [string, string[]][] = []
  for (const table of Object.values(TABLES)) {
    const { rows } = await database.query<{ row: string }>(
      `select (to_jsonb(stored) - 'updated_at')::text as row from ${table} as stored where ${OWN_WORK[table] ?? 'true'} order by 1`,
    )
    tables.push([table, rows.map(({ row }) => row)])
  }
  return Object.fromEntries(tables)
}

async function rowOf(table: string, id: unknown): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.query<Record<string, unknown>>(`select * from ${table} where id = $1`, [id])
  return rows[0]
}

/** Names of the rows that were not kept. */
function conflictOf({ status, text }: RealAgentAnswer): string[] {
  expect({ status, text }).toMatchObject({ status: 409 })
  const { data, error } = JSON.parse(text) as { data: string; error: string }
  expect(error).toContain('were not kept')
  return (JSON.parse(data) as { ids: string[] }).ids
}

/** A check as the board shows it. */
async function shownOf(checkId: unknown): Promise<Record<string, unknown> | undefined> {
  const answer = await backend.callAsService('/canary/api/summary')
  const { checks_summary: rows } = answer.json() as { checks_summary: Record<string, unknown>[] }
  return rows.find(({ id }) => id === checkId)
}

const firstOf = (rows: AgentRows, kind: PushedKind): AgentRow => rows[kind]?.[0] ?? {}

describe('a push of an agent of the real product', () => {
  it('keeps rows of all fifteen kinds as its own', async () => {
    const agent = await makeAgent()
    const { actionId, runId } = await giveAction(agent.id)
    const rows = buildRows([actionId])
    const book = createPushBook(agent, rows, 500)
    expect(await book.reconcile()).toBe(true)
    for (const kind of PUSHED_KINDS) expect.soft(rows[kind].length, kind).toBeGreaterThan(0)

    const item = await rowOf('config_items', firstOf(rows, 'config_items').id)
    expect(item).toMatchObject({ agent_id: agent.id, name: 'pod-0', external_id: ['pod/0'], tags: { cluster: 'edge' } })
    const precise = await database.query<{ number: string }>(
      `select config ->> 'number' as number from config_items where id = $1`,
      [item?.id],
    )
    expect(precise.rows).toEqual([{ number: '12345678901234567890' }])
    expect(await rowOf('components', firstOf(rows, 'components').id)).toMatchObject({
      agent_id: agent.id,
      external_id: '',
      log_selectors: [{ name: 'all' }],
      component_checks: [{ selector: { labelSelector: 'app=shop' } }],
    })
    expect(await rowOf('config_changes', firstOf(rows, 'config_changes').id)).toMatchObject({
      count: 3,
      patches: { a: 'b' },
    })
    expect(await rowOf('config_scrapers', firstOf(rows, 'config_scrapers').id)).toMatchObject({
      agent_id: agent.id,
      spec: { file: [{ type: 'File', id: '$.name' }] },
    })
    const check = firstOf(rows, 'checks')
    expect(await rowOf('checks', check.id)).toMatchObject({ next_runtime: new Date(String(check.next_runtime)) })
    const artifact = await rowOf('artifacts', firstOf(rows, 'artifacts').id)
    expect(artifact).toMatchObject({ connection_id: null, is_data_pushed: false })
    expect(artifact?.created_at).toSatisfy((at: Date) => at.getFullYear() > 2_000)
    expect(await rowOf('playbook_run_actions', actionId)).toMatchObject({
      status: 'completed',
      result: { stdout: 'hello' },
      playbook_run_id: runId,
    })
    await expect.poll(() => rowOf('playbook_runs', runId)).toMatchObject({ status: 'completed' })
    const { rows: seen } = await database.query('select last_seen, last_received from agents where id = $1', [agent.id])
    expect(seen).toEqual([{ last_seen: expect.any(Date), last_received: expect.any(Date) }])
  })

  it('changes nothing when it comes again, in one piece or table by table, in whatever order the rows stand', async () => {
    const agent = await makeAgent()
    const { actionId } = await giveAction(agent.id)
    const rows = buildRows([actionId])
    const all = { ...rows, config_items: rows.config_items.toReversed(), components: rows.components.toReversed() }
    expect((await agent.push(all)).status).toBe(200)
    const before = await dump()
    expect((await agent.push(all)).status).toBe(200)
    expect(await createPushBook(agent, rows, 7).reconcile()).toBe(true)
    expect(await dump()).toEqual(before)
  })

  it('keeps what it changed, and what it says is deleted stays deleted until it says otherwise', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    await agent.push(rows)
    const [item, change, check, canary] = (['config_items', 'config_changes', 'checks', 'canaries'] as const).map(
      (kind) => firstOf(rows, kind),
    )
    // Not so long ago that it is cleaned up.
    const deletedAt = new Date(Date.now() - 3_600_000).toISOString()
    const answer = await agent.push({
      config_items: [{ ...item, status: 'Evicted', deleted_at: deletedAt, delete_reason: 'STALE' }],
      config_changes: [{ ...change, count: 9, created_at: deletedAt }],
      checks: [{ ...check, deleted_at: deletedAt }],
      canaries: [{ ...canary, deleted_at: deletedAt }],
    })
    expect(answer.status).toBe(200)
    const time = new Date(deletedAt)
    expect(await rowOf('config_items', item?.id)).toMatchObject({
      status: 'Evicted',
      deleted_at: time,
      delete_reason: 'STALE',
    })
    expect(await rowOf('config_changes', change?.id)).toMatchObject({ count: 9, created_at: time })
    expect(await rowOf('checks', check?.id)).toMatchObject({ deleted_at: time })
    expect(await rowOf('canaries', canary?.id)).toMatchObject({ deleted_at: time })
    await agent.push({ canaries: [canary ?? {}], checks: [check ?? {}] })
    expect(await rowOf('checks', check?.id)).toMatchObject({ deleted_at: null })
  })

  it('changes no definition by saying when a check runs next, and forgets nothing by not saying it', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    await agent.push(rows)
    const pool = new Pool({ connectionString: backend.databaseUrl })
    const push = async (check: AgentRow): Promise<boolean> => {
      const read = readPush(Buffer.from(JSON.stringify({ checks: [check] })))
      if (!read.ok) throw new Error(read.error)
      return (await receivePush(pool, agent.id, read.value, Date.now())).isDefinitionChanged
    }
    const { next_runtime: _first, ...check } = firstOf(rows, 'checks')
    const shown = async () => (await rowOf('checks', check.id))?.['next_runtime']
    const next = new Date('2031-01-01T00:00:00Z')
    try {
      expect(await push({ ...check, next_runtime: next.toISOString() })).toBe(false)
      expect(await shown()).toEqual(next)
      for (const unsaid of [
        {},
        { next_runtime: null },
        { next_runtime: 'soon' },
        { next_runtime: '0001-01-01T00:00:00Z' },
      ]) {
        expect(await push({ ...check, ...unsaid })).toBe(false)
        expect(await shown()).toEqual(next)
      }
      expect(await push({ ...check, description: 'another' })).toBe(true)
    } finally {
      await pool.end()
    }
  })

  it('names the rows whose parents are missing, keeps the others, and takes these once their parents are there', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const [missing, ...here] = rows.config_items.filter((row) => row.parent_id === undefined)
    await agent.push({ config_scrapers: rows.config_scrapers, config_items: here })
    const of = (row: AgentRow): boolean => [row.config_id, row.related_id].includes(missing?.id)
    const orphans = rows.config_changes.filter(of)
    const isHere = (row: AgentRow): boolean =>
      [row.config_id, row.related_id].every((id) => id === undefined || here.some((item) => item.id === id))
    const others = rows.config_changes.filter(isHere)
    expect(orphans.length * others.length).toBeGreaterThan(0)
    const answer = await agent.push({ config_changes: [...orphans, ...others] })
    expect(conflictOf(answer).toSorted()).toEqual(orphans.map(({ id }) => String(id)).toSorted())
    for (const row of others) expect(await rowOf('config_changes', row.id)).toBeDefined()

    const links = rows.config_relationships.filter(
      (row) => of(row) && (isHere({ config_id: row.config_id }) || isHere({ related_id: row.related_id })),
    )
    expect(conflictOf(await agent.push({ config_relationships: links }))).toEqual(
      links.map((row) => `${String(row.related_id)},${String(row.config_id)}${String(row.selector_id)}`),
    )
    expect(await createPushBook(agent, rows, 500).reconcile()).toBe(true)
  })

  it('names a row that no table takes, with the reason in its words, and keeps the others', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    await agent.push({ config_scrapers: rows.config_scrapers })
    const items = rows.config_items.filter((row) => row.parent_id === undefined)
    const odd: AgentRow = { ...items[1], health: 'x', cost_per_minute: 1e30 }
    const answer = await agent.push({
      config_items: [items[0] ?? {}, odd, { ...items[2], id: 'none' }, items[3] ?? {}],
    })
    expect(conflictOf(answer).toSorted()).toEqual([String(odd.id), 'none'].toSorted())
    expect(await rowOf('config_items', items[3]?.id)).toBeDefined()
    const texts = { ...items[1], name: 'a\u0000b', config: '{"a": "\\u0000"}' }
    expect((await agent.push({ config_items: [texts] })).status).toBe(200)
    expect(await rowOf('config_items', items[1]?.id)).toMatchObject({ name: 'ab' })
  })

  it('has its healths in the letters that lists, filters and events know, and so has what came before', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const item: AgentRow = { ...rows.config_items.find((row) => row.parent_id === undefined), health: 'Unhealthy' }
    const component: AgentRow = { ...firstOf(rows, 'components'), health: 'WARNING' }
    const { config_scrapers, topologies } = rows
    const push = () => agent.push({ config_scrapers, topologies, config_items: [item], components: [component] })
    const shown = async () => [
      (await rowOf('config_items', item.id))?.['health'],
      (await rowOf('components', component.id))?.['health'],
    ]
    expect((await push()).status).toBe(200)
    expect(await shown()).toEqual(['unhealthy', 'warning'])
    const changedAt = (await rowOf('config_items', item.id))?.['updated_at']
    expect((await push()).status).toBe(200)
    expect((await rowOf('config_items', item.id))?.['updated_at']).toEqual(changedAt)

    await database.query(`update config_items set health = 'Unhealthy' where id = $1`, [item.id])
    await database.query(`update components set health = 'WARNING' where id = $1`, [component.id])
    // Nobody is told of it: it says the same as before.
    await database.query('begin')
    await database.query(readFileSync(SMALL_LETTERS, 'utf8'))
    const { rows: told } = await database.query('select name from event_queue where created_at = now()')
    await database.query('commit')
    expect([await shown(), told]).toEqual([['unhealthy', 'warning'], []])
  })

  it('with a kind that nobody here keeps is refused with its name, and nothing of it is kept', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const answer = await agent.call('POST', 'push', { topologies: rows.topologies, views: [{ id: randomUUID() }] })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('views')
    expect(await rowOf('topologies', firstOf(rows, 'topologies').id)).toBeUndefined()
  })

  it('leaves credentials of definitions nowhere in the tables', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const secret = `hunter-${randomUUID()}`
    const spec = { kubernetes: [{ password: secret, url: `https://user:${secret}@example.org/` }] }
    const pushed = {
      config_scrapers: [{ ...firstOf(rows, 'config_scrapers'), spec: JSON.stringify(spec) }],
      topologies: [{ ...firstOf(rows, 'topologies'), spec }],
      canaries: [{ ...firstOf(rows, 'canaries'), spec }],
      components: [
        {
          ...firstOf(rows, 'components'),
          componentChecks: [
            { selector: { name: 'api' } },
            { inline: { http: [{ url: 'https://example.org', password: secret }] } },
          ],
        },
      ],
    }
    for (let time = 0; time < 2; time++) expect((await agent.push(pushed)).status).toBe(200)
    expect(await rowOf('config_scrapers', firstOf(rows, 'config_scrapers').id)).toMatchObject({
      spec: { kubernetes: [{ password: '***', url: 'https://***@example.org/' }] },
    })
    expect(await rowOf('components', firstOf(rows, 'components').id)).toMatchObject({
      component_checks: [
        { selector: { name: 'api' } },
        { inline: { http: [{ url: 'https://example.org', password: '***' }] } },
      ],
    })
    expect(JSON.stringify(await dump())).not.toContain(secret)
  })

  it('keeps the error of a result as it was sent, however long, and shows a page of it on the board', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const { canaries } = rows
    const check = firstOf(rows, 'checks')
    const sent = { error: 'e'.repeat(100_000), message: 'm'.repeat(100_000), details: ['d'.repeat(100_000)] }
    const result = { check_id: check.id, time: new Date().toISOString(), duration: 5, status: false, ...sent }
    expect((await agent.push({ canaries, checks: [check], check_statuses: [result] })).status).toBe(200)
    const { rows: kept } = await database.query(
      'select error, message, details from check_statuses where check_id = $1',
      [check.id],
    )
    expect(kept).toEqual([sent])
    await expect.poll(() => shownOf(check.id)).toMatchObject({ last_error: `${'e'.repeat(8_191)}…` })
  })

  it('keeps a check whose description is a book, with its results', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    const { canaries } = rows
    const check: AgentRow = { ...firstOf(rows, 'checks'), description: 'x'.repeat(100_000) }
    const result = { check_id: check.id, time: new Date().toISOString(), duration: 5, status: true }
    expect((await agent.push({ canaries, checks: [check], check_statuses: [result] })).status).toBe(200)
    expect(await rowOf('checks', check.id)).toMatchObject({ description: check.description })
    await expect
      .poll(() => shownOf(check.id))
      .toMatchObject({ status: 'healthy', description: `${'x'.repeat(8_191)}…` })
  })

  it('takes 10,000 rows at once', async () => {
    const agent = await makeAgent()
    const { config_scrapers: scrapers, config_items: items } = buildRows([], 10_000)
    await agent.push({ config_scrapers: scrapers })
    expect((await agent.push({ config_items: items })).status).toBe(200)
    const { rows } = await database.query('select count(*)::integer as count from config_items where agent_id = $1', [
      agent.id,
    ])
    expect(rows).toEqual([{ count: 10_000 }])
  })

  // A heap with room for what two pushes of this size take, not for four, nor for what a few of them would leave behind.
  it(
    'takes nearly 32 MiB of each of eight agents at once, twice, in bounded memory',
    { timeout: 180_000 },
    async () => {
      const small = await startEmbeddedBackend({ heapMiB: HEAP_MIB })
      onTestFinished(() => small.stop())
      const pushes = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const agent = await generateRealAgent(small, `agent-${index}`)
          const { config_scrapers, config_items: items } = buildRows()
          await agent.push({ config_scrapers })
          const config = JSON.stringify({ text: 'x'.repeat(64_000) })
          const large = Array.from({ length: 510 }, (_item, number) => ({
            ...items.find((row) => row.parent_id === undefined),
            id: randomUUID(),
            external_id: [`large/${number}`],
            config,
          }))
          return { agent, body: Buffer.from(JSON.stringify({ config_items: large })) }
        }),
      )
      for (const { body } of pushes) expect(body.length / MEBIBYTE).toBeGreaterThan(31)
      const pid = small.supervisor.pid()
      forgetPeak(pid)
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all(
          pushes.map(async ({ agent, body }) => {
            for (;;) {
              const { status } = await agent.call('POST', 'push', body)
              // On a busy machine the later ones may wait for too long: then an agent sends it again.
              if (status !== 429) return status
            }
          }),
        )
        expect(answers).toEqual(pushes.map(() => 200))
      }
      expect(small.supervisor.pid()).toBe(pid)
      expect(residentMiB(pid, 'peak')).toBeLessThan(PEAK_MIB)
    },
  )
})

describe('POST /push/topology', () => {
  const buildTree = (topologyId: string) => ({
    id: randomUUID(),
    topology_id: topologyId,
    agent_id: NIL_UUID,
    name: 'Laptop',
    namespace: 'desk',
    labels: { tier: '1' },
    status: '',
    created_at: '0001-01-01T00:00:00Z',
    components: [
      {
        name: 'Keyboard',
        type: 'Part',
        status: 'ok',
        config_id: randomUUID(),
        properties: [{ name: 'color', text: 'black' }],
      },
      { name: 'Display', type: 'Part', status: '', components: [{ name: 'Panel', type: 'Part', status: '' }] },
    ],
  })
  const treeOf = async (topologyId: string) => {
    const { rows } = await database.query<Record<string, unknown>>(
      `select stored.name, parent.name as parent, stored.agent_id, stored.config_id, stored.deleted_at is not null as gone
       from components as stored left join components as parent on parent.id = stored.parent_id
       where stored.topology_id = $1 order by stored.name`,
      [topologyId],
    )
    return rows
  }

  it('keeps the tree as the agent’s own, and changes nothing when it comes again', async () => {
    const agent = await makeAgent()
    const id = randomUUID()
    const tree = buildTree(id)
    expect(await agent.call('POST', '/push/topology', tree)).toEqual({
      status: 200,
      text: JSON.stringify({ message: 'success', payload: { id } }),
    })
    const own = { agent_id: agent.id, config_id: null, gone: false }
    const expected = [
      { name: 'Display', parent: 'Laptop', ...own },
      { name: 'Keyboard', parent: 'Laptop', ...own },
      { name: 'Laptop', parent: null, ...own },
      { name: 'Panel', parent: 'Display', ...own },
    ]
    expect(await treeOf(id)).toEqual(expected)
    expect(await rowOf('topologies', id)).toMatchObject({
      name: 'Laptop',
      namespace: 'desk',
      labels: { tier: '1' },
      source: 'Push',
      agent_id: agent.id,
    })
    const before = await dump()
    expect((await agent.call('POST', '/push/topology', tree)).status).toBe(200)
    expect(await dump()).toEqual(before)
    const without = { ...tree, components: tree.components.slice(0, 1) }
    expect((await agent.call('POST', '/push/topology', without)).status).toBe(200)
    expect((await treeOf(id)).filter(({ gone }) => gone).map(({ name }) => name)).toEqual(['Display', 'Panel'])
    expect((await agent.call('POST', '/push/topology', tree)).status).toBe(200)
    expect(await treeOf(id)).toEqual(expected)
  })

  it('touches nobody else’s, and keeps all of a tree or nothing', async () => {
    const [owner, thief] = [await makeAgent(), await makeAgent()]
    const id = randomUUID()
    const tree = buildTree(id)
    expect((await owner.call('POST', '/push/topology', tree)).status).toBe(200)
    const before = await dump()
    expect((await thief.call('POST', '/push/topology', { ...tree, name: 'Stolen' })).status).toBe(409)
    const other = { ...buildTree(randomUUID()), components: [{ ...tree.components[0], id: tree.id }] }
    expect((await thief.call('POST', '/push/topology', other)).status).toBe(409)
    expect(await dump()).toEqual(before)
  })

  it('is refused from people, and where it is no tree', async () => {
    const agent = await makeAgent()
    for (const body of [
      '',
      '{',
      '[]',
      '{}',
      { name: 'x' },
      { ...buildTree(randomUUID()), components: [{ name: '' }] },
    ]) {
      expect((await agent.call('POST', '/push/topology', body)).status).toBe(400)
    }
    const person = await backend.callAsService('/push/topology', { method: 'POST', body: buildTree(randomUUID()) })
    expect(person.status).toBe(403)
  })
})

describe('an agent that means harm', () => {
  it('touches no row of another agent or of people, whatever ids it sends', async () => {
    const [owner, thief] = [await makeAgent(), await makeAgent()]
    const { actionId } = await giveAction(owner.id)
    const rows = buildRows([actionId])
    expect(await createPushBook(owner, rows, 500).reconcile()).toBe(true)
    const before = await dump()
    for (const kind of PUSHED_KINDS) {
      const stolen = rows[kind].map((row) => ({
        ...row,
        agent_id: owner.id,
        name: 'stolen',
        status: kind === 'check_statuses' ? false : 'stolen',
      }))
      expect.soft(conflictOf(await thief.push({ [kind]: stolen })).length, kind).toBe(stolen.length)
      expect.soft((await thief.call('DELETE', 'push', { [kind]: rows[kind] })).status, kind).toBe(200)
    }
    expect(await dump()).toEqual(before)
  })

  it('hangs nothing on rows of another agent or of people', async () => {
    const [owner, thief] = [await makeAgent(), await makeAgent()]
    const [rows, own] = [buildRows(), buildRows()]
    await owner.push(rows)
    await thief.push(own)
    const before = await dump()
    const [item, component, topology, scraper, canary, check] = (
      ['config_items', 'components', 'topologies', 'config_scrapers', 'canaries', 'checks'] as const
    ).map((kind) => firstOf(rows, kind).id)
    const id = randomUUID()
    const attempts: [PushedKind, AgentRow][] = [
      ['config_items', { ...firstOf(own, 'config_items'), id, parent_id: item }],
      ['config_items', { ...firstOf(own, 'config_items'), scraper_id: scraper }],
      ['components', { ...firstOf(own, 'components'), id, parent_id: component }],
      ['components', { ...firstOf(own, 'components'), id, topology_id: topology }],
      ['components', { ...firstOf(own, 'components'), id, config_id: item }],
      ['component_relationships', { component_id: firstOf(own, 'components').id, relationship_id: component }],
      ['config_changes', { ...firstOf(own, 'config_changes'), config_id: item }],
      ['config_analysis', { ...firstOf(own, 'config_analysis'), id, config_id: item }],
      [
        'config_relationships',
        { config_id: item, related_id: firstOf(own, 'config_items').id, relation: 'x', selector_id: '' },
      ],
      ['config_component_relationships', { component_id: component, config_id: firstOf(own, 'config_items').id }],
      ['checks', { ...firstOf(own, 'checks'), canary_id: canary }],
      ['check_statuses', { ...firstOf(own, 'check_statuses'), check_id: check }],
      ['artifacts', { ...firstOf(own, 'artifacts'), id, check_id: check }],
      ['artifacts', { ...firstOf(own, 'artifacts'), id, check_id: NIL_UUID }],
    ]
    for (const [kind, row] of attempts)
      expect.soft(conflictOf(await thief.push({ [kind]: [row] })), kind).toHaveLength(1)
    expect(await dump()).toEqual(before)
  })

  it('forges no run of what is not its own, and has none forgotten', async () => {
    const thief = await makeAgent()
    const idOf = async (statement: string): Promise<string> =>
      (await database.query<{ id: string }>(`${statement} returning id`, [randomUUID()])).rows[0]?.id ?? ''
    const scraper = await idOf(`insert into config_scrapers (name, spec, source) values ($1, '{}', 'UI')`)
    const topology = await idOf(`insert into topologies (name, namespace, spec, source) values ($1, 'x', '{}', 'UI')`)
    const canary = await idOf(`insert into canaries (name, namespace, spec, source) values ($1, 'x', '{}', 'UI')`)
    const team = await idOf(`insert into teams (name, created_by) select $1, id from people limit 1`)
    const run: JobRun = {
      name: 'Read',
      resourceType: 'config_scraper',
      resourceId: scraper,
      hostname: 'here',
      startedAt: Date.now(),
    }
    const outcome = { successes: 1, errors: [], durationMs: 1, endedAt: Date.now() }
    const written = { id: null, run, outcome, retention: { successes: 1, failures: 1 } }
    await writeOutcome(database, written)
    const resources = { config_scraper: scraper, topology, canary, team }
    const forged = Object.entries(resources).flatMap(([type, id]) =>
      ['SUCCESS', 'FAILED'].map((status) => ({
        ...firstOf(buildRows(), 'job_history'),
        id: randomUUID(),
        name: 'Read',
        resource_type: type,
        resource_id: id,
        status,
        details: { errors: ['forged'] },
        time_start: '2999-01-01T00:00:00Z',
        created_at: '2999-01-01T00:00:00Z',
      })),
    )
    await thief.push({ job_history: forged })
    await writeOutcome(database, written)
    const { rows: own } = await database.query(
      `select status from job_history where resource_id = $1 and name = 'Read' and agent_id = '${NIL_UUID}'`,
      [scraper],
    )
    expect(own).toEqual([{ status: 'SUCCESS' }])
    for (const [view, id] of [
      ['config_scrapers_with_status', scraper],
      ['topologies_with_status', topology],
      ['canaries_with_status', canary],
      ['teams_with_status', team],
    ] as const) {
      const row = await rowOf(view, id)
      expect.soft(row, view).toBeDefined()
      expect.soft(JSON.stringify(row), view).not.toMatch(/forged|2999/)
    }
    const { rows: latest } = await database.query(
      'select agent_id from job_history_latest_status where resource_id = $1',
      [scraper],
    )
    expect(latest).toEqual([{ agent_id: NIL_UUID }])
  })

  it('makes of a step only what may become of it, and refuses words that nobody knows', async () => {
    const agent = await makeAgent()
    const { actionId } = await giveAction(agent.id)
    const say = async (status: string): Promise<unknown> => {
      const row = {
        ...firstOf(buildRows([actionId]), 'playbook_actions'),
        status,
        start_time: new Date().toISOString(),
      }
      const { text } = await agent.push({ playbook_actions: [row] })
      return [(await rowOf('playbook_run_actions', actionId))?.status, text.includes('status: ')]
    }
    expect(await say('nonsense')).toEqual(['waiting', true])
    // Another attempt is another row, and how long a step rests is decided here.
    for (const status of ['scheduled', 'sleeping']) expect(await say(status)).toEqual(['waiting', false])
    expect(await say('running')).toEqual(['running', false])
    expect(await say('waiting')).toEqual(['running', false])
    for (const status of ['completed', 'running', 'skipped', 'failed', 'cancelled']) {
      expect(await say(status)).toEqual(['completed', false])
    }
  })

  it('cannot change or delete what people assigned to it', async () => {
    const agent = await makeAgent()
    const { rows } = await database.query<{ id: string }>(
      `insert into canaries (agent_id, name, namespace, spec, source) values ($1, 'assigned', 'x', '{"http": []}', 'UI') returning id`,
      [agent.id],
    )
    const id = rows[0]?.id ?? ''
    // What it was given it sends back, as it does with all of its table.
    expect(
      (await agent.push({ canaries: [{ ...firstOf(buildRows(), 'canaries'), id, source: 'UI', name: 'mine' }] }))
        .status,
    ).toBe(200)
    expect((await agent.call('DELETE', 'push', { canaries: [{ id }] })).status).toBe(200)
    expect(await rowOf('canaries', id)).toMatchObject({ name: 'assigned', source: 'UI', spec: { http: [] } })
  })
})

describe('DELETE /upstream/push', () => {
  it('deletes rows of all kinds for good, children before what they hang on', async () => {
    const agent = await makeAgent()
    const { actionId } = await giveAction(agent.id)
    const before = await dump()
    const rows = buildRows([actionId])
    expect(await createPushBook(agent, rows, 500).reconcile()).toBe(true)
    const { playbook_actions: _actions, ...deleted } = rows
    expect((await agent.call('DELETE', 'push', deleted)).status).toBe(200)
    expect({ ...(await dump()), playbook_run_actions: [] }).toEqual({ ...before, playbook_run_actions: [] })
  })

  it('leaves steps that people gave it, with their output and files, where they are', async () => {
    const agent = await makeAgent()
    const { actionId } = await giveAction(agent.id)
    const file = {
      id: randomUUID(),
      playbook_run_action_id: actionId,
      path: '/a',
      filename: 'a.txt',
      size: 4,
      checksum: '',
    }
    const contentOf = async (): Promise<unknown> =>
      (
        await database.query<{ content: Buffer }>(
          'select content from watchroom_internal.artifact_contents where artifact_id = $1',
          [file.id],
        )
      ).rows[0]?.content.toString()
    const upload = async (content: string): Promise<number> =>
      (await agent.call('POST', `artifacts/${file.id}`, Buffer.from(content))).status
    expect((await agent.push({ artifacts: [file] })).status).toBe(200)
    expect([await upload('half'), await upload('done'), await contentOf()]).toEqual([200, 200, 'done'])
    const remove = async (): Promise<unknown> => {
      const answer = await agent.call('DELETE', 'push', { playbook_actions: [{ id: actionId }], artifacts: [file] })
      return { status: answer.status, ...(JSON.parse(answer.text) as object) }
    }
    expect((await agent.push(buildRows([actionId]))).status).toBe(200)
    expect(await remove()).toEqual({ status: 200, message: 'ok', deleted: 0 })
    // A repetition whose answer was lost is answered as before; what came first stays.
    expect((await agent.push({ artifacts: [{ ...file, filename: 'other.txt' }] })).status).toBe(200)
    expect([await upload('forged'), await contentOf()]).toEqual([200, 'done'])
    expect(await rowOf('playbook_run_actions', actionId)).toMatchObject({ status: 'completed' })
    expect(await rowOf('artifacts', file.id)).toMatchObject({ filename: 'a.txt' })
  })

  it('is refused with 500, and deletes nothing, while something else refers to a row', async () => {
    const agent = await makeAgent()
    const rows = buildRows()
    await agent.push(rows)
    const answer = await agent.call('DELETE', 'push', {
      config_scrapers: rows.config_scrapers,
      job_history: rows.job_history,
    })
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.text)).toMatchObject({ message: 'failed to delete items' })
    expect(await rowOf('job_history', firstOf(rows, 'job_history').id)).toBeDefined()
  })
})

describe('what an agent fetches', () => {
  it('are canaries and scrapers that people assigned to it, as its product has them, and again when they were edited', async () => {
    const agent = await makeAgent()
    await agent.push({ config_scrapers: buildRows().config_scrapers })
    const { rows } = await database.query<{ id: string }>(
      `insert into config_scrapers (agent_id, name, spec, source) values ($1, 'assigned', '{"file": [], "password": "open sesame"}', 'UI') returning id`,
      [agent.id],
    )
    const pull = async (
      since: string,
    ): Promise<{ id: string; spec: string; updated_at: string | null; created_at: string }[]> => {
      const answer = await agent.call('GET', `scrapeconfig/pull?since=${encodeURIComponent(since)}`)
      expect(answer.status).toBe(200)
      return JSON.parse(answer.text) as { id: string; spec: string; updated_at: string | null; created_at: string }[]
    }
    const [scraper, ...none] = await pull('0001-01-01T00:00:00Z')
    expect(none).toEqual([])
    expect(scraper).toMatchObject({ id: rows[0]?.id, agent_id: agent.id, name: 'assigned', source: 'UI' })
    expect(JSON.parse(scraper?.spec ?? '')).toEqual({ file: [], password: 'open sesame' })
    const since = scraper?.updated_at ?? scraper?.created_at ?? ''
    expect(await pull(since)).toEqual([])
    await database.query(`update config_scrapers set name = 'edited' where id = $1`, [rows[0]?.id])
    expect(await pull(since)).toMatchObject([{ name: 'edited' }])
    const canaries = await agent.call('GET', 'canary/pull?since=0001-01-01T00:00:00Z')
    expect(JSON.parse(canaries.text)).toEqual({ before: expect.any(String), canaries: [] })
  })

  it('is nothing to do, and it hears so at the latest when the product stops', async () => {
    const other = await startEmbeddedBackend()
    const agent = await generateRealAgent(other, 'poller')
    let answer: RealAgentAnswer | null = null
    const polled = agent.call('GET', 'playbook-action').then((given) => (answer = given))
    await expect.poll(async () => (await agent.call('GET', 'ping')).status).toBe(200)
    expect(answer).toBeNull()
    const startedAt = performance.now()
    await other.stop()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect((await polled).status).toBe(200)
    expect(JSON.parse((await polled).text)).toEqual({ run: {}, action_spec: {}, action: {}, template_env: {} })
  })
})

describe('a file of an artifact', () => {
  it('is kept byte by byte, for an artifact of this agent alone', async () => {
    const [agent, other] = [await makeAgent(), await makeAgent()]
    const rows = buildRows()
    await agent.push(rows)
    const { id } = firstOf(rows, 'artifacts')
    const bytes = Buffer.from([0, 255, 123, 34, 10])
    expect(await agent.call('POST', `artifacts/${String(id)}`, bytes)).toEqual({
      status: 200,
      text: '{"message":"ok"}',
    })
    expect((await other.call('POST', `artifacts/${String(id)}`, 'stolen')).status).toBe(404)
    expect((await agent.call('POST', `artifacts/${randomUUID()}`, bytes)).status).toBe(404)
    const { rows: kept } = await database.query(
      'select content, is_data_pushed from watchroom_internal.artifact_contents join artifacts on id = artifact_id where id = $1',
      [id],
    )
    expect(kept).toEqual([{ content: bytes, is_data_pushed: true }])
    // Pushed again, its row does not say that the file is missing.
    await agent.push({ artifacts: rows.artifacts })
    expect(await rowOf('artifacts', id)).toMatchObject({ is_data_pushed: true })
  })
})
