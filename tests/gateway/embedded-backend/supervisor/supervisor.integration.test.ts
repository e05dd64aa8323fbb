import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { BackendState } from '../../../../gateway/src/embedded-backend/contract.ts'
import { createEmbeddedBackend } from '../../../../gateway/src/embedded-backend/supervisor.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { startTestDatabase } from '../../../support/database.ts'
import {
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestBackendOptions,
} from '../../../support/embeddedBackend.ts'
import { FakeClock } from '../../../support/fakeClock.ts'
import { until, untilGone } from '../../../support/processes.ts'

/** A test starts the backend up to three times, each as slow as the machine is busy. */
const TEST_MS = 120_000

/** Node warns of the eleventh listener. */
const MANY_DEATHS = 12

const BARE = {
  serviceToken: 'x'.repeat(40),
  profile: 'empty',
  adminEmail: TEST_ADMIN.email,
  publicUrl: 'http://127.0.0.1:3000',
  logLevel: 'silent',
} as const

let directory: string
const started: TestBackend[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wr-supervisor-'))
})

afterEach(async () => {
  for (const backend of started.splice(0)) await backend.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function start(options: TestBackendOptions = {}): Promise<TestBackend> {
  const backend = await startEmbeddedBackend({ dataDirectory: directory, ...options })
  started.push(backend)
  return backend
}

async function execute(databaseUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

describe('a start', { timeout: TEST_MS }, () => {
  it('makes an administrator with a random password once, in a file that only this user may read, and later finds what was written', async () => {
    const first = await start({ adminPassword: null, isFirstStart: true })
    const { email = '', password = '' } = first.ready.firstAdmin ?? {}
    expect(email).toBe(TEST_ADMIN.email)
    expect(password.length).toBeGreaterThanOrEqual(20)
    const file = join(directory, 'first-admin')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ email, password })
    const headers = await first.signIn(email, password)
    expect((await first.call('/auth/whoami', { headers })).json()).toMatchObject({ payload: { roles: ['admin'] } })
    await first.callAsService('/db/properties', { method: 'POST', body: { name: 'kept', value: 'yes' } })
    await first.stop()

    // A password given later changes nothing by itself.
    const second = await start({ adminPassword: 'another password' })
    expect(second.ready.firstAdmin).toBeUndefined()
    await expect(second.signIn(email, 'another password')).rejects.toThrow(/refused/)
    expect(await second.signIn(email, password)).toHaveProperty('x-session-token')
    expect((await second.callAsService('/properties')).json()).toMatchObject([{ name: 'kept', value: 'yes' }])
  })

  it('offers a sign-in link on the first start for this machine alone, and on every start of such a demo, whose people are switched off when it is over', async () => {
    const first = await start()
    expect(first.ready.signInPath).toMatch(/^\/kratos\/self-service\/recovery\?token=[\w-]{43}$/)
    await first.stop()
    const demo = await start({ profile: 'demo' })
    expect(demo.ready.signInPath).toBeDefined()
    const headers = await demo.signIn('viewer@demo.watchroom.local', demo.ready.demoPassword ?? '')
    await demo.stop()
    const plain = await start({ profile: 'empty' })
    expect(plain.ready.signInPath).toBeUndefined()
    expect((await plain.call('/auth/whoami', { headers })).status).toBe(401)
    await expect(plain.signIn('viewer@demo.watchroom.local', demo.ready.demoPassword ?? '')).rejects.toThrow(
      /switched off/,
    )
  })

  it('offers no sign-in link where other machines reach it, also to a demo', async () => {
    const first = await start({ isLocal: false })
    expect(first.ready.signInPath).toBeUndefined()
    await first.stop()
    expect((await start({ isLocal: false, profile: 'demo' })).ready.signInPath).toBeUndefined()
  })

  it('uses the database of DATABASE_URL and starts no PostgreSQL then', async () => {
    const database = await startTestDatabase()
    try {
      const backend = await start({ databaseUrl: database.databaseUrl })
      expect(backend.databaseUrl).toBe(database.databaseUrl)
      expect(existsSync(join(directory, 'postgres'))).toBe(false)
      expect((await backend.callAsService('/db/people?select=email&email=not.is.null')).json()).toEqual([
        { email: TEST_ADMIN.email },
      ])
      await backend.stop()
    } finally {
      await database.stop()
    }
  })
})

describe('a start that cannot work', { timeout: TEST_MS }, () => {
  it('refuses a database of a newer version, and leaves nothing running', async () => {
    const first = await start()
    await execute(
      first.databaseUrl,
      `insert into watchroom.migration (name, checksum) values ('9999_from_the_future.sql', 'x')`,
    )
    await first.stop()
    await expect(start()).rejects.toMatchObject({
      code: 'SCHEMA_NEWER_THAN_PROGRAM',
      message: expect.stringContaining('9999_from_the_future.sql') as string,
      retryable: false,
    })
    await untilGone(directory)
  })

  it('refuses options that make no sense', async () => {
    await expect(start({ adminPassword: 'short' })).rejects.toMatchObject({ code: 'BACKEND_OPTIONS_INVALID' })
  })

  it('names both remedies when there is no PostgREST', async () => {
    await expect(start({ postgrestBin: '/nonexistent/postgrest' })).rejects.toMatchObject({
      code: 'BACKEND_POSTGREST_MISSING',
      message: expect.stringMatching(/POSTGREST_BIN.*docker compose/) as string,
    })
    await untilGone(directory)
  })
})

describe('a backend that dies again and again', { timeout: TEST_MS }, () => {
  it('leaves nothing in the gateway that listens', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error): number => warnings.push(message)
    process.on('warning', note)
    const clock = new FakeClock()
    const supervisor = createEmbeddedBackend(
      { ...BARE, dataDirectory: directory },
      {
        clock,
        logger: pino({ level: 'silent' }),
        program: ['-e', `process.send({ kind: 'ready', databaseUrl: 'none' }, () => process.exit(1))`, '--'],
      },
    )
    let deaths = 0
    supervisor.onState((state) => {
      if (state === 'restarting') deaths += 1
    })
    try {
      await supervisor.start()
      for (let wanted = 1; wanted <= MANY_DEATHS; wanted += 1) {
        await until(() => deaths >= wanted, { maxMs: TEST_MS })
        await clock.advance(10_000)
      }
    } finally {
      await supervisor.close()
      process.off('warning', note)
    }
    expect([warnings, clock.pending]).toEqual([[], 0])
  })
})

describe('a close', { timeout: TEST_MS }, () => {
  it('during a start gives that start up and leaves no process', async () => {
    const supervisor = createEmbeddedBackend(
      { ...BARE, dataDirectory: directory },
      { clock: systemClock, logger: pino({ level: 'silent' }) },
    )
    const outcome = supervisor.start().then(
      () => 'started',
      () => 'given up',
    )
    await until(() => existsSync(join(directory, 'lock')), { maxMs: TEST_MS })
    await supervisor.close()
    expect(await outcome).toBe('given up')
    await untilGone(directory)
  })

  it('leaves no process, no socket directory and no lock of a start, which kept a second one out', async () => {
    const backend = await start()
    await expect(start()).rejects.toMatchObject({
      code: 'BACKEND_DATA_IN_USE',
      message: expect.stringContaining(directory) as string,
    })
    const states: BackendState[] = []
    backend.supervisor.onState((state) => states.push(state))
    await backend.stop()
    await untilGone(directory)
    await untilGone(dirname(backend.socketPath))
    expect(existsSync(dirname(backend.socketPath))).toBe(false)
    expect(existsSync(join(directory, 'lock'))).toBe(false)
    expect(states).toEqual(['closed'])
  })
})
