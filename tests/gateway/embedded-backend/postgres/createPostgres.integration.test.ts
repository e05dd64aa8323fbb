import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { Client } from 'pg'
import { type Logger, pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createPool } from '../../../../gateway/src/embedded-backend/postgres/createPool.ts'
import {
  createPostgres,
  DEFAULT_SETTINGS,
  type Postgres,
} from '../../../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { processIdentity } from '../../../../gateway/src/embedded-backend/processes/processIdentity.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { FAST_POSTGRES_SETTINGS } from '../../../support/embeddedBackend.ts'
import { copyPreparedData } from '../../../support/preparedData.ts'
import { signalProcess, until, untilGone } from '../../../support/processes.ts'

const logger = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0

let directory: string
const started: Postgres[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wr-postgres-'))
})

afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.close()
  rmSync(directory, { recursive: true, force: true })
})

function build({
  log = logger,
  ...options
}: { dataDirectory?: string; settings?: Record<string, string>; log?: Logger } = {}): Postgres {
  const postgres = createPostgres(
    { dataDirectory: directory, settings: FAST_POSTGRES_SETTINGS, ...options },
    { clock: systemClock, logger: log },
  )
  started.push(postgres)
  return postgres
}

/** One that finds a database: making one is the subject of a few tests only. */
function buildPrepared(options: Parameters<typeof build>[0] = {}): Postgres {
  copyPreparedData(directory)
  return build(options)
}

async function query<Row extends Record<string, unknown>>(postgres: Postgres, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.databaseUrl() })
  // A server that dies tells the connection too; the query's own rejection is what counts.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

describe('a start', () => {
  it('makes a database that survives a stop, and listens on no TCP port', async () => {
    const first = build()
    await first.start()
    await query(first, 'create table kept (value int); insert into kept values (7)')
    const [{ addresses }] = (await query<{ addresses: string }>(
      first,
      `select current_setting('listen_addresses') as addresses`,
    )) as [{ addresses: string }]
    expect(addresses).toBe('')
    const pid = first.pid()
    expect(tcpListenersOf(pid ?? 0)).toEqual([])
    await first.close()
    expect(existsSync(`/proc/${pid}`)).toBe(false)

    const second = build()
    await second.start()
    expect(await query(second, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('keeps the durable settings unless a caller overrides them', () => {
    expect(DEFAULT_SETTINGS).toMatchObject({ fsync: 'on', synchronous_commit: 'on' })
  })

  it('keeps the directories private and the superuser password readable for this user only', async () => {
    const postgres = build()
    await postgres.start()
    expect(statSync(join(directory, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'postgres-password')).mode & 0o777).toBe(0o600)
    const socketDirectory = new URL(postgres.databaseUrl().replace('@/', '@h/')).searchParams.get('host') ?? ''
    expect(statSync(socketDirectory).mode & 0o777).toBe(0o700)
    await postgres.close()
    expect(existsSync(socketDirectory)).toBe(false)
  })

  it('refuses a wrong password over the socket', async () => {
    const postgres = buildPrepared()
    await postgres.start()
    const client = new Client({ connectionString: postgres.databaseUrl().replace(/:[^:@]*@/, ':wrong@') })
    client.on('error', () => undefined)
    await expect(client.connect()).rejects.toThrow(/password authentication failed/)
  })

  it('repeats an initialization that was cut short', async () => {
    mkdirSync(join(directory, 'postgres.init-dead'))
    writeFileSync(join(directory, 'postgres.init-dead', 'PG_VERSION'), '18\n')
    const postgres = build()
    await postgres.start()
    expect(readdirSync(directory).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('sets a new password when the password file was lost', async () => {
    const first = buildPrepared()
    await first.start()
    await query(first, 'create table kept (value int)')
    await first.close()
    rmSync(join(directory, 'postgres-password'))

    const second = build()
    await second.start()
    expect(await query(second, 'select count(*)::int as count from kept')).toEqual([{ count: 0 }])
  })

  it('names both versions when the data belongs to another PostgreSQL', async () => {
    mkdirSync(join(directory, 'postgres'))
    writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '99\n')
    await expect(build().start()).rejects.toMatchObject({
      code: 'BACKEND_DATA_VERSION',
      message: expect.stringMatching(/PostgreSQL 99, but this program brings PostgreSQL 18/) as string,
      retryable: false,
    })
  })

  it('says what PostgreSQL said when it cannot run', async () => {
    const postgres = buildPrepared({ settings: { shared_buffers: 'nonsense' } })
    await expect(postgres.start()).rejects.toMatchObject({
      code: 'BACKEND_POSTGRES_FAILED',
      message: expect.stringMatching(/shared_buffers/) as string,
    })
    await untilGone(directory)
  })

  it('refuses a data directory that a running instance uses, and leaves that one alone', async () => {
    const first = buildPrepared()
    await first.start()
    await expect(build().start()).rejects.toMatchObject({ code: 'BACKEND_DATA_IN_USE', retryable: false })
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a pid file left by a killed run', () => {
  it('is replaced when its pid does not run', async () => {
    const first = buildPrepared()
    await first.start()
    await first.close()
    writePidFile(999_999_999)
    const second = build()
    await second.start()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is removed when its pid belongs to a stranger of the same user, who is left alone', async () => {
    const first = buildPrepared()
    await first.start()
    await first.close()
    const stranger = spawn('sleep', ['60'], isRoot ? { uid: 65_534, gid: 65_534 } : {})
    try {
      writePidFile(stranger.pid ?? 0)
      const second = build()
      await second.start()
      expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(stranger.exitCode).toBeNull()
      expect(existsSync(`/proc/${stranger.pid}`)).toBe(true)
    } finally {
      await end(stranger)
    }
  })

  function writePidFile(pid: number): void {
    const file = join(directory, 'postgres', 'postmaster.pid')
    writeFileSync(file, `${pid}\n${join(directory, 'postgres')}\n1700000000\n5432\n/tmp\n\n`)
    if (isRoot) chownSync(file, 65_534, 65_534)
  }
})

describe('a death', () => {
  it('of the postmaster is followed by a restart at the same address within 10 s, with every acknowledged row', async () => {
    const postgres = buildPrepared({ settings: { fsync: 'off', synchronous_commit: 'on' } })
    const startedAt = performance.now()
    await postgres.start()
    const startMs = performance.now() - startedAt
    await query(postgres, 'create table kept (value int); insert into kept select generate_series(1, 500)')
    const before = postgres.pid()
    signalProcess(before, 'SIGKILL')
    const elapsedMs = await until(
      async () => {
        try {
          return (await query(postgres, 'select 1')).length === 1 && postgres.pid() !== before
        } catch {
          return false
        }
      },
      { maxMs: 60_000 },
    )
    // A start takes far less than a quarter of it, but for a busy machine.
    expect(elapsedMs).toBeLessThan(Math.max(10_000, 4 * startMs))
    expect(await query(postgres, 'select count(*)::int as count from kept')).toEqual([{ count: 500 }])
  }, 90_000)

  it('of the shell between us is survived as well', async () => {
    const postgres = buildPrepared()
    await postgres.start()
    const before = postgres.pid() ?? 0
    const shell = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${before}/status`, 'utf8'))?.[1])
    signalProcess(shell, 'SIGKILL')
    await until(() => postgres.pid() !== null && postgres.pid() !== before, { what: 'new postmaster' })
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
    // Its new parent may take a while to collect it; what counts is that it no longer runs.
    expect(processIdentity(before)).toBeNull()
  })

  it('logs what it refused, and neither the row nor the statement', async () => {
    const lines: string[] = []
    const heard = pino({ level: 'debug' }, { write: (line) => lines.push(line) })
    const postgres = buildPrepared({ log: heard })
    await postgres.start()
    await query(postgres, 'create table accounts (name text not null, password text)')
    await expect(query(postgres, `insert into accounts values (null, 'hunter2')`)).rejects.toThrow('not-null')
    await until(async () => lines.some((line) => line.includes('not-null')))
    expect(lines.join('')).not.toContain('hunter2')
  })

  it('never crashes the process that holds a pool, idle or checked out', async () => {
    const postgres = buildPrepared()
    await postgres.start()
    const pool = createPool(postgres.databaseUrl(), logger)
    const held = await pool.connect()
    await pool.query('select 1')
    const running = held.query('select pg_sleep(30)')
    signalProcess(postgres.pid(), 'SIGKILL')
    await expect(running).rejects.toThrow(/terminat/)
    held.release(true)
    await until(async () => {
      try {
        return (await pool.query('select 1')).rowCount === 1
      } catch {
        return false
      }
    })
    await pool.end()
  })
})

describe.runIf(isRoot)('as root', () => {
  it('runs as an unprivileged uid', async () => {
    const postgres = buildPrepared()
    await postgres.start()
    expect(statSync(`/proc/${postgres.pid()}`).uid).toBe(65_534)
  })

  it('keeps the database elsewhere when the data directory lies below a private one, and finds it again', async () => {
    const home = join(directory, 'home')
    mkdirSync(home, { mode: 0o700 })
    chmodSync(directory, 0o755)
    const dataDirectory = join(home, 'checkout', '.watchroom')
    const first = build({ dataDirectory })
    await first.start()
    const link = readlinkSync(join(dataDirectory, 'postgres'))
    try {
      await query(first, 'create table kept (value int); insert into kept values (1)')
      await first.close()
      const second = build({ dataDirectory })
      await second.start()
      expect(await query(second, 'select value from kept')).toEqual([{ value: 1 }])
      await second.close()
    } finally {
      rmSync(dirname(link), { recursive: true, force: true })
    }
  })
})

/** Inodes of the TCP sockets this process listens on (proc(5), state 0A). */
function tcpListenersOf(pid: number): string[] {
  const listening = new Set(
    ['tcp', 'tcp6'].flatMap((file) =>
      readFileSync(`/proc/net/${file}`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[3] === '0A')
        .map((fields) => fields[9]),
    ),
  )
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1])
    .filter((inode): inode is string => inode !== undefined && listening.has(inode))
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
