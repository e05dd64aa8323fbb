import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { insertConsoleRows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { openSecrets } from '#support/secrets.ts'

const TEAM = '00000000-0000-4000-8000-00000000f00d'
const SPEC = {
  responder_clients: {
    jira: {
      url: 'https://jira.example',
      username: { value: 'robot' },
      password: { value: 'hunter2', valueFrom: { secretKeyRef: { name: 'jira', key: 'password' } } },
      values: { project: 'OPS', username: 'shown in the form' },
      defaults: { summary: '${title}' },
      linkUrl: 'https://jira.example/browse/ID',
    },
    aws_support: { username: 'AKIA', password: 'secret://aws/password' },
  },
  notifications: [{ title: 'chat', properties: { webhook_url: 'https://chat.example/T0K3N' } }],
  components: [{ name: 'printing' }],
}

let database: TestDatabase
/** In a transaction that ends with its test. */
let session: PoolClient

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
})
afterAll(() => database.stop())
beforeEach(async () => {
  session = await database.pool.connect()
  await session.query('begin')
  await session.query(
    `insert into teams (id, name, spec, created_by) select $1, 'Printing', $2, id from people order by id limit 1`,
    [TEAM, SPEC],
  )
  return async () => {
    await session.query('rollback')
    session.release()
  }
})

const as = (role: string): Promise<unknown> => session.query(`set local role watchroom_${role}`)
const readSpec = async (from = 'teams'): Promise<typeof SPEC> => {
  const { rows } = await session.query<{ spec: typeof SPEC }>(`select spec from ${from} where id = $1`, [TEAM])
  if (!rows[0]) throw new Error('no such team')
  return rows[0].spec
}
const kept = async (): Promise<Record<string, unknown>> => {
  await session.query('reset role')
  return openSecrets(session, 'teams', TEAM)
}

describe('credentials of a team', () => {
  it('are seen by nobody, in the table as in the view; names, fields, templates and links are', async () => {
    for (const role of ['viewer', 'responder', 'admin']) {
      await as(role)
      for (const from of ['teams', 'teams_with_status']) {
        const spec = await readSpec(from)
        expect(JSON.stringify(spec)).not.toMatch(/robot|hunter2|AKIA|T0K3N/)
        expect(spec.responder_clients.jira).toEqual({
          ...SPEC.responder_clients.jira,
          username: { value: '***' },
          password: { ...SPEC.responder_clients.jira.password, value: '***' },
        })
        // Only a reference to where the secret is.
        expect(spec.responder_clients.aws_support.password).toBe('secret://aws/password')
        expect(spec.components).toEqual(SPEC.components)
      }
      await session.query('reset role')
    }
    expect(await kept()).toEqual({
      'spec.responder_clients.jira.username.value': 'robot',
      'spec.responder_clients.jira.password.value': 'hunter2',
      'spec.responder_clients.aws_support.username': 'AKIA',
      'spec.notifications.0.properties.webhook_url': 'https://chat.example/T0K3N',
    })
  })

  it('stay when a form sends *** back, and change when it sends something else', async () => {
    await as('admin')
    const spec = await readSpec()
    await session.query('update teams set spec = $2 where id = $1', [
      TEAM,
      { ...spec, responder_clients: { ...spec.responder_clients, aws_support: { username: 'NEW', password: '' } } },
    ])
    expect(JSON.stringify(await readSpec())).not.toMatch(/NEW|hunter2/)
    expect(await kept()).toEqual({
      'spec.responder_clients.jira.username.value': 'robot',
      'spec.responder_clients.jira.password.value': 'hunter2',
      'spec.responder_clients.aws_support.username': 'NEW',
      'spec.notifications.0.properties.webhook_url': 'https://chat.example/T0K3N',
    })
  })

  it('are forgotten with the spec, and with the team', async () => {
    await session.query(`update teams set spec = '{"components": []}' where id = $1`, [TEAM])
    expect(await kept()).toEqual({})
    await session.query('update teams set spec = $2 where id = $1', [TEAM, SPEC])
    expect(await kept()).not.toEqual({})
    await session.query('delete from teams where id = $1', [TEAM])
    expect(await kept()).toEqual({})
  })

  it('are out of reach of every console role', async () => {
    for (const role of ['viewer', 'admin']) {
      await as(role)
      for (const table of ['secrets', 'secret_keys', 'secret_rules']) {
        await session.query('savepoint attempt')
        await expect(session.query(`select * from watchroom_internal.${table}`)).rejects.toThrow('permission denied')
        await session.query('rollback to savepoint attempt')
      }
      await session.query('reset role')
    }
  })
})
