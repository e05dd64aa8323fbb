import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'
import { type NotificationWorld, startNotificationWorld } from '#support/notificationWorld.ts'
import { startServiceServer } from '#support/serviceServer.ts'

import { lookApart } from '../../../../gateway/src/check-runner/lookApart.ts'
import { planSends } from '../../../../gateway/src/embedded-backend/notifications/planSends.ts'
import { lockRule } from '../../../../gateway/src/embedded-backend/notifications/rule.ts'
import { readTransitionsById } from '../../../../gateway/src/embedded-backend/notifications/transitions.ts'
import { inTransaction } from '../../../../gateway/src/platform/database/inTransaction.ts'

let database: TestDatabase
let server: MailServer
let world: NotificationWorld

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())
beforeEach(async () => {
  server = await startMailServer()
  world = startNotificationWorld(database, server.url)
})
afterEach(async () => {
  await world.close()
  await server.close()
  await database.pool.query(
    `delete from notifications; delete from notification_silences; delete from event_queue;
     delete from connections; delete from team_members; delete from teams; delete from watchroom_identity.identities;
     delete from people where email ilike '%@example.org'`,
  )
})

const statuses = async (ruleId: string): Promise<string[]> => (await world.history(ruleId)).map(({ status }) => status)

/** Why each event that waits does. */
const queued = async (): Promise<(string | null)[]> =>
  (await database.pool.query<{ error: string | null }>('select error from event_queue')).rows.map(({ error }) => error)

/** Who was told, and what became of it. */
const told = async (ruleId: string): Promise<string[]> =>
  (await world.history(ruleId)).map(({ recipient, status }) => `${String(recipient)} ${status}`).toSorted()

/** Three that somebody is told of in one message, as `told` has them. */
const waiting = (name: string): string[] => ['grouped', 'grouped', 'pending'].map((status) => `${name} ${status}`)

const errorOf = async (ruleId: string): Promise<string | null> => {
  const { rows } = await database.pool.query<{ error: string | null }>(
    'select error from notifications where id = $1',
    [ruleId],
  )
  return rows[0]?.error ?? null
}

/** So many more failures of a check that failed, a second apart, which the queue gets at once. @param more events beside them */
async function burst(check: string, count: number, more: readonly object[] = []): Promise<void> {
  const happened = async () => {
    const { rows } = await database.pool.query('select from watchroom_internal.transitions where resource_id = $1', [
      check,
    ])
    return rows.length
  }
  await expect.poll(happened).toBe(1)
  await database.pool.query(
    `with recorded as (
       insert into watchroom_internal.transitions (id, event, kind, resource_id, properties, subject, happened_at)
       select gen_random_uuid(), event, kind, resource_id, properties, subject, happened_at + make_interval(secs => n)
       from watchroom_internal.transitions cross join generate_series(1, $2) as n where resource_id = $1 returning id)
     insert into event_queue (name, properties)
     select 'notification.send', jsonb_build_object('event_id', id) from recorded
     union all select 'notification.send', more from jsonb_array_elements($3) as more`,
    [check, count, JSON.stringify(more)],
  )
}

describe('createNotifications', () => {
  it('decides on a burst in the order in which it happened, each rule in one transaction', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    await world.turn(check, 'unhealthy')
    await expect.poll(queued).toEqual([])
    const eager = await world.addRule({ person_id: person, wait_for: 3600e9 })
    const calm = await world.addRule({ person_id: person, wait_for: 3600e9, repeat_interval: '1h' })
    await burst(check, 60)
    const decided = async (rule: string) => {
      const { rows } = await database.pool.query<{ outcomes: string[] | null; transactions: number }>(
        `select array_agg(outcome order by happened_at) as outcomes, count(distinct decisions.xmin::text)::integer as transactions
         from watchroom_internal.decisions join watchroom_internal.transitions on transitions.id = transition
         where notification_id = $1`,
        [rule],
      )
      return rows[0]
    }
    const times = (outcome: string, count: number): string[] => Array.from({ length: count }, () => outcome)
    await expect
      .poll(() => decided(calm))
      .toEqual({ outcomes: ['told', ...times('repeat-interval', 59)], transactions: 1 })
    await expect
      .poll(() => decided(eager))
      .toEqual({ outcomes: [...times('told', 50), ...times('rate-limited', 10)], transactions: 1 })
    const unsent = (await world.history(eager)).filter(({ status }) => status !== 'pending')
    expect(unsent).toMatchObject([{ status: 'rate-limited', count: 10 }])
    expect(await statuses(eager)).toHaveLength(51)
  })

  it('decides on each of a burst alone when one of them cannot be decided on, and once', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    await world.turn(check, 'unhealthy')
    await expect.poll(queued).toEqual([])
    const rule = await world.addRule({ person_id: person, wait_for: 3600e9 })
    await burst(check, 3, [{ event_id: 'no id' }])
    await expect.poll(queued).toEqual([expect.stringContaining('no id')])
    expect(await statuses(rule)).toEqual(['pending', 'pending', 'pending'])
  })

  it('decides on a check that fails before a burst of the catalog', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    const rule = await world.addRule({
      events: ['config.created', 'check.failed'],
      person_id: person,
      wait_for: 3600e9,
    })
    const decisionsDue = async () =>
      (await database.pool.query(`select from event_queue where name = 'notification.send'`)).rowCount
    // While the rule cannot decide, what it is to decide on piles up behind what it has in hand.
    await inTransaction(database.pool, async (client) => {
      await lockRule(client, rule)
      await database.pool.query(
        `insert into config_items (name, type, config_class) select 'found-' || n, 'T', 'T' from generate_series(1, 350) as n`,
      )
      await expect.poll(decisionsDue).toBe(350)
      await world.turn(check, 'unhealthy')
      await expect.poll(decisionsDue).toBe(351)
    })
    await expect.poll(() => statuses(rule)).toHaveLength(351)
    const place = (await world.history(rule)).findIndex(({ source_event: event }) => event === 'check.failed')
    expect(place).toBeLessThan(200)
  })

  it('sends at once what was decided before something failed', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const [told, other] = [await world.addCheck('told'), await world.addCheck('other')]
    for (const check of [told, other]) await world.turn(check, 'unhealthy')
    await expect.poll(queued).toEqual([])
    const rule = await world.addRule({ person_id: person, filter: `check.name == 'told'` })
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from watchroom_internal.transitions where resource_id = any($1)',
      [[told, other]],
    )
    await database.pool.query(
      `create function watchroom_internal.refuse_decision() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
       create trigger refuse_decision before insert on watchroom_internal.decisions for each row
         when (new.outcome = 'filtered') execute function watchroom_internal.refuse_decision()`,
    )
    try {
      const onWaiting = vi.fn<() => void>()
      const transitions = await readTransitionsById(
        database.pool,
        rows.map(({ id }) => id),
      )
      await expect(planSends({ pool: database.pool, lookUp: lookApart, onWaiting }, transitions)).rejects.toThrow(
        'out of order',
      )
      expect(onWaiting).toHaveBeenCalledOnce()
      expect(await statuses(rule)).toHaveLength(1)
    } finally {
      await database.pool.query('drop function watchroom_internal.refuse_decision cascade')
    }
  })

  it('has sent what one rule decided on though another cannot be decided on', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    await world.turn(check, 'unhealthy')
    await expect.poll(queued).toEqual([])
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from watchroom_internal.transitions where resource_id = $1',
      [check],
    )
    const [sound, lost] = [await world.addRule({ person_id: person }), await world.addRule({ person_id: person })]
    await database.pool.query(
      `create function watchroom_internal.refuse_decision() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
       create trigger refuse_decision before insert on watchroom_internal.decisions for each row
         when (new.notification_id = '${lost}') execute function watchroom_internal.refuse_decision()`,
    )
    try {
      const onWaiting = vi.fn<() => void>()
      const transitions = await readTransitionsById(database.pool, [rows[0]?.id ?? ''])
      await expect(planSends({ pool: database.pool, lookUp: lookApart, onWaiting }, transitions)).rejects.toThrow(
        'out of order',
      )
      expect(onWaiting).toHaveBeenCalledOnce()
      expect(await statuses(sound)).toHaveLength(1)
    } finally {
      await database.pool.query('drop function watchroom_internal.refuse_decision cascade')
    }
  })

  it('tells a person of a check that fails, once, with links, and writes down what was said', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api', { labels: '{"team":"pay"}' })
    const rule = await world.addRule({ title: 'Payments', person_id: person, filter: `check.name == 'api'` })
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule)).toEqual(['sent'])
    const [mail] = server.mails
    const [sent] = await world.history(rule)
    expect(mail?.recipients).toEqual(['ada@example.org'])
    expect(mail?.source).toContain('Subject: Payments: Check api is failing')
    expect(mail?.source).toContain(`Message-ID: <${sent?.id}@watch.example>`)
    expect(mail?.text).toContain(`https://watch.example/health?checkId=${check}`)
    expect(mail?.text).toContain(`https://watch.example/settings/notifications/silence?check_id=${check}`)
    expect(sent).toMatchObject({
      person_id: person,
      recipient: 'Ada',
      attempts: 1,
      error: null,
      resource: { name: 'api' },
    })
    expect(sent?.['body']).toContain('Labels: team=pay')
    expect(server.mails).toHaveLength(1)
  })

  it('tells nobody of what a filter leaves out, and says on the rule when the filter cannot be asked', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('web')
    const other = await world.addRule({ person_id: person, filter: `check.name == 'api'` })
    const broken = await world.addRule({ person_id: person, filter: 'check.name ==' })
    const all = await world.addRule({ person_id: person })
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(all)).toEqual(['sent'])
    await expect.poll(() => errorOf(broken)).toContain('filter: ')
    expect(await statuses(other)).toEqual([])
    expect(server.mails).toHaveLength(1)
  })

  it('shows what is wrong with a rule before what its messages met, and takes writing that for no edit', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const rule = await world.addRule({ person_id: person, filter: 'check.name ==' })
    const seen = async () => {
      const { rows } = await database.pool.query<{ error: string; is_edited: boolean }>(
        `select most_common_error as error, updated_at > created_at as is_edited from notifications_summary where id = $1`,
        [rule],
      )
      return rows[0]
    }
    await database.pool.query(
      `insert into notification_send_history (notification_id, resource_id, source_event, status, error)
       values ($1, $1, 'check.failed', 'error', 'no route')`,
      [rule],
    )
    expect(await seen()).toEqual({ error: 'no route', is_edited: false })
    await world.turn(await world.addCheck('web'), 'unhealthy')
    await expect.poll(seen).toEqual({ error: expect.stringContaining('filter: ') as string, is_edited: false })
    await database.pool.query(`update notifications set filter = 'true' where id = $1`, [rule])
    expect(await seen()).toEqual({ error: 'no route', is_edited: true })
  })

  it('leaves out by the filter what the event does not carry, and takes that for no error of the rule', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const events = ['component.unhealthy']
    const lacking = await world.addRule({ events, person_id: person, filter: `check.name == 'api'` })
    const labelled = await world.addRule({ events, person_id: person, filter: `labels.team == 'shop'` })
    const either = `check.name == 'api' || component.name == 'queue'`
    const other = await world.addRule({ events, person_id: person, filter: either })
    await database.pool.query(
      `insert into components (name, external_id, status, health) values ('queue', 'queue', 'ok', 'healthy')`,
    )
    await database.pool.query(`update components set health = 'unhealthy' where name = 'queue'`)
    await expect.poll(() => statuses(other)).toEqual(['sent'])
    await expect.poll(queued).toEqual([])
    const saidOf = async (rule: string) => {
      const { rows } = await database.pool.query<{ said: string }>(
        `select outcome || ': ' || (clauses -> 1 ->> 'detail') as said from watchroom_internal.decisions where notification_id = $1`,
        [rule],
      )
      return [rows.map(({ said }) => said), await statuses(rule), await errorOf(rule)]
    }
    expect(await saidOf(lacking)).toEqual([['filtered: component.unhealthy has no check.name'], [], null])
    expect(await saidOf(labelled)).toEqual([['filtered: queue has no labels.team'], [], null])
  })

  it('tells each active member of a team once, and says on the rule when there is nobody', async () => {
    const [ada, grace, gone] = await Promise.all([
      world.addPerson('Ada', 'ada@example.org'),
      world.addPerson('Grace', 'grace@example.org'),
      world.addPerson('Gone', 'gone@example.org'),
    ])
    await database.pool.query('update people set deleted_at = now() where id = $1', [gone])
    const signedUp = await database.pool.query<{ id: string }>(
      `insert into watchroom_identity.identities (traits) values ('{"email":"off@example.org"}'), ('{"email":"here@example.org"}')
       returning id`,
    )
    const [off = '', here = ''] = signedUp.rows.map(({ id }) => id)
    await database.pool.query(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [off])
    const team = async (name: string, members: string[]): Promise<string> => {
      const { rows } = await database.pool.query<{ id: string }>(
        'insert into teams (name, created_by) values ($1, $2) returning id',
        [name, ada],
      )
      const id = rows[0]?.id ?? ''
      for (const member of members)
        await database.pool.query('insert into team_members (team_id, person_id) values ($1, $2)', [id, member])
      return id
    }
    const check = await world.addCheck('api')
    const rule = await world.addRule({ team_id: await team('ops', [ada, grace, gone, off, here]) })
    const empty = await world.addRule({ team_id: await team('nobody', [gone, off]) })
    const alone = await world.addRule({ person_id: off })
    const lost = await world.addRule({ custom_services: '[{"connection":"connection://default/lost"}]' })
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule)).toEqual(['sent', 'sent', 'sent'])
    await expect.poll(() => statuses(empty)).toEqual(['error'])
    await expect.poll(() => statuses(alone)).toEqual(['error'])
    await expect.poll(() => statuses(lost)).toEqual(['error'])
    expect(await errorOf(empty)).toBe('team nobody has no active member with an e-mail address')
    expect(await errorOf(alone)).toBe('the person is not here any more, is inactive, or has no e-mail address')
    expect(await errorOf(lost)).toBe('there is no connection connection://default/lost')
    const addresses = server.mails.flatMap(({ recipients }) => recipients).toSorted()
    expect(addresses).toEqual(['ada@example.org', 'grace@example.org', 'here@example.org'])
  })

  it('keeps quiet while a silence holds, about the resource or what it belongs to, and says which one', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    const rule = await world.addRule({ person_id: person })
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into notification_silences (canary_id, "from", until, description)
       select canary_id, now() - interval '1 hour', now() + interval '1 hour', 'maintenance' from checks where id = $1 returning id`,
      [check],
    )
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule)).toEqual(['silenced'])
    await world.turn(check, 'healthy')
    await world.turn(check, 'unhealthy')
    await expect.poll(async () => (await world.history(rule))[0]?.['count']).toBe(2)
    expect((await world.history(rule))[0]?.['silence']).toMatchObject({ id: rows[0]?.id, description: 'maintenance' })
    await database.pool.query('update notification_silences set until = now()')
    await world.turn(check, 'healthy')
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule)).toContain('sent')
  })

  it('counts what repeats within the interval, and stops at fifty messages about one resource', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    const calm = await world.addRule({ person_id: person, repeat_interval: '1h' })
    const eager = await world.addRule({ person_id: person })
    await database.pool.query(
      `insert into notification_send_history (notification_id, resource_id, source_event, status, transition)
       select $1, $2, 'check.failed', 'sent', gen_random_uuid() from generate_series(1, 50)`,
      [eager, check],
    )
    for (const status of ['unhealthy', 'healthy', 'unhealthy'] as const) await world.turn(check, status)
    await expect.poll(async () => (await statuses(calm)).toSorted()).toEqual(['repeat-interval', 'sent'])
    await expect
      .poll(async () => (await world.history(eager)).find(({ status }) => status === 'rate-limited')?.['count'])
      .toBe(2)
    expect(server.mails).toHaveLength(1)
  })

  it('folds a group into one message that names its members, and sends after a wait only what still holds', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => world.addCheck(name)))
    const rule = await world.addRule({ person_id: person, group_by: ['type'], wait_for: 60e9 })
    const alone = await world.addRule({ person_id: person, wait_for: 60e9, filter: `check.name == 'three'` })
    for (const check of [one, two, three]) await world.turn(check ?? '', 'unhealthy')
    await expect.poll(async () => (await statuses(rule)).toSorted()).toEqual(['grouped', 'grouped', 'pending'])
    await expect.poll(() => statuses(alone)).toEqual(['pending'])
    expect(server.mails).toHaveLength(0)
    await world.turn(three ?? '', 'healthy')
    await world.pass(60)
    await expect.poll(() => statuses(alone)).toEqual(['held-back'])
    await expect.poll(async () => (await statuses(rule)).includes('sent')).toBe(true)
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.source).toContain('and 1 more')
    expect(server.mails[0]?.text).toMatch(/- (?:one|two)/)
    expect(server.mails[0]?.text).not.toContain('three')
  })

  it('tells the fallback when a message is given up, or not taken in time, and nobody twice', async () => {
    const [ada, grace] = [
      await world.addPerson('Ada', 'ada@example.org'),
      await world.addPerson('Grace', 'grace@example.org'),
    ]
    const check = await world.addCheck('api')
    const given = await world.addRule({
      custom_services: '[{"connection":"connection://default/closed"}]',
      properties: JSON.stringify({ fallback_person: grace }),
    })
    const slow = await world.addRule({
      person_id: ada,
      properties: JSON.stringify({ fallback_person: grace, fallback_after: '10m' }),
    })
    await database.pool.query(
      `insert into connections (name, namespace, type, url) values ('closed', 'default', 'generic_webhook', 'generic+http://127.0.0.1:9/')`,
    )
    await world.turn(check, 'unhealthy')
    // Taken in time: nobody else is told when the time is over.
    await expect.poll(() => told(slow)).toEqual(['Ada sent', 'Grace pending'])
    for (const attempts of [1, 2, 3]) {
      await expect.poll(async () => (await world.history(given))[0]).toMatchObject({ status: 'pending', attempts })
      await world.pass(700)
    }
    await expect.poll(() => told(given)).toEqual(['Grace fallback', 'closed error'])
    await expect.poll(() => told(slow)).toEqual(['Ada sent', 'Grace held-back'])
    expect(server.mails.map(({ recipients }) => recipients.join()).toSorted()).toEqual([
      'ada@example.org',
      'grace@example.org',
    ])
  })

  it('tells the fallback nothing of a group whose message was taken', async () => {
    const [ada, grace] = [
      await world.addPerson('Ada', 'ada@example.org'),
      await world.addPerson('Grace', 'grace@example.org'),
    ]
    const checks = await Promise.all(['one', 'two', 'three'].map((name) => world.addCheck(name)))
    const rule = await world.addRule({
      person_id: ada,
      group_by: ['type'],
      wait_for: 60e9,
      properties: JSON.stringify({ fallback_person: grace, fallback_after: '10m' }),
    })
    for (const check of checks) await world.turn(check, 'unhealthy')
    await expect.poll(() => told(rule)).toEqual(['Ada grouped', 'Ada grouped', 'Ada pending', ...waiting('Grace')])
    await world.pass(60)
    await expect.poll(() => told(rule)).toEqual(['Ada grouped', 'Ada grouped', 'Ada sent', ...waiting('Grace')])
    await world.pass(600)
    await expect
      .poll(() => told(rule))
      .toEqual(['Ada grouped', 'Ada grouped', 'Ada sent', 'Grace held-back', 'Grace held-back', 'Grace held-back'])
    expect(server.mails).toHaveLength(1)
  })

  it.each([
    ['its last attempt', {}],
    ['the time it had', { fallback_after: '10m' }],
  ])('tells the fallback of a whole group after %s in one message, and hears all of it anew', async (_, delay) => {
    const grace = await world.addPerson('Grace', 'grace@example.org')
    const checks = await Promise.all(['one', 'two', 'three'].map((name) => world.addCheck(name)))
    await database.pool.query(
      `insert into connections (name, namespace, type, url) values ('closed', 'default', 'generic_webhook', 'generic+http://127.0.0.1:9/')`,
    )
    const rule = await world.addRule({
      custom_services: '[{"connection":"connection://default/closed"}]',
      group_by: ['type'],
      wait_for: 60e9,
      repeat_interval: '1d',
      properties: JSON.stringify({ fallback_person: grace, ...delay }),
    })
    for (const check of checks) await world.turn(check, 'unhealthy')
    const toClosed = async () => (await told(rule)).filter((each) => each.startsWith('closed'))
    await expect.poll(toClosed).toEqual(['closed grouped', 'closed grouped', 'closed pending'])
    for (const attempts of [1, 2, 3]) {
      await world.pass(700)
      await expect
        .poll(async () =>
          (await world.history(rule)).find(({ recipient, attempts: made }) => recipient === 'closed' && made !== 0),
        )
        .toMatchObject({ status: 'pending', attempts })
    }
    await world.pass(700)
    await expect.poll(toClosed).toEqual(['closed error', 'closed error', 'closed error'])
    await expect.poll(() => told(rule)).toContain('Grace fallback')
    expect(server.mails).toHaveLength(1)
    for (const name of ['one', 'two', 'three']) expect(server.mails[0]?.source).toContain(name)
    await world.turn(checks[1] ?? '', 'healthy')
    await world.turn(checks[1] ?? '', 'unhealthy')
    await expect.poll(toClosed).toContain('closed pending')
  })

  it('tries again what a server does not take, under the same id, gives up after four attempts, and resends when asked', async () => {
    server.refuse('try again later')
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api')
    const rule = await world.addRule({ person_id: person })
    await world.turn(check, 'unhealthy')
    for (const attempts of [1, 2, 3]) {
      await expect
        .poll(async () => (await world.history(rule))[0])
        .toMatchObject({ status: 'pending', attempts, error: expect.stringContaining('try again later') })
      await world.pass(700)
    }
    await expect.poll(async () => (await world.history(rule))[0]).toMatchObject({ status: 'error', attempts: 4 })
    server.refuse(null)
    const [row] = await world.history(rule)
    expect(await world.resend(row?.id ?? '')).toBe(true)
    await expect.poll(() => statuses(rule)).toEqual(['sent'])
    expect(server.mails[0]?.source).toContain(`Message-ID: <${row?.id}@watch.example>`)
  })

  it('sends again when asked, also when what it says is over, under a key of its own once it was taken', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const [one, two] = [await world.addCheck('one'), await world.addCheck('two')]
    const rule = await world.addRule({ person_id: person, group_by: ['type'], wait_for: 60e9 })
    const late = await world.addRule({ person_id: person, wait_for: 120e9, filter: `check.name == 'one'` })
    for (const check of [one, two]) await world.turn(check, 'unhealthy')
    await expect.poll(() => told(rule)).toEqual(['Ada grouped', 'Ada pending'])
    await expect.poll(() => told(late)).toEqual(['Ada pending'])
    await world.pass(60)
    await expect.poll(() => told(rule)).toEqual(['Ada grouped', 'Ada sent'])
    for (const check of [one, two]) await world.turn(check, 'healthy')
    await world.pass(60)
    await expect.poll(() => told(late)).toEqual(['Ada held-back'])
    for (const [index, each] of [rule, late].entries()) {
      const row = (await world.history(each)).find(({ status }) => status !== 'grouped')
      expect(await world.resend(row?.id ?? '')).toBe(true)
      await expect.poll(() => told(each)).toContain('Ada sent')
      await expect.poll(() => server.mails.length).toBe(index + 2)
    }
    const ids = server.mails.map(({ source }) => /Message-ID: .*/.exec(source)?.[0])
    expect(new Set(ids).size).toBe(3)
    expect(server.mails[1]?.source).toContain('and 1 more')
  })

  it('writes the words of the rule where it has some, of one line in headers', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api\r\nBcc: eve@example.org')
    const rule = await world.addRule({
      person_id: person,
      title: '{{ .check.name }} down',
      template: '{{ if .status == "unhealthy" }}It is down: {{ link }}{{ end }}',
    })
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule)).toEqual(['sent'])
    expect(server.mails[0]?.source).toContain('Subject: api Bcc: eve@example.org down')
    expect(server.mails[0]?.source).not.toMatch(/^Bcc:/m)
    expect(server.mails[0]?.text).toContain(`It is down: https://watch.example/health?checkId=${check}`)
  })

  it('hands a webhook the message under one key, waits as it asks, ends at what is wrong, and is kept by none that hangs', async () => {
    const answers = [429, 200]
    const calls: { path: string; key: unknown; body: string }[] = []
    const receiver = createServer((request, response) => {
      void readText(request).then((body) => {
        calls.push({ path: request.url ?? '', key: request.headers['idempotency-key'], body })
        if (request.url === '/hangs') return
        response.writeHead(request.url === '/gone' ? 410 : (answers.shift() ?? 200), { 'retry-after': '60' }).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const ruleTo = async (name: string): Promise<string> => {
      const { rows } = await database.pool.query<{ id: string }>(
        `insert into connections (name, type, url) values ($1, 'generic_webhook', $2) returning id`,
        [
          name,
          `generic+http://127.0.0.1:${port}/${name}?ContentType=application%2Fjson&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false`,
        ],
      )
      return world.addRule({ custom_services: JSON.stringify([{ connection: rows[0]?.id }]) })
    }
    try {
      const [hangs, gone, busy] = [await ruleTo('hangs'), await ruleTo('gone'), await ruleTo('busy')]
      await world.turn(await world.addCheck('api'), 'unhealthy')
      await expect.poll(() => statuses(gone)).toEqual(['error'])
      await expect.poll(() => statuses(hangs)).toEqual(['sending'])
      await expect
        .poll(async () => (await world.history(busy))[0])
        .toMatchObject({ status: 'pending', attempts: 1, error: expect.stringContaining('429') })
      await world.pass(50)
      expect((await world.history(busy))[0]).toMatchObject({ attempts: 1 })
      await world.pass(10)
      await expect.poll(() => statuses(busy)).toEqual(['sent'])
      // On a busy machine it may have been given up by now.
      expect(await statuses(hangs)).not.toContain('sent')
      const [row] = await world.history(busy)
      const told = calls.filter(({ path }) => path === '/busy')
      expect(told.map(({ key }) => key)).toEqual([row?.id, row?.id])
      expect(JSON.parse(told[0]?.body ?? '')).toMatchObject({ title: 'Check api is failing' })
    } finally {
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    }
  })

  it('tells each of several chats once, over attempts, an end of the process and a resend', async () => {
    const service = await startServiceServer()
    onTestFinished(() => service.stop())
    await world.close()
    world = startNotificationWorld(database, server.url, service.network)
    const chatOf = (body: string): string => (JSON.parse(body) as { chat_id: string }).chat_id
    const chats = (): string => service.asked.map(({ body }) => chatOf(body)).join('')
    const refuseAllBut = (taking: string): void =>
      service.answerBy(({ body }) =>
        taking.includes(chatOf(body)) ? { body: { ok: true, result: {} } } : { status: 503, body: {} },
      )
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into connections (name, type, username, password) values ('chats', 'telegram', 'a, b, c, d', '1:x') returning id`,
    )
    const rule = await world.addRule({ custom_services: JSON.stringify([{ connection: rows[0]?.id }]) })
    const latest = async () => (await world.history(rule))[0]
    refuseAllBut('bd')
    await world.turn(await world.addCheck('api'), 'unhealthy')
    await expect.poll(latest).toMatchObject({
      status: 'pending',
      attempts: 1,
      error: expect.stringMatching(/^2 of 4 took it; a: it answered 503.*; c: /),
    })
    expect(chats()).toBe('abcd')

    await world.close()
    world = startNotificationWorld(database, server.url, service.network)
    refuseAllBut('c')
    await world.pass(20)
    await expect.poll(latest).toMatchObject({ status: 'pending', attempts: 2 })
    expect(chats()).toBe('abcdac')
    await world.pass(700)
    await expect.poll(latest).toMatchObject({ status: 'pending', attempts: 3 })
    await world.pass(700)
    await expect.poll(latest).toMatchObject({ status: 'error', error: expect.stringMatching(/^3 of 4 took it; a: /) })
    expect(chats()).toBe('abcdacaa')

    refuseAllBut('abcd')
    const id = (await latest())?.id ?? ''
    await world.resend(id)
    await expect.poll(latest).toMatchObject({ status: 'sent' })
    expect(chats()).toBe('abcdacaaa')
    // Whoever asks for what was delivered means all of them.
    await world.resend(id)
    await expect.poll(chats).toBe('abcdacaaaabcd')
  })
})
