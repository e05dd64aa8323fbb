import { randomUUID } from 'node:crypto'

import type { WhatChanged } from '@watchroom/shared/catalog'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findWhatChanged } from '../../../../../gateway/src/embedded-backend/catalog/read/whatChanged.ts'
import { type CatalogRows, createCatalogRows } from '../../../../support/catalogRows.ts'
import { startEmbeddedBackend, type TestBackend } from '../../../../support/embeddedBackend.ts'

const AT = Date.parse('2026-05-04T12:00:00Z')
const minutes = (count: number): string => new Date(AT + count * 60_000).toISOString()

let backend: TestBackend
let pool: Pool
let rows: CatalogRows
const ids = { check: randomUUID(), component: randomUUID(), incident: randomUUID(), agent: randomUUID() }
let shop: string

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  pool = new Pool({ connectionString: backend.databaseUrl, max: 2 })
  rows = createCatalogRows(pool)
  await seed()
})
afterAll(async () => {
  await pool?.end()
  await backend?.stop()
})

/** A shop on a node; the node changed for the worse, other things changed as well. */
async function seed(): Promise<void> {
  const node = await rows.item('node')
  shop = await rows.item('shop', { parent_id: node })
  const redis = await rows.item('redis')
  await rows.relate(shop, redis)
  const stranger = await rows.item('stranger')
  await rows.change(node, { summary: 'kernel updated', created_at: minutes(-3), severity: 'high' })
  await rows.change(shop, { summary: 'scaled', created_at: minutes(-200) })
  await rows.change(redis, { summary: 'restarted', created_at: minutes(-90) })
  await rows.change(stranger, { summary: 'renamed', created_at: minutes(-1) })
  await rows.change(shop, { summary: 'ancient', created_at: minutes(-3_000) })
  await rows.change(shop, { summary: 'much later', created_at: minutes(30) })
  const { agent, check, component, incident } = ids
  await pool.query(
    `insert into agents (id, name, created_at, last_seen) values ('${agent}', 'north', '2026-01-01', '${minutes(-2)}')`,
  )
  await pool.query(`
    with canary as (insert into canaries (name, namespace, spec) values ('shop', 'test', '{}') returning id),
      watched as (
        insert into checks (id, canary_id, type, name, agent_id, last_transition_time)
        select '${check}', id, 'http', 'shop', '${agent}', '${minutes(0)}' from canary)
    insert into check_config_relationships (config_id, check_id, canary_id) select '${shop}', '${check}', id from canary`)
  await pool.query(`
    insert into components (id, external_id, name, status) values ('${component}', 'shop', 'shop', 'unhealthy');
    insert into config_component_relationships (component_id, config_id) values ('${component}', '${shop}')`)
  await pool.query(`
    with person as (insert into people (name) values ('Ada') returning id),
      made as (
        insert into incidents (id, title, description, type, severity, status, created_by, created_at)
        select '${incident}', 'Down', '', 'availability', 'low', 'open', id, '${minutes(0)}' from person returning created_by),
      why as (
        insert into hypotheses (incident_id, title, type, status, created_by)
        select '${incident}', 'Why', 'root', 'possible', created_by from made returning id, created_by),
      evidence as (
        insert into evidences (hypothesis_id, type, description, check_id, created_by)
        select id, 'check', '', '${check}', created_by from why),
      playbook as (insert into playbooks (name, title, spec) values ('restart', 'Restart', '{}') returning id)
    insert into playbook_runs (playbook_id, status, check_id, start_time)
    select id, 'completed', '${check}', '${minutes(-30)}' from playbook`)
}

async function ask(body: object): Promise<{ status: number; found: WhatChanged }> {
  const answer = await backend.callAsService('/catalog/what-changed', { method: 'POST', body })
  return { status: answer.status, found: answer.json() as WhatChanged }
}

const titles = ({ suspects }: WhatChanged): string[] => suspects.map(({ subject, title }) => `${subject}: ${title}`)

describe('POST /catalog/what-changed', () => {
  it('puts the bad change of a related item first, from a check that failed, with its own moment', async () => {
    const { found } = await ask({ start: 'check', id: ids.check })
    expect(found.at).toBe(minutes(0))
    expect(titles(found).slice(0, 3)).toEqual(['north: fell silent', 'node: kernel updated', 'Restart: run completed'])
    expect(found.suspects[1]).toMatchObject({ kind: 'change', distance: 1, severity: 'high' })
    expect(titles(found)).not.toContain('shop: ancient')
    expect(titles(found)).not.toContain('shop: much later')
    expect(found.suspects.find(({ subject }) => subject === 'stranger')).toMatchObject({ distance: null })
  })

  it.each([
    ['an incident, by its evidence', () => ({ start: 'incident', id: ids.incident })],
    ['a component at a moment', () => ({ start: 'component', id: ids.component, at: minutes(0) })],
    ['a config item at a moment', () => ({ start: 'config', id: shop, at: minutes(0) })],
  ])('starts from %s', async (_name, body) => {
    const { found } = await ask(body())
    expect(found.at).toBe(minutes(0))
    expect(titles(found).filter((title) => title !== 'north: fell silent' && !title.startsWith('Restart'))).toEqual([
      'node: kernel updated',
      'stranger: renamed',
      'redis: restarted',
      'shop: scaled',
    ])
  })

  it('starts from an instant: time and severity alone decide', async () => {
    const { found } = await ask({ start: 'instant', at: minutes(0) })
    expect(titles(found).slice(0, 3)).toEqual(['node: kernel updated', 'stranger: renamed', 'north: fell silent'])
    expect(found.suspects.every(({ distance }) => distance === null)).toBe(true)
  })

  it('refuses a start without an id, a moment that is none, and says what is not there', async () => {
    expect((await ask({ start: 'check' })).status).toBe(400)
    expect((await ask({ start: 'check', id: 'x' })).status).toBe(400)
    expect((await ask({ start: 'instant', at: 'yesterday' })).status).toBe(400)
    expect((await ask({ start: 'planet', id: ids.check })).status).toBe(400)
    expect((await ask({ start: 'config', id: randomUUID() })).status).toBe(404)
  })

  it('is for those who are signed in', async () => {
    const body = { start: 'check', id: ids.check }
    expect((await backend.call('/catalog/what-changed', { method: 'POST', body })).status).toBe(401)
    const { email, password } = await backend.createPerson('viewer')
    const headers = await backend.signIn(email, password)
    const answer = await backend.call('/catalog/what-changed', { method: 'POST', body, headers })
    expect(titles(answer.json() as WhatChanged)).toContain('node: kernel updated')
  })

  it('leaves out runs and agents for those who may not read them', async () => {
    const request = { start: 'check', id: ids.check } as const
    const found = await findWhatChanged(pool, request, { now: AT, rights: { runs: false, agents: false } })
    expect(new Set(found?.suspects.map(({ kind }) => kind))).toEqual(new Set(['change']))
  })

  it('finds the run on the item among hundreds on others', async () => {
    const [busy, other] = await rows.items(2, (index) => ({ name: `of a busy day ${index}` }))
    await pool.query(
      `with playbook as (insert into playbooks (name, title, spec) values ('tidy', 'Tidy', '{}') returning id)
       insert into playbook_runs (playbook_id, status, config_id, start_time)
       select id, 'completed', $1::uuid, $3::timestamptz - interval '18 hours' from playbook
       union all select id, 'completed', $2::uuid, $3::timestamptz - n * interval '10 minutes'
         from playbook, generate_series(1, 140) as n`,
      [busy, other, minutes(0)],
    )
    const { found } = await ask({ start: 'config', id: busy, at: minutes(0) })
    expect(found.suspects).toContainEqual(expect.objectContaining({ kind: 'run', config_id: busy, distance: 0 }))
  })

  it('ends in a ring, and reads no more than a bounded part of ten thousand relatives', async () => {
    const hub = await rows.item('hub')
    const spokes = await rows.items(6_000, (index) => ({ name: `spoke ${index}` }))
    await pool.query(
      `insert into config_relationships (config_id, related_id, relation)
       select $1, spoke, 'uses' from unnest($2::uuid[]) as spoke union all select spoke, $1, 'uses' from unnest($2::uuid[]) as spoke`,
      [hub, spokes],
    )
    const { rows: near } = await pool.query<{ total: number; far: number }>(
      `select count(*)::integer as total, max(distance) as far from watchroom_internal.near_configs(array[$1::uuid], 3, 5000)`,
      [hub],
    )
    expect(near).toEqual([{ total: 5_000, far: 1 }])
  })
})
