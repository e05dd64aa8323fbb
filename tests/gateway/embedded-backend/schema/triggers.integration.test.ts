import type { PoolClient, QueryResultRow } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
/** In a transaction that ends with its test: the next one starts from the same rows. */
let session: PoolClient

const all = async <Row extends QueryResultRow>(sql: string): Promise<Row[]> => (await session.query<Row>(sql)).rows
const one = async <Row extends QueryResultRow>(sql: string): Promise<Row | undefined> => (await all<Row>(sql))[0]
/** Names and properties of the events that `change` raises. */
async function eventsOf(change: string): Promise<QueryResultRow[]> {
  await session.query('truncate event_queue')
  await session.query(change)
  return all('select name, properties from event_queue order by name')
}
/** Entries that `change` adds to the history of the incident. */
async function historyOf(change: string): Promise<QueryResultRow[]> {
  await session.query('truncate incident_histories')
  await session.query(change)
  return all('select type, description, hypothesis_id, evidence_id, responder_id, comment_id from incident_histories')
}
const entry = (type: string, more: QueryResultRow = {}): QueryResultRow => ({
  type,
  description: null,
  hypothesis_id: null,
  evidence_id: null,
  responder_id: null,
  comment_id: null,
  ...more,
})

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
})
afterAll(() => database.stop())
beforeEach(async () => {
  session = await database.pool.connect()
  await session.query('begin')
  return async () => {
    await session.query('rollback')
    session.release()
  }
})

describe('seed rows', () => {
  it('has the local agent, the system person and the severities', async () => {
    expect(await all(`select name from agents where id = '00000000-0000-0000-0000-000000000000'`)).toEqual([
      { name: 'local' },
    ])
    expect(await all(`select email from people where name = 'System'`)).toEqual([{ email: null }])
    expect(await all('select id, name, icon, aliases from severities order by id')).toEqual([
      { id: 1, name: 'Critical', icon: 'error', aliases: ['P1'] },
      { id: 2, name: 'Blocker', icon: 'error', aliases: ['P2'] },
      { id: 3, name: 'High', icon: 'warning', aliases: ['P3'] },
      { id: 4, name: 'Medium', icon: 'info', aliases: ['P4'] },
      { id: 5, name: 'Low', icon: 'info', aliases: ['P4'] },
    ])
  })
})

describe('people', () => {
  it('follow their identity', async () => {
    await session.query(
      `update watchroom_identity.identities set traits = '{"email": "ada@new.test", "name": {"first": "Ada", "last": "New"}}'
       where id = '${rows.ada}'`,
    )
    expect(await one(`select name, email, avatar from people where id = '${rows.ada}'`)).toEqual({
      name: 'Ada New',
      email: 'ada@new.test',
      avatar: 'https://example.test/ada.png',
    })
  })

  it('take their e-mail for a name until they have one', async () => {
    await session.query(`insert into watchroom_identity.identities (traits) values ('{"email": "new@example.test"}')`)
    expect(await one(`select name from people where email = 'new@example.test'`)).toEqual({ name: 'new@example.test' })
  })

  it('lose their roles and stay in the histories when their identity is deleted', async () => {
    await session.query(`delete from watchroom_identity.identities where id = '${rows.ada}'`)
    expect(await one(`select deleted_at is not null as gone from people where id = '${rows.ada}'`)).toEqual({
      gone: true,
    })
    expect(await all(`select * from people_roles where id = '${rows.ada}'`)).toEqual([])
  })

  it('note when an identity is switched off', async () => {
    await session.query(
      `update watchroom_identity.identities set state_changed_at = '2020-01-01', updated_at = '2020-01-01';
       update watchroom_identity.identities set state = 'inactive' where id = '${rows.ada}'`,
    )
    expect(
      await one(`select state, state_changed_at > '2021-01-01' as noted from identities where id = '${rows.ada}'`),
    ).toEqual({ state: 'inactive', noted: true })
  })
})

describe('checks', () => {
  it('note the time of a transition and of nothing else', async () => {
    const time = `select last_transition_time as at from checks where id = '${rows.check}'`
    await session.query(`update checks set last_transition_time = '2020-01-01' where id = '${rows.check}'`)
    await session.query(`update checks set last_runtime = now(), status = status where id = '${rows.check}'`)
    expect(await one(time)).toEqual({ at: new Date('2020-01-01') })
    await session.query(`update checks set status = 'healthy' where id = '${rows.check}'`)
    expect((await one<{ at: Date }>(time))?.at.getTime()).toBeGreaterThan(Date.parse('2021-01-01'))
  })

  it('raise an event per transition', async () => {
    const passed = await eventsOf(`update checks set status = 'healthy' where id = '${rows.check}'`)
    expect(passed).toEqual([
      { name: 'check.passed', properties: { id: rows.check, last_runtime: expect.any(String) as unknown } },
    ])
    const failed = await eventsOf(`update checks set status = 'unhealthy' where id = '${rows.check}'`)
    expect(failed.map(({ name }) => name as unknown)).toEqual(['check.failed'])
    expect(await eventsOf(`update checks set status = 'unhealthy' where id = '${rows.check}'`)).toEqual([])
  })

  it('are deleted with their canary, together with their links to components', async () => {
    await session.query(`update canaries set deleted_at = now() where id = '${rows.canary}'`)
    expect(await all('select distinct deleted_at is null as live from checks')).toEqual([{ live: false }])
    expect(
      await one(`select check_component_relationships.deleted_at = canaries.deleted_at as same
        from check_component_relationships join canaries on canaries.id = canary_id`),
    ).toEqual({ same: true })
    expect(await all('select deleted_at from check_config_relationships')).toEqual([{ deleted_at: null }])
  })

  it('take their links to components along', async () => {
    await session.query(`update checks set deleted_at = now() where id = '${rows.check}'`)
    expect(await all('select 1 from check_component_relationships where deleted_at is null')).toEqual([])
    expect(await all('select 1 from canaries where deleted_at is null')).toHaveLength(1)
  })
})

describe('components', () => {
  it('take their links and owners along, not their children', async () => {
    await session.query(`update components set deleted_at = now() where id = '${rows.component}'`)
    for (const link of ['component_relationships', 'check_component_relationships', 'config_component_relationships'])
      expect(await all(`select 1 from ${link} where deleted_at is null`)).toEqual([])
    expect(await all('select 1 from team_components')).toEqual([])
    expect(await one(`select deleted_at from components where id = '${rows.childComponent}'`)).toEqual({
      deleted_at: null,
    })
  })

  it('raise an event when their health changes', async () => {
    expect(await eventsOf(`update components set health = 'warning' where id = '${rows.component}'`)).toEqual([
      { name: 'component.warning', properties: { id: rows.component, status: 'healthy', description: null } },
    ])
    expect(
      (await eventsOf(`update components set health = null where id = '${rows.component}'`)).map(
        ({ name }) => name as unknown,
      ),
    ).toEqual(['component.unknown'])
  })
})

describe('teams', () => {
  it('own nothing after they are deleted', async () => {
    await session.query(`update teams set deleted_at = now() where id = '${rows.team}'`)
    expect(await all('select 1 from team_components')).toEqual([])
  })

  it('free their name when they are deleted', async () => {
    await session.query(`update teams set deleted_at = now() where id = '${rows.team}'`)
    await session.query(`insert into teams (name, created_by) values ('Platform', '${rows.ada}')`)
    expect(await all(`select 1 from teams where name = 'Platform'`)).toHaveLength(2)
  })
})

describe('config items', () => {
  it('get a name from their id when the source has none', async () => {
    const item = await one<{ id: string; name: string }>(
      `insert into config_items (config_class, type, name) values ('Pod', 'Pod', '') returning id, name`,
    )
    expect(item?.name).toBe(item?.id.slice(-12))
  })

  it('keep a hard edge from their parent', async () => {
    const edges = `select config_id, relation from config_relationships where related_id = '${rows.pod}' order by relation`
    expect(await all(edges)).toEqual([{ config_id: rows.namespace, relation: 'hard' }])
    await session.query(`update config_items set parent_id = '${rows.cluster}' where id = '${rows.pod}'`)
    expect(await all(edges)).toEqual([{ config_id: rows.cluster, relation: 'hard' }])
    await session.query(`update config_items set parent_id = null where id = '${rows.pod}'`)
    expect(await all(edges)).toEqual([])
  })

  it('raise events when they come, go and change health', async () => {
    const created = await eventsOf(
      `insert into config_items (id, config_class, type, name, health, description)
       values ('${rows.job}', 'Pod', 'Pod', 'sick', 'unhealthy', repeat('long ', 2000))`,
    )
    expect(created).toEqual([
      { name: 'config.created', properties: { id: rows.job } },
      {
        name: 'config.unhealthy',
        properties: { id: rows.job, status: null, description: 'long '.repeat(100) },
      },
    ])
    const deleted = await eventsOf(`update config_items set deleted_at = now() where id = '${rows.job}'`)
    expect(deleted).toEqual([{ name: 'config.deleted', properties: { id: rows.job } }])
    const calm = await eventsOf(
      `insert into config_items (config_class, type, name, health) values ('Pod', 'Pod', 'well', 'healthy')`,
    )
    expect(calm.map(({ name }) => name as unknown)).toEqual(['config.created'])
  })

  it('are edited when their document changes, not when their cost does', async () => {
    const edited = `select updated_at > '2021-01-01' as edited from config_items where id = '${rows.pod}'`
    await session.query('alter table config_items disable trigger keep_updated_at')
    await session.query(
      `update config_items set updated_at = '2020-01-01', agent_id = default where id = '${rows.pod}'`,
    )
    await session.query('alter table config_items enable trigger keep_updated_at')
    await session.query(`update config_items set cost_per_minute = 1 where id = '${rows.pod}'`)
    expect(await one(edited)).toEqual({ edited: false })
    await session.query(`update config_items set config = '{"kind": "Other"}' where id = '${rows.pod}'`)
    expect(await one(edited)).toEqual({ edited: true })
  })
})

describe('config changes', () => {
  const again = (details: string): string =>
    `insert into config_changes (config_id, external_change_id, change_type, details, created_at)
     values ('${rows.pod}', 'change-1', 'diff', '${details}', (select created_at from config_changes where id = '${rows.change}'))
     returning id`

  it('return the new row', async () => {
    expect(
      await all(
        `insert into config_changes (config_id, change_type) values ('${rows.pod}', 'Restarted') returning change_type`,
      ),
    ).toEqual([{ change_type: 'Restarted' }])
  })

  it('count a change seen again on its first row', async () => {
    expect(await all(again('{"a": 2}'))).toEqual([])
    expect(await all(`select id, count, details from config_changes where config_id = '${rows.pod}'`)).toEqual([
      { id: rows.change, count: 2, details: { a: 2 } },
    ])
  })

  it('do not count the very same report twice', async () => {
    await session.query(again('{"a": 1}'))
    expect(await one(`select count from config_changes where id = '${rows.change}'`)).toEqual({ count: 1 })
  })

  it('merge when an edit makes two of them equal', async () => {
    await session.query(
      `insert into config_changes (config_id, external_change_id, change_type) values ('${rows.pod}', 'change-2', 'diff');
       update config_changes set external_change_id = 'change-1', count = 3 where external_change_id = 'change-2'`,
    )
    expect(await one(`select count from config_changes where id = '${rows.change}'`)).toEqual({ count: 3 })
  })

  it('raise config.updated for a diff and config.changed for the rest', async () => {
    expect(
      await eventsOf(`insert into config_changes (id, config_id, change_type) values
        ('${rows.job}', '${rows.pod}', 'diff'), ('${rows.action}', '${rows.cluster}', 'Scaled')`),
    ).toEqual([
      { name: 'config.changed', properties: { id: rows.cluster, change_id: rows.action } },
      { name: 'config.updated', properties: { id: rows.pod, change_id: rows.job } },
    ])
  })
})

describe('incidents', () => {
  const insertIncident = `insert into incidents (id, title, description, severity, type, status, created_by)
    values ('${rows.job}', 'second', '', 'low', 'cost', 'open', '${rows.ada}')`

  it('are numbered', async () => {
    await session.query(insertIncident)
    expect(await all('select incident_id from incidents order by incident_id')).toEqual([
      { incident_id: 'INC-1' },
      { incident_id: 'INC-2' },
    ])
  })

  it('record their creation and every change of status', async () => {
    expect(await historyOf(insertIncident)).toEqual([entry('incident.created', { description: rows.job })])
    expect(await historyOf(`update incidents set status = 'mitigated' where id = '${rows.incident}'`)).toEqual([
      entry('incident.status_updated', { description: 'mitigated' }),
    ])
    expect(await historyOf(`update incidents set title = 'renamed' where id = '${rows.incident}'`)).toEqual([])
  })

  it('raise events', async () => {
    expect(await eventsOf(insertIncident)).toEqual([{ name: 'incident.created', properties: { id: rows.job } }])
    expect(await eventsOf(`update incidents set status = 'closed' where id = '${rows.incident}'`)).toEqual([
      { name: 'incident.status.closed', properties: { id: rows.incident } },
    ])
  })

  it('record new hypotheses and their verdicts', async () => {
    expect(
      await historyOf(`insert into hypotheses (id, incident_id, type, title, status, created_by)
        values ('${rows.job}', '${rows.incident}', 'factor', 'idea', 'possible', '${rows.bob}')`),
    ).toEqual([entry('hypothesis.created', { description: 'possible', hypothesis_id: rows.job })])
    expect(await historyOf(`update hypotheses set status = 'disproven' where id = '${rows.hypothesis}'`)).toEqual([
      entry('hypothesis.status_updated', { description: 'disproven', hypothesis_id: rows.hypothesis }),
    ])
  })

  it('record evidence and when it defines that the work is done', async () => {
    expect(
      await historyOf(`insert into evidences (id, hypothesis_id, type, description, created_by)
        values ('${rows.job}', '${rows.hypothesis}', 'comment', '', '${rows.ada}')`),
    ).toEqual([entry('evidence.created', { hypothesis_id: rows.hypothesis, evidence_id: rows.job })])
    expect(await historyOf(`update evidences set definition_of_done = true where id = '${rows.evidence}'`)).toEqual([
      entry('evidence.done_definition_added', { evidence_id: rows.evidence }),
    ])
  })

  it('raise events when a definition of done is added, passes, regresses and is removed', async () => {
    const set = async (change: string): Promise<unknown[]> =>
      (await eventsOf(`update evidences set ${change} where id = '${rows.evidence}'`)).map(
        ({ name }) => name as unknown,
      )
    expect(await set('definition_of_done = true')).toEqual(['incident.dod.added'])
    expect(await set('done = true')).toEqual(['incident.dod.passed'])
    expect(await set('done = false')).toEqual(['incident.dod.regressed'])
    expect(await set('definition_of_done = false')).toEqual(['incident.dod.removed'])
  })

  it('record responders and raise an event when one leaves', async () => {
    expect(
      await historyOf(`insert into responders (id, incident_id, type, person_id, created_by)
        values ('${rows.job}', '${rows.incident}', 'system', '${rows.bob}', '${rows.ada}')`),
    ).toEqual([entry('responder.created', { responder_id: rows.job })])
    expect(await eventsOf(`update responders set deleted_at = now() where id = '${rows.job}'`)).toEqual([
      { name: 'incident.responder.removed', properties: { id: rows.job } },
    ])
  })

  it('record comments of responders only', async () => {
    const comment = (responder: string): string =>
      `insert into comments (incident_id, comment, responder_id, created_by)
       values ('${rows.incident}', 'hi', ${responder}, '${rows.ada}')`
    expect(await historyOf(comment('null'))).toEqual([])
    expect(await historyOf(comment(`'${rows.teamResponder}'`))).toMatchObject([
      { type: 'responder.commented', responder_id: rows.teamResponder },
    ])
    expect((await eventsOf(comment('null'))).map(({ name }) => name as unknown)).toEqual(['incident.comment.added'])
  })

  it('keep the history of what was deleted', async () => {
    await session.query(
      `delete from comments where hypothesis_id = '${rows.hypothesis}';
       delete from evidences where hypothesis_id = '${rows.hypothesis}';
       delete from hypotheses where id = '${rows.hypothesis}'`,
    )
    expect(
      await all(`select hypothesis_id, evidence_id from incident_histories where type = 'evidence.created'`),
    ).toEqual([{ hypothesis_id: null, evidence_id: null }])
  })
})

describe('playbooks', () => {
  it('raise an event when their approval changes, also from nothing', async () => {
    const event = { name: 'playbook.spec.approval.updated', properties: { id: rows.playbook } }
    const set = (spec: string) => eventsOf(`update playbooks set spec = '${spec}' where id = '${rows.playbook}'`)
    expect(await set('{"approval": {"type": "any"}}')).toEqual([event])
    expect(await set('{"approval": {"type": "all"}}')).toEqual([event])
    expect(await set('{"approval": {"type": "all"}, "icon": "other"}')).toEqual([])
  })

  it('raise an event per approval', async () => {
    expect(
      await eventsOf(`insert into playbook_approvals (id, run_id, person_id)
        values ('${rows.job}', '${rows.run}', '${rows.ada}')`),
    ).toEqual([{ name: 'playbook.approval.inserted', properties: { id: rows.job, run_id: rows.run } }])
  })
})

describe('notifications and connections', () => {
  it('forget an error when the rule or its team changes', async () => {
    const errors = 'select error from notifications where error is not null'
    await session.query(`update notifications set error = 'bad filter'`)
    await session.query(`update notifications set filter = 'true' where id = '${rows.notification}'`)
    expect(await all(errors)).toHaveLength(1)
    await session.query(`update teams set spec = '{"components": [{}]}' where id = '${rows.team}'`)
    expect(await all(errors)).toEqual([])
  })

  it('keep masked secrets and accept new ones', async () => {
    await session.query(
      `update connections set username = '***', password = 'new', certificate = '***' where id = '${rows.connection}'`,
    )
    expect(await one('select username, password, certificate from connections')).toEqual({
      username: 'secret://chat/user',
      password: '***',
      certificate: null,
    })
  })

  it('count unsent notifications inside the window and start anew after it', async () => {
    const unsent = `select watchroom_internal.insert_unsent_notification_to_history(
      '${rows.notification}', 'check.failed', '${rows.check}', 'silenced', '1 hour')`
    const counts = `select count from notification_send_history where status = 'silenced' order by count`
    await session.query(`${unsent}; ${unsent}`)
    expect(await all(counts)).toEqual([{ count: 2 }])
    await session.query(`update notification_send_history set created_at = now() - interval '2 hours'; ${unsent}`)
    expect(await all(counts)).toEqual([{ count: 1 }, { count: 2 }])
    await expect(session.query(unsent.replace('silenced', 'sent'))).rejects.toMatchObject({ code: '22023' })
  })
})

describe('agents', () => {
  const agentWithToken = `
    update agents set person_id = '${rows.ada}' where id = '${rows.agent}';
    update canaries set agent_id = '${rows.agent}'`

  it('lose their tokens when they are deleted', async () => {
    await session.query(`${agentWithToken}; update agents set deleted_at = now() where id = '${rows.agent}'`)
    expect(await all('select expires_at <= now() as expired from access_tokens')).toEqual([{ expired: true }])
    expect(await all('select 1 from canaries where deleted_at is null')).toHaveLength(1)
  })

  it('take what they pushed along when asked to', async () => {
    await session.query(
      `${agentWithToken}; update agents set deleted_at = now(), cleanup = true where id = '${rows.agent}'`,
    )
    expect(await all('select 1 from canaries where deleted_at is null')).toEqual([])
    expect(await one(`select deleted_at is not null as gone from config_items where id = '${rows.pod}'`)).toEqual({
      gone: true,
    })
  })

  it('never take the rows of the local agent along', async () => {
    await session.query('savepoint before_deletion')
    const deletion = session.query(`update agents set deleted_at = now(), cleanup = true where name = 'local'`)
    await expect(deletion).rejects.toThrow('the local agent cannot be deleted')
    await session.query('rollback to savepoint before_deletion')
    expect(await all('select 1 from canaries where deleted_at is null')).toHaveLength(1)
  })

  it('are not edited by a heartbeat', async () => {
    const before = await one(`select updated_at from agents where id = '${rows.agent}'`)
    await session.query(`update agents set last_seen = now() where id = '${rows.agent}'`)
    expect(await one(`select updated_at from agents where id = '${rows.agent}'`)).toEqual(before)
    await session.query(`update agents set description = 'new' where id = '${rows.agent}'`)
    expect(await one(`select updated_at from agents where id = '${rows.agent}'`)).not.toEqual(before)
  })
})

describe('bookkeeping', () => {
  it('leaves times alone when nothing changes, on a delete, and for rows of an agent', async () => {
    const times = `select id, updated_at from topologies`
    const before = await all(times)
    await session.query('update topologies set name = name')
    await session.query('update topologies set deleted_at = now()')
    await session.query(`update topologies set agent_id = '${rows.agent}', name = 'pushed', deleted_at = null`)
    expect(await all(times)).toEqual(before)
  })

  it('marks a pushed row as unpushed when it changes', async () => {
    const pushed = `select is_pushed from topologies where id = '${rows.topology}'`
    await session.query('update topologies set is_pushed = true')
    expect(await one(pushed)).toEqual({ is_pushed: true })
    await session.query(`update topologies set name = 'renamed' where id = '${rows.topology}'`)
    expect(await one(pushed)).toEqual({ is_pushed: false })
  })

  it('queues the same event once and makes it due again', async () => {
    await session.query(
      `update event_queue set attempts = 3, last_attempt = now(), error = 'kept' where name = 'test.failed'`,
    )
    await session.query(`select watchroom_internal.emit_event('test.failed', '{"id": "1"}')`)
    expect(await all(`select attempts, last_attempt, error from event_queue where name = 'test.failed'`)).toEqual([
      { attempts: 0, last_attempt: null, error: 'kept' },
    ])
  })
})
