// The store itself: what pgcrypto seals is opened here, keys come and go, and rows from before are hidden.
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { insertConsoleRows, rows as consoleRows } from '#support/consoleRows.ts'
import { startEmptyTestDatabase, startTestDatabase, type TestDatabase, TEST_SECRET_KEY } from '#support/database.ts'
import { openSecrets } from '#support/secrets.ts'

import { migrate } from '../../../../gateway/src/embedded-backend/schema/migrate.ts'
import { createVault, SecretUnreadable } from '../../../../gateway/src/embedded-backend/secrets/createVault.ts'
import { createPrivateKey, openMessage } from '../../../../gateway/src/embedded-backend/secrets/openPgp.ts'
import { prepareSecretKey, toSecretKey } from '../../../../gateway/src/embedded-backend/secrets/secretKey.ts'

const logger = pino({ level: 'silent' })
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function start(open: () => Promise<TestDatabase> = startTestDatabase): Promise<TestDatabase> {
  const database = await open()
  opened.push(() => database.stop())
  return database
}
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'watchroom-secrets-'))
  opened.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

describe('a sealed value', () => {
  it('opens with its key alone, and only unaltered', async () => {
    const { pool } = await start()
    for (const value of ['hunter2', '', 'x'.repeat(100_000), '😀 ünï', { a: [1, null] }]) {
      const { rows } = await pool.query<{ sealed: Buffer }>('select watchroom_internal.seal($1::jsonb, $2) as sealed', [
        JSON.stringify(value),
        TEST_SECRET_KEY.publicKey,
      ])
      const sealed = rows[0]?.sealed ?? Buffer.alloc(0)
      expect(JSON.parse(openMessage(sealed, TEST_SECRET_KEY.privateKey).toString())).toEqual(value)
      expect(() => openMessage(sealed, createPrivateKey())).toThrow('sealed for another key')
      const altered = Buffer.from(sealed)
      altered[altered.length - 5] = (altered[altered.length - 5] ?? 0) ^ 1
      expect(() => openMessage(altered, TEST_SECRET_KEY.privateKey)).toThrow('altered')
    }
  })
})

describe('the key file', () => {
  it('is made once, for this user alone, and is the same key from then on', () => {
    const directory = makeDirectory()
    const made = prepareSecretKey(directory)
    expect(statSync(join(directory, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(prepareSecretKey(directory)).toEqual(made)
    const elsewhere = join(directory, 'other', 'key')
    expect(prepareSecretKey(directory, elsewhere).id).not.toBe(made.id)
    expect(prepareSecretKey('/nowhere', elsewhere)).toEqual(prepareSecretKey(directory, elsewhere))
  })

  it('is refused when others may read it, or when it is none', () => {
    const directory = makeDirectory()
    prepareSecretKey(directory)
    chmodSync(join(directory, 'secret-key'), 0o640)
    expect(() => prepareSecretKey(directory)).toThrow('others may read it')
    const file = join(directory, 'none')
    writeFileSync(file, 'not a key', { mode: 0o600 })
    expect(() => prepareSecretKey(directory, file)).toThrow('it holds no key')
  })

  it('that was lost costs what was stored with it, by name, and nothing else', async () => {
    const { pool } = await start()
    const insert = async (name: string): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into connections (name, type, password) values ($1, 'http', 'hunter2') returning id`,
        [name],
      )
      return rows[0]?.id ?? ''
    }
    const before = await insert('before')
    const key = toSecretKey(createPrivateKey())
    const warned = vi.spyOn(logger, 'error')
    await migrate(pool, { logger, secretKey: key })
    expect(warned).toHaveBeenCalledWith({ unreadable: 1 }, expect.stringContaining('another key'))
    const after = await insert('after')
    const vault = createVault({ pool, key })
    const stored = await vault.list(pool, 'connections', [before, after])
    const masked = { password: '***' }
    expect((await vault.fillIn(masked, stored.get(after) ?? [])).document).toEqual({ password: 'hunter2' })
    await expect(vault.fillIn(masked, stored.get(before) ?? [])).rejects.toThrow(SecretUnreadable)
    // Put back.
    await migrate(pool, { logger, secretKey: TEST_SECRET_KEY })
    expect(await openSecrets(pool, 'connections', before)).toEqual({ password: 'hunter2' })
  })
})

describe('rows from before', () => {
  it('are hidden by the upgrade, once, and what was hidden of teams is kept', async () => {
    const { pool } = await start(startEmptyTestDatabase)
    const old = makeDirectory()
    const migrations = fileURLToPath(
      new URL('../../../../gateway/src/embedded-backend/schema/migrations', import.meta.url),
    )
    for (const name of readdirSync(migrations)) {
      if (name < '0021') cpSync(join(migrations, name), join(old, name))
    }
    await migrate(pool, { logger, migrationsDirectory: old })
    await insertConsoleRows(pool)
    const spec = { http: [{ url: 'https://u:in-the-open@h.invalid', password: 'in-the-open-too' }] }
    await pool.query('update canaries set spec = $2 where id = $1', [consoleRows.canary, spec])
    await pool.query(`update connections set password = 'in-the-open' where id = $1`, [consoleRows.connection])
    await pool.query('update teams set spec = $2 where id = $1', [
      consoleRows.team,
      { responder_clients: { jira: { url: 'https://j', password: 'in-the-open' } } },
    ])
    await migrate(pool, { logger, secretKey: TEST_SECRET_KEY })
    for (const table of ['canaries', 'connections', 'teams', 'checks']) {
      const { rows } = await pool.query(`select from ${table} as stored where stored::text like '%in-the-open%'`)
      expect(rows, table).toEqual([])
      // Not in the pages either.
      const { rows: files } = await pool.query<{ path: string }>(
        `select current_setting('data_directory') || '/' || pg_relation_filepath($1) as path`,
        [table],
      )
      await pool.query('checkpoint')
      expect(readFileSync(files[0]?.path ?? '').includes('in-the-open'), table).toBe(false)
    }
    expect(await openSecrets(pool, 'canaries', consoleRows.canary)).toEqual({
      'spec.http.0.password': 'in-the-open-too',
      'spec.http.0.url#1': 'u:in-the-open',
    })
    expect(await openSecrets(pool, 'connections', consoleRows.connection)).toMatchObject({ password: 'in-the-open' })
    expect(await openSecrets(pool, 'teams', consoleRows.team)).toEqual({
      'spec.responder_clients.jira.password': 'in-the-open',
    })
    const times = async (): Promise<unknown> => (await pool.query('select updated_at, xmin from canaries')).rows
    const before = await times()
    await migrate(pool, { logger, secretKey: TEST_SECRET_KEY })
    expect(await times()).toEqual(before)
  })
})
