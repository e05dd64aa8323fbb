import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { changingName } from '#support/changingName.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { freePort } from '#support/freePort.ts'
import { listen, untilClosed } from '#support/listen.ts'
import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'

import type { RunnerSpec } from '../../../../gateway/src/check-runner/contract.ts'
import { postgresRunner } from '../../../../gateway/src/check-runner/types/postgres.ts'

let database: TestDatabase
/** The database has a unix socket, which checks must not reach; this leads from a port to it. */
let door: Server
let databaseUrl: string

beforeAll(async () => {
  database = await startTestDatabase()
  const [, credentials = '', name = '', query = ''] =
    /^\w+:\/\/([^@]*)@\/([^?]*)\?(.*)$/.exec(database.databaseUrl) ?? []
  const socketPath = join(new URLSearchParams(query).get('host') ?? '', '.s.PGSQL.5432')
  door = createServer((client) => {
    const socket = connect(socketPath)
    client.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(socket).pipe(client)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  databaseUrl = `postgresql://${credentials}@127.0.0.1:${(door.address() as AddressInfo).port}/${name}`
})
afterAll(async () => {
  door.close()
  await database.stop()
})

const run = (spec: Omit<RunnerSpec<'postgres'>, 'url'>) =>
  postgresRunner.run({ url: databaseUrl, ...spec }, buildRunDeps())

async function countConnections(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'watchroom check'`,
  )
  return rows[0]?.count ?? Number.NaN
}

describe('postgres runner', () => {
  it('connects, asks and disconnects', async () => {
    expect(await run({})).toMatchObject({ passed: true, message: '1 row', details: { rows: 1 } })
    await eventually(async () => expect(await countConnections()).toBe(0))
  })

  it.each([
    [3, undefined],
    [2, 'the query returned 3 rows, expected 2'],
  ])('expects %i rows', async (results, error) => {
    const outcome = await run({ query: 'select generate_series(1, 3)', results })
    expect(outcome.error).toBe(error)
    expect(outcome.passed).toBe(error === undefined)
  })

  it.each([
    ['select nonsense', 'column "nonsense" does not exist (42703)'],
    ['selct 1', 'syntax error at or near "selct" (42601)'],
    ['select generate_series(1, 200000)', 'the query returns more than 100000 rows'],
  ])('says what is wrong with %j', async (query, error) => {
    expect(await run({ query })).toMatchObject({ passed: false, error })
    await eventually(async () => expect(await countConnections()).toBe(0))
  })

  it('says that the database does not exist', async () => {
    const url = databaseUrl.replace(/\/[^/]+$/, '/no_such_database?application_name=x&sslmode=disable')
    const outcome = await postgresRunner.run({ url }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: 'database "no_such_database" does not exist (3D000)' })
  })

  it.each([
    ['?host=/var/run/postgresql', 'the parameter host'],
    ['?sslrootcert=/etc/passwd', 'the parameter sslrootcert'],
    ['?sslcert=/etc/passwd&sslkey=/etc/shadow', 'the parameter sslcert'],
    ['?passfile=/etc/passwd', 'the parameter passfile'],
    ['?service=x', 'the parameter service'],
    ['?servicefile=/x', 'the parameter servicefile'],
    ['?options=-c%20x', 'the parameter options'],
    ['?sslmode=verify-full&sslmode=/etc/passwd', 'sslmode is not one of'],
  ])('refuses an address that names files or sockets: %s', async (query, error) => {
    const outcome = await postgresRunner.run({ url: `${databaseUrl}${query}` }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, invalid: true, error: expect.stringContaining(error) })
    expect(JSON.stringify(outcome)).not.toContain('/etc')
  })

  it.each(['postgres:///x', 'postgres://%2Fvar%2Frun/x', 'postgres://u:p@/x'])('refuses %s, a socket', async (url) => {
    expect(await postgresRunner.run({ url }, buildRunDeps())).toMatchObject({ passed: false, invalid: true })
  })

  it('takes no password from the home directory or the environment of the product', async () => {
    const home = mkdtempSync(join(tmpdir(), 'wr-pgpass-'))
    onTestFinished(() => {
      rmSync(home, { recursive: true })
      vi.unstubAllEnvs()
    })
    const password = decodeURIComponent(new URL(databaseUrl.replace('postgresql:', 'http:')).password)
    writeFileSync(join(home, 'pgpass'), `*:*:*:*:${password}\n`, { mode: 0o600 })
    vi.stubEnv('PGPASSFILE', join(home, 'pgpass'))
    vi.stubEnv('PGPASSWORD', password)
    const outcome = await postgresRunner.run({ url: databaseUrl.replace(/:[^:@/]*@/, '@') }, buildRunDeps())
    expect(outcome.passed).toBe(false)
    expect(outcome.error).toMatch(/password/)
  })

  it('looks a name up once, and asks where that was', async () => {
    const { wayOut, lookUps } = changingName()
    const url = databaseUrl.replace('127.0.0.1', 'changing.test')
    expect(await postgresRunner.run({ url }, buildRunDeps({ wayOut }))).toMatchObject({ passed: true })
    expect(lookUps).toEqual(['changing.test'])
    expect(await postgresRunner.run({ url }, buildRunDeps({ wayOut }))).toMatchObject({
      passed: false,
      error: expect.stringContaining('metadata of a cloud'),
    })
  })

  it('says that nobody listens', async () => {
    const port = await freePort()
    const outcome = await postgresRunner.run({ url: `postgres://u:hunter2@127.0.0.1:${port}/x` }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: `connection refused (127.0.0.1:${port})` })
  })

  it('gives up at the deadline on a query that does not end', async () => {
    const spec = { url: databaseUrl, query: 'select pg_sleep(60)' }
    const outcome = await runToDeadline({ type: 'postgres', name: 'slow', timeoutMs: 300, spec })
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 300ms' })
    await eventually(async () => expect(await countConnections()).toBe(0))
  })

  it('gives up at the deadline on a server that never greets', async () => {
    const server = createServer((socket) => socket.resume())
    const closed = untilClosed(server)
    const spec = { url: `postgres://u:p@127.0.0.1:${await listen(server)}/x` }
    const outcome = await runToDeadline({ type: 'postgres', name: 'mute', timeoutMs: 150, spec })
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 150ms' })
    await closed
  })
})
