// Kills every process of the embedded backend the hard way. Everything is back within 10 s, nothing acknowledged is lost and
// nothing stays behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { firstBarrier } from '../../gateway/src/embedded-backend/processes/unprivilegedOwner.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { postmasterOf } from '../support/killPart.ts'
import { copyPreparedData } from '../support/preparedData.ts'
import { processesNaming, signalProcess, until, untilGone } from '../support/processes.ts'
import { BUILT_VARIABLE } from '../support/programs.ts'

const BACK_WITHIN_MS = 10_000
/** A first start takes 2 s; on a machine so busy that it takes much longer, a restart is compared with it instead. */
const BUSY_FACTOR = 2
const GIVE_UP_MS = 60_000
const ORDINARY_USER = { uid: 65_534, gid: 65_534 }
const ROOT_DIRECTORY = fileURLToPath(new URL('../..', import.meta.url))
const isRoot = process.getuid?.() === 0
const canBecomeOrdinaryUser = isRoot && firstBarrier(ROOT_DIRECTORY, ORDINARY_USER) === null

/** Acknowledged before the kill means there after it, so these tests keep the product's own durability. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on' }

/** Starts are repeated within a test, each as slow as the machine is busy. */
const TEST_MS = 120_000

let directory: string
const holders: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wr-fault-'))
})

afterEach(async () => {
  // Only those that a failed test left running.
  for (const holder of holders.splice(0)) if (holder.exitCode === null && holder.signalCode === null) await end(holder)
  rmSync(directory, { recursive: true, force: true })
})

const isAnswering = async (backend: TestBackend): Promise<boolean> => {
  try {
    return (await backend.callAsService('/db/properties?select=name')).status === 200
  } catch {
    return false
  }
}

async function writeRows(backend: TestBackend, count: number): Promise<void> {
  for (let row = 0; row < count; row++) {
    const body = { name: `row-${row}`, value: String(row) }
    const answer = await backend.callAsService('/db/properties', { method: 'POST', body })
    if (answer.status !== 201) throw new Error(`row ${row} not written: ${answer.status} ${answer.text}`)
  }
}

const countRows = async (backend: TestBackend): Promise<number> =>
  ((await backend.callAsService('/db/properties?select=name')).json() as unknown[]).length

/** PostgreSQL's and PostgREST's own processes: their sockets or address name the backend's socket directory. */
function partsOf(backend: TestBackend, program: 'postgres' | 'postgrest'): number[] {
  const name = dirname(backend.socketPath).split('/').at(-1) ?? ''
  return processesNaming(name)
    .filter(({ command }) => new RegExp(`^\\S*/${program}(?:\\s|$)`).test(command))
    .map(({ pid }) => pid)
}

describe('kill -9', { timeout: TEST_MS }, () => {
  let backend: TestBackend
  let allowedMs = BACK_WITHIN_MS

  beforeEach(async () => {
    const startedAt = performance.now()
    backend = await startEmbeddedBackend({ dataDirectory: directory, postgresSettings: DURABLE })
    const startMs = performance.now() - startedAt
    allowedMs = Math.max(BACK_WITHIN_MS, BUSY_FACTOR * startMs)
    await writeRows(backend, 20)
  })

  afterEach(() => backend.stop())

  it('of the backend’s process: back at the same socket and database address, with every row and session', async () => {
    const person = await backend.createPerson('viewer')
    const headers = await backend.signIn(person.email, person.password)
    const before = backend.supervisor.pid()
    signalProcess(before, 'SIGKILL')
    const elapsedMs = await until(async () => backend.supervisor.pid() !== before && (await isAnswering(backend)), {
      maxMs: GIVE_UP_MS,
    })
    expect(elapsedMs).toBeLessThan(allowedMs)
    expect(await countRows(backend)).toBe(20)
    expect((await backend.call('/auth/whoami', { headers })).status).toBe(200)
    const client = new Client({ connectionString: backend.databaseUrl })
    await client.connect()
    await client.end()
    await until(() => partsOf(backend, 'postgrest').length === 1, { what: 'one PostgREST and no other' })
  })

  it('of PostgreSQL: back with every row', async () => {
    const postmaster = postmasterOf(backend)
    signalProcess(postmaster, 'SIGKILL')
    const elapsedMs = await until(() => isAnswering(backend), { maxMs: GIVE_UP_MS })
    expect(elapsedMs).toBeLessThan(allowedMs)
    expect(await countRows(backend)).toBe(20)
    expect(partsOf(backend, 'postgres')).not.toContain(postmaster)
  })

  it('of PostgREST: back with every row', async () => {
    const [before = 0] = partsOf(backend, 'postgrest')
    signalProcess(before, 'SIGKILL')
    const elapsedMs = await until(
      async () => (await isAnswering(backend)) && !partsOf(backend, 'postgrest').includes(before),
      { maxMs: GIVE_UP_MS },
    )
    expect(elapsedMs).toBeLessThan(allowedMs)
    expect(await countRows(backend)).toBe(20)
  })

  it('of all three at once: back with every row and one of each', async () => {
    const before = backend.supervisor.pid()
    // It last: the others end by themselves as soon as it is gone.
    const victims = [...partsOf(backend, 'postgrest'), postmasterOf(backend), before]
    for (const pid of victims) signalProcess(pid, 'SIGKILL')
    const elapsedMs = await until(async () => backend.supervisor.pid() !== before && (await isAnswering(backend)), {
      maxMs: GIVE_UP_MS,
    })
    expect(elapsedMs).toBeLessThan(allowedMs)
    expect(await countRows(backend)).toBe(20)
    await until(() => partsOf(backend, 'postgrest').length === 1, { what: 'one PostgREST and no other' })
  })

  it('again and again: still back within 10 s', async () => {
    for (let round = 0; round < 3; round++) {
      const before = backend.supervisor.pid()
      signalProcess(before, 'SIGKILL')
      const elapsedMs = await until(
        async () => {
          const pid = backend.supervisor.pid()
          return pid !== null && pid !== before && (await isAnswering(backend))
        },
        { maxMs: GIVE_UP_MS },
      )
      expect(elapsedMs).toBeLessThan(allowedMs)
    }
    expect(await countRows(backend)).toBe(20)
  })
})

describe('kill -9 of the process that holds the supervisor', { timeout: TEST_MS }, () => {
  it('leaves no process behind; the next start sweeps its sockets and finds its rows', async () => {
    copyPreparedData(directory)
    const { pid } = await killHolder({})
    expect(pid).toBeGreaterThan(0)
  })

  it.runIf(canBecomeOrdinaryUser)('does the same for an ordinary user', async () => {
    chmodSync(directory, 0o700)
    chownSync(directory, ORDINARY_USER.uid, ORDINARY_USER.gid)
    const { pid } = await killHolder(ORDINARY_USER)
    expect(statSync(join(directory, 'postgres')).uid).toBe(ORDINARY_USER.uid)
    expect(pid).toBeGreaterThan(0)
  })

  it('lets a start that follows at once wait for the old processes instead of refusing', async () => {
    copyPreparedData(directory)
    const holder = await hold({})
    holder.process.kill('SIGKILL')
    const next = await hold({})
    expect(next.childPid).not.toBe(holder.childPid)
    await end(next.process)
    await untilGone(directory)
  })

  async function killHolder(user: Partial<typeof ORDINARY_USER>): Promise<{ pid: number }> {
    const first = await hold(user)
    const client = new Client({ connectionString: first.databaseUrl })
    client.on('error', () => undefined)
    await client.connect()
    await client.query(`insert into properties (name, value) values ('kept', 'yes')`)
    first.process.kill('SIGKILL')
    const elapsedMs = await untilGone(directory, { maxMs: GIVE_UP_MS })
    expect(elapsedMs).toBeLessThan(BACK_WITHIN_MS)
    const socketDirectory = dirname(first.socketPath)
    await untilGone(socketDirectory)

    const second = await hold(user)
    expect(existsSync(socketDirectory)).toBe(false)
    const again = new Client({ connectionString: second.databaseUrl })
    await again.connect()
    expect((await again.query(`select value from properties where name = 'kept'`)).rows).toEqual([{ value: 'yes' }])
    await again.end()
    await end(second.process)
    await untilGone(directory)
    return { pid: first.childPid }
  }
})

interface Held {
  process: ChildProcess
  childPid: number
  socketPath: string
  databaseUrl: string
}

async function hold(user: Partial<typeof ORDINARY_USER>): Promise<Held> {
  const script = fileURLToPath(new URL('../support/holdBackend.ts', import.meta.url))
  const holder = spawn(process.execPath, ['--import', 'tsx', script, directory], {
    ...user,
    cwd: ROOT_DIRECTORY,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      [BUILT_VARIABLE]: process.env[BUILT_VARIABLE],
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  holders.push(holder)
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: holder.stdout }).once('line', resolve)
    holder.once('exit', (code) => reject(new Error(`the holder ended with ${code}`)))
  })
  return { process: holder, ...(JSON.parse(line) as Omit<Held, 'process'>) }
}

async function end(holder: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => holder.once('exit', resolve))
  holder.kill('SIGTERM')
  await gone
}
