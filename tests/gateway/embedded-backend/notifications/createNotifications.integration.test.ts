import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'
import { type NotificationWorld, startNotificationWorld } from '#support/notificationWorld.ts'

let database: TestDatabase
let server: MailServer
let world: NotificationWorld

const SOON = { timeout: 5_000 }

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
    'delete from notifications; delete from notification_silences; delete from event_queue; delete from team_members; delete from teams',
  )
})

const statuses = async (ruleId: string): Promise<string[]> => (await world.history(ruleId)).map(({ status }) => status)

describe('createNotifications', () => {
  it('tells a person of a check that fails, once, with links, and writes down what was said', async () => {
    const person = await world.addPerson('Ada', 'ada@example.org')
    const check = await world.addCheck('api', { labels: '{"team":"pay"}' })
    const rule = await world.addRule({ title: 'Payments', person_id: person, filter: `check.name == 'api'` })
    await world.turn(check, 'unhealthy')
    await expect.poll(() => statuses(rule), SOON).toEqual(['sent'])
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
})
