// What only shows between several connections: NOTIFY, and writers that meet.
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
})
afterAll(() => database.stop())

describe('several writers', () => {
  it('count every report of one change', async () => {
    const report = (index: number) =>
      database.pool.query(
        `insert into config_changes (config_id, external_change_id, change_type, details)
         values ('${rows.cluster}', 'seen by many', 'diff', '{"a": ${String(index)}}')`,
      )
    await Promise.all(Array.from({ length: 8 }, (_, index) => report(index)))
    const { rows: counted } = await database.pool.query(
      `select count from config_changes where external_change_id = 'seen by many'`,
    )
    expect(counted).toEqual([{ count: 8 }])
  })
})

/** Lists of canaries follow whatever changes. */
const CANARIES_TOPIC = 'watchroom_topic settings:canaries'

describe('notifications of the database', () => {
  let listener: Client
  let heard: string[]

  beforeEach(async () => {
    heard = []
    listener = new Client({ connectionString: database.databaseUrl })
    listener.on('error', () => undefined)
    listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload ?? ''}`))
    await listener.connect()
    for (const channel of [
      'watchroom_topic',
      'watchroom_canaries',
      'event_queue_updates',
      'playbook_updated',
      'playbook_run_updates',
      'playbook_action_updates',
      'table_activity',
    ])
      await listener.query(`listen ${channel}`)
    return () => listener.end()
  })

  /** What was heard of one statement; the marker after it tells that nothing else is on its way. */
  async function heardOf(change: string): Promise<string[]> {
    heard.length = 0
    await database.pool.query(change)
    await database.pool.query(`notify watchroom_topic, 'end'`)
    await expect.poll(() => heard.at(-1)).toBe('watchroom_topic end')
    return heard.slice(0, -1)
  }

  it.each([
    ['an agent seen', `update agents set last_seen = now() where name = 'edge'`],
    ['agents inserted together', `insert into agents (name) values ('a'), ('b')`],
    ['an agent removed', `delete from agents where name = 'nobody'`],
  ])('wake the agents topic once for %s', async (_, change) => {
    expect(await heardOf(change)).toEqual(['watchroom_topic agents'])
  })

  it.each([
    ['spec', `spec = '{"interval": 10}'`],
    ['name', `name = 'renamed'`],
    ['namespace', `namespace = 'other'`],
    ['labels', `labels = '{}'`],
    ['agent_id', `agent_id = '${rows.agent}'`],
  ])('tell the check engine of a new %s of a canary', async (_, change) => {
    expect(await heardOf(`update canaries set ${change} where id = '${rows.canary}'`)).toEqual([
      `watchroom_canaries ${rows.canary}`,
      CANARIES_TOPIC,
    ])
  })

  it('tell the check engine of a deleted canary, and the topology of its checks', async () => {
    expect(await heardOf(`update canaries set deleted_at = now() where id = '${rows.canary}'`)).toEqual([
      'watchroom_topic topology',
      `watchroom_canaries ${rows.canary}`,
      CANARIES_TOPIC,
    ])
  })

  it('tell the check engine of new and removed canaries, and of nothing that does not concern it', async () => {
    expect(
      await heardOf(`insert into canaries (id, name, namespace, spec) values ('${rows.job}', 'new', 'default', '{}')`),
    ).toEqual([`watchroom_canaries ${rows.job}`, CANARIES_TOPIC])
    const annotated = await heardOf(`update canaries set annotations = '{}' where id = '${rows.job}'`)
    expect(annotated).toEqual([CANARIES_TOPIC])
    expect(await heardOf(`delete from canaries where id = '${rows.job}'`)).toEqual([
      `watchroom_canaries ${rows.job}`,
      CANARIES_TOPIC,
    ])
  })

  it('tell of new events, playbooks, runs, actions and notification rules', async () => {
    expect(await heardOf(`insert into event_queue (name) values ('test.event')`)).toEqual([
      'event_queue_updates test.event',
      'watchroom_topic eventQueue',
    ])
    expect(await heardOf(`delete from event_queue where name = 'test.event'`)).toEqual(['watchroom_topic eventQueue'])
    expect(await heardOf(`update playbooks set title = 'new'`)).toEqual(
      expect.arrayContaining([`playbook_updated ${rows.playbook}`, 'watchroom_topic playbooks']),
    )
    expect(await heardOf(`update playbook_runs set status = 'scheduled'`)).toContain('playbook_run_updates ')
    const [action] = await heardOf(`update playbook_run_actions set status = 'scheduled'`)
    expect(action).toContain(`"id": "${rows.action}"`)
    expect(await heardOf(`update notifications set title = 'new' where id = '${rows.notification}'`)).toEqual([
      `table_activity notifications ${rows.notification}`,
      'watchroom_topic notifications',
    ])
    const silence = `insert into notification_silences (canary_id, "from", until)
      values ('${rows.canary}', now(), now() + interval '1 hour')`
    expect(await heardOf(silence)).toEqual(['watchroom_topic silences'])
    const transition = `insert into watchroom_internal.transitions (id, event, kind, resource_id, properties, subject)
      values ('${rows.job}', 'check.failed', 'check', '${rows.canary}', '{}', '{}')`
    expect(await heardOf(transition)).toEqual(['watchroom_topic transitions'])
    const decision = `insert into watchroom_internal.decisions (transition, notification_id, outcome, clauses)
      values ('${rows.job}', '${rows.notification}', 'told', '[]')`
    expect(await heardOf(decision)).toEqual(['watchroom_topic transitions'])
    expect(await heardOf(`update teams set icon = 'new'`)).toEqual([
      `table_activity teams ${rows.team}`,
      'watchroom_topic settings:teams',
    ])
  })
})
