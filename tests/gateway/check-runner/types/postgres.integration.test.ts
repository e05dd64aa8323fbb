import { createServer } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { findFreePort, listen, untilClosed } from '#support/listen.ts'
import { buildRunDeps } from '#support/runDeps.ts'

import type { RunnerSpec } from '../../../../gateway/src/check-runner/contract.ts'
import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import { postgresRunner } from '../../../../gateway/src/check-runner/types/postgres.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const run = (spec: Omit<RunnerSpec<'postgres'>, 'url'>) =>
  postgresRunner.run({ url: database.databaseUrl, ...spec }, buildRunDeps())

async function countConnections(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'watchroom check'`,
  )
  return rows[0]?.count ?? Number.NaN
}

describe('postgres runner', () => {
  it('connects, asks and disconnects', async () => {
    expect(await run({})).toMatchObject({ passed: true, message: '1 row', details: { rows: 1 } })
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), 5_000)
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
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), 5_000)
  })

  it('says that the database does not exist', async () => {
    const url = database.databaseUrl.replace(/\/[^/?]+\?/, '/no_such_database?')
    const outcome = await postgresRunner.run({ url }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: 'database "no_such_database" does not exist (3D000)' })
  })

  it('says that nobody listens', async () => {
    const port = await findFreePort(createServer)
    const outcome = await postgresRunner.run({ url: `postgres://u:hunter2@127.0.0.1:${port}/x` }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: `connection refused (127.0.0.1:${port})` })
  })

  it('gives up at the deadline on a query that does not end', async () => {
    const spec = { url: database.databaseUrl, query: 'select pg_sleep(60)' }
    const outcome = await runCheck({ type: 'postgres', name: 'slow', timeoutMs: 300, spec }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 300ms' })
    expect(outcome.durationMs).toBeLessThan(1_200)
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), { timeout: 5_000 })
  })

  it('gives up at the deadline on a server that never greets', async () => {
    const server = createServer((socket) => socket.resume())
    const closed = untilClosed(server)
    const spec = { url: `postgres://u:p@127.0.0.1:${await listen(server)}/x` }
    const outcome = await runCheck({ type: 'postgres', name: 'mute', timeoutMs: 150, spec }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 150ms' })
    expect(outcome.durationMs).toBeLessThan(1_000)
    await closed
  })
})
