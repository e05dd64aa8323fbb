// What the database tells of runs while it changes.
import { randomUUID } from 'node:crypto'

import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
let listener: Client
const heard: string[] = []

const playbook = randomUUID()
const run = randomUUID()
const action = randomUUID()

beforeAll(async () => {
  database = await startTestDatabase()
  await database.pool.query(`insert into playbooks (id, name, spec) values ($1, 'told', '{}')`, [playbook])
  listener = new Client({ connectionString: database.databaseUrl })
  listener.on('notification', ({ payload = '' }) => heard.push(payload))
  await listener.connect()
  await listener.query('listen watchroom_topic')
})
afterAll(async () => {
  await listener.end()
  await database.stop()
})

const piece = `insert into playbook_run_outputs (action_id, seq, stream, text, place) values`

it.each([
  [
    'a run',
    `insert into playbook_runs (id, playbook_id) values ('${run}', '${playbook}')`,
    ['playbookRuns', `playbookRun:${run}`],
  ],
  [
    'a run that goes on',
    `update playbook_runs set status = 'running' where id = '${run}'`,
    ['playbookRuns', `playbookRun:${run}`],
  ],
  [
    'a step',
    `insert into playbook_run_actions (id, name, playbook_run_id) values ('${action}', 'one', '${run}')`,
    [`playbookRun:${run}`],
  ],
  [
    'what a step prints, once for many pieces',
    `${piece} ('${action}', 1, 'stdout', 'a', 0), ('${action}', 2, 'stdout', 'b', 1)`,
    [`playbookOutput:${action}`],
  ],
  [
    'an approval',
    `insert into playbook_approvals (run_id, action_id) values ('${run}', '${action}')`,
    ['eventQueue', `playbookRun:${run}`, 'waitingRuns'],
  ],
  ['a playbook that someone saves', `update playbooks set title = 'Told' where id = '${playbook}'`, ['playbooks']],
])('tells of %s', async (_what, change, expected) => {
  heard.length = 0
  await database.pool.query(change)
  // Notifications come before the answer to what is asked after them.
  await listener.query('select 1')
  expect(heard.toSorted()).toEqual(expected.toSorted())
})

it('keeps a number of a piece, and an approval of a person, once', async () => {
  await expect(database.pool.query(`${piece} ('${action}', 1, 'stdout', 'again', 0)`)).rejects.toThrow('duplicate')
  const person = randomUUID()
  await database.pool.query(`insert into people (id, name) values ($1, 'Rae')`, [person])
  const approve = 'insert into playbook_approvals (run_id, person_id) values ($1, $2)'
  await database.pool.query(approve, [run, person])
  await expect(database.pool.query(approve, [run, person])).rejects.toThrow('duplicate')
})
