// Databases of earlier releases: rows that were written before the newest migrations, also odd ones, and what becomes of them.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows as r } from '#support/consoleRows.ts'
import { startEmptyTestDatabase, type TestDatabase, TEST_SECRET_KEY } from '#support/database.ts'
import { insertRow } from '#support/insertRow.ts'

import { seedTopology } from '../../../../gateway/src/embedded-backend/demo/seedTopologies.ts'
import { migrate } from '../../../../gateway/src/embedded-backend/schema/migrate.ts'

const logger = pino({ level: 'silent' })
const source = fileURLToPath(new URL('../../../../gateway/src/embedded-backend/schema/migrations', import.meta.url))
const newer = readdirSync(source).filter((name) => name.endsWith('.sql') && name >= '0180')

let database: TestDatabase
let pool: Pool
let directory: string
let applied: string[]
let provided: string
const steps: string[] = []
const hooks: string[] = []

const RESULTS: readonly unknown[] = [
  { args: ['bash', '-c', 'curl -H "token: hunter2"'], stdout: 'ok' },
  { stdout: 'ok' },
  ['args', 'kept'],
  [],
  'printed',
  7,
  null,
]
const HOOK = { on: { webhook: { path: 'deploy' } }, actions: [] }
/** Approvers of what executes. */
const LISTED = ['said@corp.test', 'proved@corp.test', 'admin@corp.test']
/** Topologies of the product's own. */
const BROUGHT = [
  ['untouched', '01980000-0000-7000-8000-000000000011'],
  ['edited', '01980000-0000-7000-8000-000000000012'],
] as const

beforeAll(async () => {
  database = await startEmptyTestDatabase()
  ;({ pool } = database)
  directory = mkdtempSync(join(tmpdir(), 'wr-upgrade-'))
  for (const name of readdirSync(source)) if (name < '0180') cpSync(join(source, name), join(directory, name))
  await migrate(pool, { logger, migrationsDirectory: directory, secretKey: TEST_SECRET_KEY })
  await insertConsoleRows(pool)
  for (const [nth, result] of RESULTS.entries())
    steps.push(
      await insertRow(pool, 'playbook_run_actions', {
        name: `step ${nth}`,
        status: 'completed',
        playbook_run_id: r.run,
        result,
      }),
    )
  for (const name of ['first', 'second'])
    hooks.push(await insertRow(pool, 'playbooks', { name, title: name, spec: HOOK, created_by: r.ada }))
  provided = await insertRow(pool, 'watchroom_identity.identities', {
    traits: { email: 'dora@corp.test', name: { first: 'Dora', last: 'Ops' } },
    external_id: 'https://id.test dora',
  })
  const spec = { approval: { approvers: { people: [...LISTED, 'nobody@corp.test'] } }, actions: [{ exec: {} }] }
  await insertRow(pool, 'playbooks', { name: 'guarded', title: 'Guarded', spec, created_by: r.ada })
  for (const email of [...LISTED, 'Other@corp.test']) {
    const id = await insertRow(pool, 'watchroom_identity.identities', {
      traits: { email: email.toUpperCase(), name: { first: 'A', last: 'B' } },
      ...(email === 'proved@corp.test' ? { email_verified_at: '2026-01-01T00:00:00Z' } : {}),
    })
    await pool.query(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, $2)`, [
      id,
      email === 'admin@corp.test' ? 'admin' : 'editor',
    ])
  }
  await pool.query(`update components set component_checks = $2 where id = $1`, [
    r.childComponent,
    JSON.stringify([{ inline: { http: [{ url: 'https://u:in-the-open@h.invalid', password: 'in-the-open' }] } }]),
  ])
  await pool.query(
    `insert into watchroom_internal.synced_components (component_id, hash, hidden) values ($1, 'a', false), ($2, 'b', false)`,
    [r.component, r.childComponent],
  )
  await pool.query(`update components set status_expr = 'summary.status' where id = $1`, [r.childComponent])
  await insertRow(pool, 'check_component_relationships', {
    component_id: r.component,
    check_id: r.check,
    canary_id: r.canary,
    selector_id: 'manual',
  })
  await insertRow(pool, 'job_history', {
    name: 'Forged',
    agent_id: r.agent,
    resource_type: 'topology',
    resource_id: r.topology,
    status: 'FAILED',
    created_at: '2099-01-01T00:00:00Z',
    time_start: '2099-01-01T00:00:00Z',
  })
  await pool.query(
    `insert into notification_silences (canary_id, "from", until) values ($1, '2020-01-01', '2099-01-01')`,
    [r.canary],
  )
  await insertRow(pool, 'config_analysis', {
    config_id: r.pod,
    analyzer: 'odd',
    analysis_type: 'other',
    severity: 'dreadful',
    status: 'open',
    message: '',
  })
  for (const [name, id] of BROUGHT)
    await insertRow(pool, 'topologies', { id, name, namespace: 'self', spec: { text: 'as it came' }, source: 'UI' })
  await pool.query(`update topologies set spec = '{"text": "mine"}' where name = 'edited'`)
  await insertRow(pool, 'properties', { name: 'identity.registration', value: 'open' })
  // Written by hand, or by servers that ask for less.
  await pool.query(`update notifications set custom_services = '{"connection": "chat"}' where id = $1`, [
    r.notification,
  ])
  await pool.query(`update notifications set custom_services = '["mail", null, {"connection": 5}]' where id = $1`, [
    r.teamNotification,
  ])
  await pool.query(`update teams set spec = '{"notifications": "none"}' where id = $1`, [r.team])
  await pool.query(`update connections set properties = '["a"]' where id = $1`, [r.connection])
  applied = await migrate(pool, { logger, secretKey: TEST_SECRET_KEY })
})
afterAll(async () => {
  await database?.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function one(text: string, values: unknown[] = []): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<Record<string, unknown>>(text, values)
  expect(rows, text).toHaveLength(1)
  return rows[0] ?? {}
}

describe('an upgrade of a database with rows', () => {
  it('applies each of the newest migrations', () => {
    expect(applied).toEqual(newer)
  })

  it('leaves every view readable', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`,
    )
    expect(rows.length).toBeGreaterThan(40)
    for (const { name } of rows) await pool.query(`select * from ${name}`)
  })

  it('takes what was told of scripts out of results, and nothing else', async () => {
    const { rows } = await pool.query<{ id: string; result: unknown }>(
      'select id, result from playbook_run_actions where id = any ($1)',
      [steps],
    )
    const left = new Map(rows.map(({ id, result }) => [id, result]))
    const expected = [{ stdout: 'ok' }, { stdout: 'ok' }, ['kept'], [], 'printed', 7, null]
    expect(steps.map((id) => left.get(id))).toEqual(expected)
  })

  it('hides the credentials of checks that are written out in components', async () => {
    const { component_checks: checks } = await one('select component_checks from components where id = $1', [
      r.childComponent,
    ])
    expect(JSON.stringify(checks)).not.toContain('in-the-open')
    expect(checks).toMatchObject([{ inline: { http: [{ password: '***' }] } }])
  })

  it('knows whom a provider brought, and what the others sign in with', async () => {
    const shown = 'select metadata_public from identities where id = $1'
    expect(await one(shown, [provided])).toMatchObject({
      metadata_public: { provider_decides: 'profile', is_invited: false },
    })
    expect(await one(shown, [r.bob])).toMatchObject({
      metadata_public: { provider_decides: 'nothing', is_invited: true },
    })
  })

  it('asks for a proof of addresses that approve what executes, except of administrators', async () => {
    expect(
      await one(`select traits ->> 'email' as email from watchroom_identity.identities where is_address_claimed`),
    ).toEqual({ email: 'SAID@CORP.TEST' })
  })

  it('keeps what is set of who may come in, and takes it from editors', async () => {
    expect(await one(`select value from properties where name = 'identity.registration'`)).toEqual({ value: 'open' })
    const client = await pool.connect()
    try {
      await client.query('begin; set local role watchroom_editor')
      await expect(
        client.query(`update properties set value = 'off' where name = 'identity.registration'`),
      ).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('believes no agent the history of jobs that run here', async () => {
    expect(
      await one('select job_name, job_status, job_last_failed from topologies_with_status where id = $1', [r.topology]),
    ).toEqual({
      job_name: 'SyncTopology',
      job_status: 'SUCCESS',
      job_last_failed: null,
    })
    expect(await one(`select resource_name from job_histories where resource_type = 'team'`)).toEqual({
      resource_name: 'Platform',
    })
  })

  it('counts a check once that two selectors link, and shows what a silence holds back', async () => {
    expect(await one('select id from checks_by_component where component_id = $1', [r.component])).toEqual({
      id: r.check,
    })
    const { rows } = await pool.query<{ resource_id: string }>('select resource_id from silenced_resources')
    expect(rows.map(({ resource_id: id }) => id).toSorted()).toEqual(
      [r.canary, r.check, r.agedCheck, r.idleCheck].toSorted(),
    )
  })

  it('ranks no severity that is none', async () => {
    const { rows } = await pool.query(
      `select severity, severity_rank(config_analysis_items) as rank from config_analysis_items order by severity`,
    )
    expect(rows).toEqual([
      { severity: 'dreadful', rank: null },
      { severity: 'medium', rank: 4 },
    ])
  })

  it('has the next sync write what it said of a status, and only that', async () => {
    const { rows } = await pool.query(
      'select component_id, hash, status from watchroom_internal.synced_components order by component_id',
    )
    expect(rows).toEqual([
      { component_id: r.component, hash: '', status: null },
      { component_id: r.childComponent, hash: 'b', status: null },
    ])
  })

  it('lets playbooks that share a path go on, and no third one join them', async () => {
    for (const id of hooks)
      await pool.query(`update playbooks set title = 'renamed', spec = spec || '{"description": "d"}' where id = $1`, [
        id,
      ])
    await expect(insertRow(pool, 'playbooks', { name: 'third', title: 'third', spec: HOOK })).rejects.toThrow('deploy')
    await pool.query(`update playbooks set spec = jsonb_set(spec, '{on,webhook,path}', '"other"') where id = $1`, [
      hooks[1],
    ])
    await expect(
      pool.query(`update playbooks set spec = jsonb_set(spec, '{on,webhook,path}', '"deploy"') where id = $1`, [
        hooks[1],
      ]),
    ).rejects.toThrow('deploy')
  })

  it('notes who changes an agent that was there before', async () => {
    await pool.query(`update agents set name = 'edge-2' where id = $1`, [r.agent])
    expect(await one(`select version ->> 'name' as name from settings_history where table_name = 'agents'`)).toEqual({
      name: 'edge-2',
    })
  })

  it('has topologies that the product brought follow it where nobody edited them', async () => {
    for (const [name, id] of BROUGHT)
      await seedTopology(pool, { id, name, namespace: 'self', spec: { text: 'as it comes now' } })
    const { rows } = await pool.query<{ name: string; text: string }>(
      `select name, spec ->> 'text' as text from topologies where id = any($1) order by id`,
      [BROUGHT.map(([, id]) => id)],
    )
    expect(rows).toEqual([
      { name: 'untouched', text: 'as it comes now' },
      { name: 'edited', text: 'mine' },
    ])
  })

  it('is over after one start', async () => {
    expect(await migrate(pool, { logger, secretKey: TEST_SECRET_KEY })).toEqual([])
  })
})
