import type { RehearsalDraft } from '@watchroom/shared/notifications'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'
import { type NotificationWorld, startNotificationWorld } from '#support/notificationWorld.ts'

import { explainTransition, listTransitions } from '../../../../gateway/src/embedded-backend/notifications/explain.ts'

let database: TestDatabase
let server: MailServer
let world: NotificationWorld
let person: string

const PAGE = { limit: 50, offset: 0 }

beforeAll(async () => {
  database = await startTestDatabase()
  server = await startMailServer()
  world = startNotificationWorld(database, server.url)
  person = await world.addPerson('Ada', 'ada@example.org')
})
afterAll(async () => {
  await world?.close()
  await server?.close()
  await database?.stop()
})

/** Until so many rules have decided on each of the resource's transitions. */
async function untilDecided(resource: string | undefined, event: string, transitions: number, rules: number) {
  const ask = { ...PAGE, event, ...(resource !== undefined && { resource_id: resource }) }
  await expect
    .poll(async () => {
      const page = await listTransitions(database.pool, ask)
      return page.transitions.filter(({ decided }) => decided === rules).length
    })
    .toBe(transitions)
}

/** One after the other: what is raised twice before it is taken is one. */
async function turn(check: string, statuses: readonly ('healthy' | 'unhealthy')[]): Promise<void> {
  for (const status of statuses) {
    const { total } = await listTransitions(database.pool, { ...PAGE, resource_id: check })
    await world.turn(check, status)
    await expect
      .poll(async () => (await listTransitions(database.pool, { ...PAGE, resource_id: check })).total)
      .toBe(total + 1)
  }
}

const silence = (check: string): Promise<unknown> =>
  database.pool.query(
    `insert into notification_silences (check_id, "from", until, description)
     values ($1, now() - interval '1 hour', now() + interval '1 hour', 'maintenance')`,
    [check],
  )

describe('explainTransition', () => {
  it('says of each rule what decided, clause by clause, and what became of its messages: as the history does', async () => {
    const check = await world.addCheck('api')
    const failed = { person_id: person }
    const told = await world.addRule({ ...failed, title: 'a told', filter: `check.name == 'api'` })
    const filtered = await world.addRule({ ...failed, title: 'b filtered', filter: `check.name == 'web'` })
    const broken = await world.addRule({ ...failed, title: 'c broken', filter: 'check.name ==' })
    const nobody = await world.addRule({ title: 'd nobody' })
    const calm = await world.addRule({ ...failed, title: 'e calm', repeat_interval: '1h' })
    const other = await world.addRule({ ...failed, title: 'f other', events: ['component.unhealthy'] })
    await turn(check, ['unhealthy', 'healthy', 'unhealthy'])
    await untilDecided(check, 'check.failed', 2, 5)
    const list = await listTransitions(database.pool, { ...PAGE, resource_id: check, event: 'check.failed' })
    expect(list).toMatchObject({ total: 2, transitions: [{ resource: 'api', event: 'check.failed' }, {}] })
    const last = list.transitions[0]?.id ?? ''
    const late = await world.addRule({ ...failed, title: 'g late' })
    await expect.poll(async () => (await world.history(told)).map(({ status }) => status)).toEqual(['sent', 'sent'])
    const explained = await explainTransition(database.pool, last)
    const verdicts = explained?.rules.map(({ id, outcome, clauses }) => [id, outcome, clauses.at(-1)])
    expect(verdicts).toEqual([
      [told, 'told', { clause: 'limit', isMet: true, detail: null }],
      [filtered, 'filtered', { clause: 'filter', isMet: false, detail: null }],
      [broken, 'error', { clause: 'filter', isMet: false, detail: expect.stringContaining('filter: ') as string }],
      [nobody, 'error', { clause: 'recipient', isMet: false, detail: 'the rule has no recipient' }],
      [calm, 'repeat-interval', { clause: 'repeat-interval', isMet: false, detail: '1h' }],
      [other, 'not-asked', { clause: 'event', isMet: false, detail: null }],
      [late, 'not-asked', { clause: 'event', isMet: false, detail: 'The rule did not ask for it yet.' }],
    ])
    expect(explained?.rules[0]?.clauses.map(({ clause }) => clause)).toEqual([
      'event',
      'filter',
      'recipient',
      'silence',
      'limit',
    ])
    for (const { id, sends } of explained?.rules ?? []) {
      const rows = (await world.history(id)).filter(({ transition }) => transition === last)
      expect([id, sends.map((send) => [send.id, send.status])]).toEqual([id, rows.map((row) => [row.id, row.status])])
    }
    expect(await explainTransition(database.pool, person)).toBeNull()
    await database.pool.query('delete from notifications')
  })
})

/** As the history counts: messages to recipients, and what was not sent. */
async function countsOf(ruleId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, count } of await world.history(ruleId)) counts[status] = (counts[status] ?? 0) + Number(count)
  return counts
}

describe('rehearseRule', () => {
  it('gives for a rule that is not changed what happened', async () => {
    const [one, two, three, quiet] = await Promise.all(
      ['one', 'two', 'three', 'quiet'].map((name) => world.addCheck(name)),
    )
    const checks = [one ?? '', two ?? '', three ?? '', quiet ?? '']
    await silence(quiet ?? '')
    const drafts: Record<string, RehearsalDraft> = {
      each: { events: ['check.failed'], person_id: person },
      both: {
        events: ['check.failed', 'check.passed'],
        person_id: person,
        filter: `check.name != 'two' && check.name != 'api'`,
      },
      calm: { events: ['check.failed'], person_id: person, repeat_interval: '1d' },
      folded: { events: ['check.failed'], person_id: person, group_by: ['type'], wait_for: 60e9 },
      patient: { events: ['check.failed'], person_id: person, wait_for: 60e9 },
      nobody: { events: ['check.failed'] },
    }
    const rules = new Map<string, string>()
    for (const [name, { wait_for: waitFor, ...draft }] of Object.entries(drafts))
      rules.set(name, await world.addRule({ ...draft, ...(waitFor && { wait_for: waitFor }) }))
    for (const check of checks) await turn(check, ['unhealthy'])
    for (const check of checks.slice(0, 1)) await turn(check, ['healthy', 'unhealthy'])
    await turn(three ?? '', ['healthy'])
    await untilDecided(undefined, 'check.failed', 5, 6)
    await world.pass(60)
    for (const id of rules.values())
      await expect.poll(async () => Object.keys(await countsOf(id))).not.toContain('pending')
    await expect
      .poll(
        async () =>
          (await database.pool.query(`select from notification_send_history where status = 'sending'`)).rowCount,
      )
      .toBe(0)
    // The minute that the rules wait has passed for what was tried, too.
    await database.pool.query(
      `update watchroom_internal.transitions set happened_at = happened_at - interval '5 minutes'`,
    )
    for (const [name, draft] of Object.entries(drafts)) {
      const { counts, faults } = await world.rehearse({ ...draft, filter: draft.filter ?? `check.name != 'api'` })
      const { filtered, ...all } = counts
      const made = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
      expect([name, faults, made]).toEqual([name, [], await countsOf(rules.get(name) ?? '')])
      expect(filtered).toBeGreaterThan(0)
    }
    expect(await countsOf(rules.get('folded') ?? '')).toEqual({ sent: 1, grouped: 2, 'held-back': 1, silenced: 1 })
  })

  it('counts what the rule told before the days that are tried', async () => {
    const check = await world.addCheck('long ago')
    const draft: RehearsalDraft = {
      events: ['check.failed'],
      person_id: person,
      filter: `check.name == 'long ago'`,
      repeat_interval: '1m',
    }
    const rule = await world.addRule({ ...draft })
    await database.pool.query(
      `insert into notification_send_history (notification_id, resource_id, source_event, status, transition, created_at)
       values ($1, $2, 'check.failed', 'sent', gen_random_uuid(), now() - interval '9 days')`,
      [rule, check],
    )
    await turn(check, ['unhealthy'])
    await expect.poll(() => countsOf(rule)).toMatchObject({ 'repeat-interval': 1 })
    const countedOf = async (id: string | null) => {
      const { counts } = await world.rehearse({ ...draft, id })
      return [counts['repeat-interval'], counts.sent]
    }
    expect(await countedOf(rule)).toEqual([1, 0])
    expect(await countedOf(null)).toEqual([0, 1])
  })

  it('says what is wrong with a filter, and that nothing happened that a rule asks for', async () => {
    const broken = await world.rehearse({ events: ['check.failed'], filter: 'check.name ==' })
    expect(broken.faults).toEqual([{ field: 'filter', message: expect.any(String) as string }])
    expect(await world.rehearse({ events: ['config.deleted'], person_id: person })).toMatchObject({ transitions: 0 })
  })
})
