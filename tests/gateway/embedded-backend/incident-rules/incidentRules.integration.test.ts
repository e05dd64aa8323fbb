import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { insertRow } from '#support/insertRow.ts'

import { createIncidentRules } from '../../../../gateway/src/embedded-backend/incident-rules/createIncidentRules.ts'
import { openIncidents } from '../../../../gateway/src/embedded-backend/incident-rules/openIncidents.ts'
import { ownAllComponents } from '../../../../gateway/src/embedded-backend/incident-rules/ownComponents.ts'
import {
  createEventConsumer,
  type EventConsumer,
} from '../../../../gateway/src/embedded-backend/jobs/createEventConsumer.ts'
import type { Job } from '../../../../gateway/src/embedded-backend/jobs/job.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { inTransaction } from '../../../../gateway/src/platform/database/inTransaction.ts'

const logger = pino({ level: 'silent' })

let database: TestDatabase
let consumer: EventConsumer
let author: string
let jobs: readonly Job[]

const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<string> =>
  insertRow(database.pool, table, row)

const addComponent = (name: string, more: Record<string, unknown> = {}): Promise<string> =>
  insert('components', { name, external_id: name, status: 'ok', health: 'healthy', type: 'Service', ...more })
const addRule = (name: string, spec: unknown): Promise<string> =>
  insert('incident_rules', { name, spec, created_by: author })
const turn = (id: string, health: string): Promise<unknown> =>
  database.pool.query('update components set health = $2 where id = $1', [id, health])

interface Incident {
  readonly id: string
  readonly rule: string
  readonly title: string
  readonly severity: string
  readonly component: string
}

async function incidents(): Promise<Incident[]> {
  const { rows } = await database.pool.query<Incident>(
    `select incidents.id, incident_rules.name as rule, incidents.title, incidents.severity, components.name as component
     from incidents
     join incident_rules on incident_rules.id = incident_rule_id
     join hypotheses on hypotheses.incident_id = incidents.id and hypotheses.type = 'root'
     join evidences on evidences.hypothesis_id = hypotheses.id and evidences.type = 'topology'
     join components on components.id = evidences.component_id
     order by incidents.created_at, incident_rules.name`,
  )
  return rows
}

async function untilQuiet(): Promise<void> {
  await expect.poll(async () => (await database.pool.query('select from event_queue')).rowCount).toBe(0)
}

beforeAll(async () => {
  database = await startTestDatabase()
  const { pool, channels } = database
  author = await insert('people', { name: 'Ada', email: 'ada@example.org' })
  const rules = createIncidentRules({ pool, clock: systemClock, logger })
  jobs = rules.jobs
  consumer = createEventConsumer({
    pool,
    channels,
    clock: systemClock,
    logger,
    handlers: rules.eventHandlers,
    couriers: new Map(),
  })
  consumer.start()
})
afterAll(async () => {
  await consumer?.close()
  await database?.stop()
})
afterEach(async () => {
  await untilQuiet()
  await database.pool.query(
    `delete from responders; delete from evidences; delete from hypotheses; delete from incident_histories; delete from incidents;
     delete from incident_rules; delete from team_components; delete from teams; delete from components; delete from job_history`,
  )
})

describe('rules for incidents', () => {
  it('open an incident when a component becomes unhealthy, once while that one is open, and again after it is resolved', async () => {
    const shop = await addComponent('shop', { status_reason: 'no answer' })
    const other = await addComponent('other')
    await addRule('shops', {
      components: [{ name: 'sho*' }],
      template: { title: 'Shop is down', severity: 'critical' },
    })
    await turn(other, 'unhealthy')
    await turn(shop, 'unhealthy')
    await expect
      .poll(incidents)
      .toMatchObject([{ rule: 'shops', title: 'Shop is down', severity: 'critical', component: 'shop' }])
    await turn(shop, 'warning')
    await turn(shop, 'unhealthy')
    await untilQuiet()
    const [first, ...more] = await incidents()
    expect(more).toEqual([])
    await database.pool.query(`update incidents set status = 'resolved' where id = $1`, [first?.id])
    await turn(shop, 'healthy')
    await turn(shop, 'unhealthy')
    await expect.poll(async () => (await incidents()).length).toBe(2)
    const { rows } = await database.pool.query(
      'select description, type, status, commander_id, communicator_id from incidents order by created_at',
    )
    expect(rows[1]).toEqual({
      description: 'no answer',
      type: 'availability',
      status: 'open',
      commander_id: author,
      communicator_id: author,
    })
  })

  it('open one incident, however often and by how many at once they are asked', async () => {
    const shop = await addComponent('shop')
    await addRule('all', { components: [{ types: ['Service'] }] })
    const asked = Array.from({ length: 5 }, () =>
      openIncidents(database.pool, { componentId: shop, health: 'unhealthy' }),
    )
    const opened = await Promise.all(asked)
    expect(opened.flat()).toHaveLength(1)
    expect(await incidents()).toMatchObject([{ title: 'shop is unhealthy', component: 'shop' }])
  })

  it('count the health that they name, mean no component that they do not select, and end at the one that says so', async () => {
    const shop = await addComponent('shop', { labels: { tier: 'gold' } })
    await addRule('a warned', {
      components: [{ labelSelector: 'tier=gold' }],
      filter: { status: ['Warning'] },
      breakOnMatch: true,
    })
    await addRule('b too', { components: [{ name: 'shop' }], filter: { status: ['warning'] } })
    await addRule('c nothing', { components: [{}] })
    await addRule('d broken', { components: 'shop' })
    await addRule('e usual', { components: [{ labelSelector: 'tier in (' }, { name: 'shop' }] })
    await turn(shop, 'warning')
    await untilQuiet()
    expect((await incidents()).map(({ rule }) => rule)).toEqual(['a warned'])
    await turn(shop, 'unhealthy')
    await expect.poll(async () => (await incidents()).map(({ rule }) => rule)).toEqual(['a warned', 'e usual'])
  })

  it('call in the teams that own the component where they say so', async () => {
    const shop = await addComponent('shop')
    await insert('teams', { name: 'Shops', spec: { components: [{ name: 'shop' }] }, created_by: author })
    await expect.poll(async () => (await database.pool.query('select from team_components')).rowCount).toBe(1)
    await addRule('owned', { components: [{ name: 'shop' }], autoAssignOwner: true })
    await turn(shop, 'unhealthy')
    await untilQuiet()
    const { rows } = await database.pool.query(
      'select responders.type, teams.name from responders join teams on teams.id = team_id',
    )
    expect(rows).toEqual([{ type: 'team', name: 'Shops' }])
  })
})

describe('teams', () => {
  it('own the components that their spec selects: after a save, and as components come and go; what people linked stays', async () => {
    const [one, two, hand] = [await addComponent('one'), await addComponent('two'), await addComponent('hand')]
    const owned = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ name: string }>(
        'select components.name from team_components join components on components.id = component_id order by components.name',
      )
      return rows.map(({ name }) => name)
    }
    const team = await insert('teams', { name: 'Ops', spec: { components: [{ name: 'one' }] }, created_by: author })
    await expect.poll(owned).toEqual(['one'])
    await database.pool.query('insert into team_components (team_id, component_id) values ($1, $2)', [team, hand])
    await database.pool.query('update teams set spec = $2 where id = $1', [
      team,
      '{"components":[{"name":"two"},{"name":"three"}]}',
    ])
    await expect.poll(owned).toEqual(['hand', 'two'])
    await addComponent('three')
    expect(await ownAllComponents(database.pool)).toEqual({ done: 1, errors: [] })
    expect(await owned()).toEqual(['hand', 'three', 'two'])
    expect([one, two].every(Boolean)).toBe(true)
  })

  it('are a job of the team, which its list and its history show, with what its spec has wrong', async () => {
    const shown = async (id: string) => {
      const { rows } = await database.pool.query(
        `select job_status, job_success_count, job_last_failed is not null as has_failed from teams_with_status where id = $1`,
        [id],
      )
      return rows[0]
    }
    await addComponent('one')
    const good = await insert('teams', { name: 'Ops', spec: { components: [{ name: 'one' }] }, created_by: author })
    const bad = await insert('teams', {
      name: 'Broken',
      spec: { components: [{ labelSelector: 'a in (' }] },
      created_by: author,
    })
    await expect.poll(() => shown(good)).toEqual({ job_status: 'SUCCESS', job_success_count: 1, has_failed: false })
    await expect.poll(() => shown(bad)).toEqual({ job_status: 'FAILED', job_success_count: 0, has_failed: true })
    // Its event would be tried again for as long as the spec stays as it is.
    // It is given back after the failure is recorded: only then can it be taken away.
    const takeAway = () =>
      database.pool.query('delete from event_queue where error is not null and properties @> $1', [{ team_id: bad }])
    await expect.poll(async () => (await takeAway()).rowCount).toBe(1)
    const failures: string[] = []
    let successes = 0
    await jobs[0]?.run({
      pool: database.pool,
      signal: new AbortController().signal,
      now: systemClock.now(),
      report: { success: (count = 1) => void (successes += count), failure: (message) => failures.push(message) },
    })
    expect([successes, failures]).toEqual([1, [expect.stringMatching(/^Broken: /)]])
    const { rows } = await database.pool.query(
      `select resource_name, status, count(*)::int from job_histories where resource_id = $1 group by 1, 2`,
      [good],
    )
    expect(rows).toEqual([{ resource_name: 'Ops', status: 'SUCCESS', count: 1 }])
  })

  it('are looked at one at a time: who waited for another sees what became of the components meanwhile', async () => {
    const team = await insert('teams', { name: 'Ops', spec: { components: [{ name: 'one' }] }, created_by: author })
    await untilQuiet()
    await inTransaction(database.pool, async (other) => {
      await other.query('select from teams where id = $1 for no key update', [team])
      const done = ownAllComponents(database.pool)
      await expect
        .poll(async () => {
          const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          return (await other.query(waits)).rowCount
        })
        .toBe(1)
      await addComponent('one')
      await other.query('commit; begin')
      expect(await done).toEqual({ done: 1, errors: [] })
    })
    expect((await database.pool.query('select from team_components')).rowCount).toBe(1)
  })
})
