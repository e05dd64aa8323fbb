import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { AUTHENTICATOR_ROLE, databaseRole, type Role } from '@watchroom/shared/access'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createPostgrest, type Postgrest } from '../../../../gateway/src/embedded-backend/postgrest/createPostgrest.ts'
import { signToken } from '../../../../gateway/src/embedded-backend/postgrest/signToken.ts'
import { processIdentity } from '../../../../gateway/src/embedded-backend/processes/processIdentity.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { startTestDatabase, TEST_AUTHENTICATOR_PASSWORD, type TestDatabase } from '../../../support/database.ts'
import { type BackendAnswer, callSocket } from '../../../support/embeddedBackend.ts'
import { signalProcess, until } from '../../../support/processes.ts'

const logger = pino({ level: 'silent' })
const JWT_SECRET = 'a secret of at least thirty-two characters'

let database: TestDatabase
const started: Postgrest[] = []

beforeAll(async () => {
  database = await startTestDatabase()
})

afterEach(async () => {
  for (const postgrest of started.splice(0)) await postgrest.close()
})

afterAll(() => database.stop())

function build(options: { postgrestBin?: string; databaseUrl?: string } = {}): Postgrest {
  const databaseUrl = database.databaseUrl.replace(
    /\/\/[^@]*@/,
    `//${AUTHENTICATOR_ROLE}:${TEST_AUTHENTICATOR_PASSWORD}@`,
  )
  const postgrest = createPostgrest({ databaseUrl, jwtSecret: JWT_SECRET, ...options }, { clock: systemClock, logger })
  started.push(postgrest)
  return postgrest
}

function tokenFor(role: Role, { secret = JWT_SECRET, now = Date.now() } = {}): string {
  return signToken({ role: databaseRole(role) }, secret, now)
}

const read = (postgrest: Postgrest, path: string, token: string | null): Promise<BackendAnswer> =>
  callSocket(postgrest.socketPath(), path, token === null ? {} : { headers: { authorization: `Bearer ${token}` } })

describe('PostgREST', () => {
  it('answers once started, as the role in the token', async () => {
    const postgrest = build()
    await postgrest.start()
    expect((await read(postgrest, '/people?select=name', tokenFor('viewer'))).json()).toEqual([{ name: 'System' }])
    expect((await read(postgrest, '/connections', tokenFor('viewer'))).status).toBe(403)
    expect((await read(postgrest, '/connections', tokenFor('admin'))).status).toBe(200)
  })

  it('refuses requests without a token, with a foreign signature, and with an old token', async () => {
    const postgrest = build()
    await postgrest.start()
    expect((await read(postgrest, '/people', null)).status).toBe(401)
    const foreign = tokenFor('admin', { secret: 'another secret of thirty-two characters or so' })
    expect((await read(postgrest, '/people', foreign)).status).toBe(401)
    const old = tokenFor('admin', { now: Date.now() - 600_000 })
    expect((await read(postgrest, '/people', old)).status).toBe(401)
  })

  it('serves on a private unix socket that is gone after it was closed', async () => {
    const postgrest = build()
    await postgrest.start()
    const socketPath = postgrest.socketPath()
    const pid = postgrest.pid() ?? 0
    expect(statSync(socketPath).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700)
    await postgrest.close()
    expect(existsSync(dirname(socketPath))).toBe(false)
    expect(processIdentity(pid)).toBeNull()
  })

  it('is back at the same address within 10 s of a kill -9', async () => {
    const postgrest = build()
    await postgrest.start()
    const socketPath = postgrest.socketPath()
    const before = postgrest.pid()
    signalProcess(before, 'SIGKILL')
    const elapsedMs = await until(() => postgrest.pid() !== null && postgrest.pid() !== before)
    expect(elapsedMs).toBeLessThan(10_000)
    expect(postgrest.socketPath()).toBe(socketPath)
    expect((await read(postgrest, '/people?select=name', tokenFor('viewer'))).status).toBe(200)
  })

  it('accepts what the console sends although strict parsers refuse it', async () => {
    const postgrest = build()
    await postgrest.start()
    const token = tokenFor('admin')
    for (const path of [
      '/people?&select=id,name&&order=name.asc',
      '/people?select=id,%20name',
      '/agents?select=id&order=name.asc&order=created_at.desc',
      '/people?id=in.("00000000-0000-0000-0000-000000000000")',
    ]) {
      expect([path, (await read(postgrest, path, token)).status]).toEqual([path, 200])
    }
  })
})

describe('a start that cannot work', () => {
  it('names both remedies when POSTGREST_BIN cannot be executed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wr-postgrest-'))
    const file = join(directory, 'postgrest')
    writeFileSync(file, 'no program')
    chmodSync(file, 0o644)
    try {
      await expect(build({ postgrestBin: file }).start()).rejects.toMatchObject({
        code: 'BACKEND_POSTGREST_MISSING',
        message: expect.stringMatching(/POSTGREST_BIN.*docker compose/) as string,
        retryable: false,
      })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('runs the program that POSTGREST_BIN names, and says what it said', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wr-postgrest-'))
    chmodSync(directory, 0o755)
    const file = join(directory, 'postgrest')
    writeFileSync(file, '#!/bin/sh\necho "I am a stand-in" >&2\nexit 3\n')
    chmodSync(file, 0o755)
    try {
      await expect(build({ postgrestBin: file }).start()).rejects.toMatchObject({
        code: 'BACKEND_POSTGREST_FAILED',
        message: expect.stringMatching(/status 3.*I am a stand-in/) as string,
      })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
