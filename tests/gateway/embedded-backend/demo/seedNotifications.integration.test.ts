import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { startNotificationWorld } from '#support/notificationWorld.ts'

import { createConnectionTests } from '../../../../gateway/src/embedded-backend/connections/createConnectionTests.ts'
import { readConnection } from '../../../../gateway/src/embedded-backend/connections/readConnection.ts'
import { prepareHealthData } from '../../../../gateway/src/embedded-backend/demo/prepareHealthData.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let dataDirectory: string
const closers: (() => Promise<void>)[] = []
const logger = pino({ level: 'silent' })

beforeEach(async () => {
  database = await startTestDatabase()
  dataDirectory = mkdtempSync(join(tmpdir(), 'watchroom-demo-'))
  await database.pool.query(
    `insert into people (name, email) select initcap(role), role || '@demo.watchroom.local'
     from unnest(array['admin', 'editor', 'commander', 'responder', 'viewer']) role
     union all select 'First', 'first@test.local'`,
  )
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await database.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

async function prepare(): Promise<{ close: () => Promise<void> }> {
  const { pool, vault } = database
  const profile = 'demo' as const
  const options = { adminEmail: 'first@test.local', dataDirectory, profile, publicUrl: 'http://127.0.0.1:1' }
  const data = await prepareHealthData(
    { pool, vault, clock: systemClock, logger, options },
    { confinement: { kind: 'namespaces' } },
  )
  closers.push(() => data.close())
  return data
}

const column = async <Value>(text: string): Promise<Value[]> =>
  (await database.pool.query<{ value: Value }>(text)).rows.map(({ value }) => value)

async function testAll(): Promise<Record<string, string>> {
  const tests = createConnectionTests({
    clock: systemClock,
    logger,
    folders: { roots: [], hidden: [], own: [join(dataDirectory, 'demo')] },
  })
  const { rows } = await database.pool.query<{ id: string; name: string }>('select id, name from connections')
  const outcomes: Record<string, string> = {}
  for (const { id, name } of rows) {
    const stored = await readConnection(database, id)
    const verdict = stored && (await tests.run('ada', stored, new AbortController().signal))
    outcomes[name] = verdict?.ok ? verdict.value.outcome : 'not tested'
  }
  return outcomes
}
const WORKING = { 'on-call-display': 'ok', 'depot-pagers': 'ok', 'web-shop': 'ok', 'label-spool': 'ok' }

it('has members in every team, connections that work here, and rules that tell someone at once', async () => {
  await prepare()
  const lonely = 'select name as value from teams where id not in (select team_id from team_members)'
  expect(await column(lonely)).toEqual([])
  expect(await testAll()).toEqual(WORKING)
  expect(await column(`select description as value from notification_silences where until > now()`)).toHaveLength(1)

  const world = startNotificationWorld(database, undefined)
  closers.push(() => world.close())
  const [checkout = ''] = await column<string>(`select id as value from checks where name = 'checkout'`)
  const [sorter = ''] = await column<string>(`select id as value from checks where name = 'newark/sorter'`)
  for (const check of [checkout, sorter]) await world.turn(check, 'healthy')
  for (const check of [checkout, sorter]) await world.turn(check, 'unhealthy')
  const told = `select distinct rule.title || ' to ' || history.recipient as value
    from notification_send_history as history join notifications as rule on rule.id = history.notification_id
    where history.status = 'sent' and history.resource_id in ('${checkout}', '${sorter}') order by 1`
  await expect
    .poll(() => column(told))
    .toEqual(['Critical checks to on-call-display', 'Depots to Commander', 'Depots to Responder'])
  expect(await column('select error as value from notifications where error is not null')).toEqual([])
  expect(await column(`select error as value from notification_send_history where error is not null`)).toEqual([])
})

it('is seeded once; its connections follow the target, whose port someone else may take', async () => {
  await (await prepare()).close()
  const squatter = createServer()
  const port = Number(readFileSync(join(dataDirectory, 'demo-target-port'), 'utf8'))
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void squatter.close())
  await database.pool.query(`update notifications set deleted_at = now() where title = 'Depots'`)
  await prepare()
  expect(await column('select count(*)::int as value from notifications')).toEqual([4])
  expect(await testAll()).toEqual(WORKING)
})
