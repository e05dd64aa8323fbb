import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startEmptyTestDatabase, startTestDatabase, type TestDatabase } from '#support/database.ts'

import { migrate } from '../../../../gateway/src/embedded-backend/schema/migrate.ts'

const logger = pino({ level: 'silent' })
const source = fileURLToPath(new URL('../../../../gateway/src/embedded-backend/schema/migrations', import.meta.url))

describe('migrate', () => {
  let database: TestDatabase
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wr-migrations-'))
    await cp(source, directory, { recursive: true })
  })
  afterEach(async () => {
    await database.stop()
    await rm(directory, { recursive: true })
  })

  const run = (): Promise<string[]> => migrate(database.pool, { logger, migrationsDirectory: directory })
  const failure = (): Promise<unknown> =>
    run().then(
      () => 'migrated',
      (error: unknown) => error,
    )

  /** One that every file was applied to: what comes then is the same, and applying them takes seconds. */
  const migrated = async (): Promise<void> => {
    database = await startTestDatabase()
    expect(await run()).toEqual([])
  }

  it('applies every file once and nothing the second time', async () => {
    database = await startEmptyTestDatabase()
    const first = await run()
    expect(first[0]).toBe('0001_foundation.sql')
    expect(await run()).toEqual([])
    const { rows } = await database.pool.query<{ name: string }>('select name from watchroom.migration order by name')
    expect(rows.map(({ name }) => name)).toEqual(first)
  })

  it('applies every file once when several processes start together', async () => {
    database = await startEmptyTestDatabase()
    const applied = await Promise.all([run(), run(), run()])
    expect(
      applied
        .map((names) => names.length)
        .toSorted((a, b) => a - b)
        .slice(0, 2),
    ).toEqual([0, 0])
    expect(applied.flat()).toHaveLength(new Set(applied.flat()).size)
  })

  it('applies only what was added later', async () => {
    await migrated()
    await writeFile(join(directory, '9001_later.sql'), 'create table public.later (id integer)')
    expect(await run()).toEqual(['9001_later.sql'])
  })

  it('leaves no trace of a file that fails half-way', async () => {
    await migrated()
    await writeFile(join(directory, '9001_broken.sql'), 'create table public.half (id integer); select 1 / 0')
    expect(await failure()).toMatchObject({ code: '22012' })
    const { rows } = await database.pool.query(
      `select to_regclass('public.half') as half, to_regclass('public.people') as people`,
    )
    expect(rows).toEqual([{ half: null, people: 'people' }])
  })

  it('refuses a database that a newer program migrated', async () => {
    await migrated()
    await writeFile(join(directory, '9001_later.sql'), 'select 1')
    await run()
    await rm(join(directory, '9001_later.sql'))
    expect(await failure()).toMatchObject({
      code: 'SCHEMA_NEWER_THAN_PROGRAM',
      message: expect.stringContaining('9001_later.sql') as string,
    })
  })

  it('refuses a migration that was altered after it was applied', async () => {
    await migrated()
    const file = join(directory, '0002_people_and_agents.sql')
    await writeFile(file, `${await readFile(file, 'utf8')}\n-- edited`)
    expect(await failure()).toMatchObject({
      code: 'SCHEMA_CHECKSUM_MISMATCH',
      message: expect.stringContaining('0002_people_and_agents.sql') as string,
    })
  })

  it('takes a checkout with Windows line ends for the same migration', async () => {
    await migrated()
    const file = join(directory, '0001_foundation.sql')
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'))
    expect(await run()).toEqual([])
  })

  it('gives everyone their rights back after they were tampered with', async () => {
    await migrated()
    await database.pool.query(
      'grant delete on public.people to watchroom_viewer; revoke all on public.checks from watchroom_viewer',
    )
    await run()
    const { rows } = await database.pool.query(
      `select has_table_privilege('watchroom_viewer', 'public.people', 'delete') as deletes,
              has_table_privilege('watchroom_viewer', 'public.checks', 'select') as reads`,
    )
    expect(rows).toEqual([{ deletes: false, reads: true }])
  })
})
