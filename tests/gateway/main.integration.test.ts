// The program itself: a process with arguments, environment, signals and exit codes, and the real embedded backend below it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { freePort } from '#support/freePort.ts'
import { copyPreparedData } from '#support/preparedData.ts'
import { processesNaming, until, untilGone } from '#support/processes.ts'
import { programArguments } from '#support/programs.ts'

class Program {
  readonly process: ChildProcess
  readonly #exited: Promise<unknown>
  stdout = ''
  stderr = ''

  constructor(env: Record<string, string>, argv: string[] = []) {
    this.process = spawn(process.execPath, [...programArguments('main'), ...argv], {
      env: {
        PATH: process.env.PATH ?? '',
        WATCHROOM_LOG_LEVEL: 'fatal',
        WATCHROOM_PORT: '0',
        WATCHROOM_DATA: directory,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#exited = once(this.process, 'exit')
    this.process.stdout?.on('data', (chunk) => (this.stdout += String(chunk)))
    this.process.stderr?.on('data', (chunk) => (this.stderr += String(chunk)))
  }

  async exitCode(): Promise<number | null> {
    await this.#exited
    return this.process.exitCode
  }

  /** The address it printed. @throws Error when it ended before */
  async url(): Promise<string> {
    for (;;) {
      const found = /is ready: (\S+)\n/.exec(this.stdout)?.[1]
      if (found !== undefined) return found
      if (this.process.exitCode !== null) throw new Error(`ended with ${this.process.exitCode}: ${this.stderr}`)
      await Promise.race([once(this.process.stdout ?? this.process, 'data'), this.#exited])
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal)
    return this.exitCode()
  }
}

const programs: Program[] = []
let backend: FakeBackend
let directory: string

function run(env: Record<string, string>, argv: string[] = []): Program {
  const program = new Program(env, argv)
  programs.push(program)
  return program
}

beforeAll(async () => {
  backend = await FakeBackend.start()
  directory = await mkdtemp(join(tmpdir(), 'watchroom-main-'))
  // Those that make their own database look elsewhere.
  copyPreparedData(directory)
})

afterEach(async () => {
  for (const program of programs.splice(0)) if (program.process.exitCode === null) await program.stop()
})

afterAll(async () => {
  await backend.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('the command line', () => {
  it('prints its options and ends', async () => {
    const program = run({}, ['--help'])
    expect(await program.exitCode()).toBe(0)
    expect(program.stdout).toContain('--port <value>, WATCHROOM_PORT')
  })

  it('names everything that is wrong with the configuration, and starts nothing', async () => {
    const program = run({ BACKEND_URL: 'nonsense', WATCHROOM_PROFILE: 'huge' }, ['--prot', '--port=x'])
    expect(await program.exitCode()).toBe(2)
    for (const name of ['BACKEND_URL', 'WATCHROOM_PROFILE', '--prot', '--port']) expect(program.stderr).toContain(name)
    expect(program.stdout).toBe('')
  })

  it('says in one sentence that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const program = run({ BACKEND_URL: backend.url, BACKEND_TOKEN: 'x' }, ['--port', String(port)])
    expect(await program.exitCode()).toBe(1)
    expect(program.stderr).toBe(
      `Port ${port} on 127.0.0.1 is already in use; stop the other program or choose another port with --port.\n`,
    )
    other.close()
  })

  it('warns of an address that others can reach', async () => {
    const program = run({ BACKEND_URL: backend.url, WATCHROOM_AUTH: 'none' }, ['--host', '0.0.0.0'])
    expect(await program.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(program.stderr).toContain('WATCHROOM_TRUSTED_PROXY')
    expect(program.stderr).toContain('WATCHROOM_AUTH=none')
    expect(program.stderr).toContain('BACKEND_TOKEN')
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends in order on %s', async (signal) => {
    const program = run({ BACKEND_URL: backend.url, BACKEND_TOKEN: 'x' })
    const url = await program.url()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await program.stop(signal)).toBe(0)
    expect(program.stderr).toBe('')
  })
})

describe('in front of another backend', () => {
  it('keeps documents in a PostgreSQL of its own, in the data directory, and stops it in the end', async () => {
    const data = join(directory, 'own')
    const program = run({ BACKEND_URL: backend.url, BACKEND_TOKEN: 'x', WATCHROOM_DATA: data })
    const url = await program.url()
    const isDatabaseReady = async (): Promise<boolean> => {
      const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as {
        dependencies: Record<string, { ready: boolean }>
      }
      return dependencies['database']?.ready === true
    }
    await until(isDatabaseReady, { what: 'own database', maxMs: 60_000 })
    expect(processesNaming(data).length).toBeGreaterThan(1)
    expect(await program.stop()).toBe(0)
    expect(program.stderr).toBe('')
    await untilGone(data)
  }, 90_000)

  it('goes on without one when it cannot have it, and says what that costs', async () => {
    const data = join(directory, 'taken')
    copyPreparedData(data)
    const first = run({ BACKEND_URL: backend.url, BACKEND_TOKEN: 'x', WATCHROOM_DATA: data })
    await until(
      async () => (await (await fetch(`${await first.url()}/readyz`)).text()).includes('"database":{"ready":true'),
      {
        what: 'own database',
        maxMs: 60_000,
      },
    )
    const second = run({ BACKEND_URL: backend.url, BACKEND_TOKEN: 'x', WATCHROOM_DATA: data })
    const url = await second.url()
    await until(() => second.stderr.includes('BACKEND_DATA_IN_USE'), { what: 'warning', maxMs: 60_000 })
    expect(second.stderr).toContain('incidents and wallboards cannot be edited')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  }, 120_000)
})

describe('with the embedded backend', () => {
  it('answers while the backend starts, then says how to sign in, and the link works once', async () => {
    const data = join(directory, 'first')
    const port = await freePort()
    const program = run({ WATCHROOM_DATA: data, WATCHROOM_PROFILE: 'empty', WATCHROOM_PORT: String(port) })
    const early = await firstAnswer(`http://127.0.0.1:${port}/readyz`)
    expect(early.status).toBe(503)
    expect(program.stdout).toBe('')

    const url = await program.url()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const password = /with the password (\S+)/.exec(program.stdout)?.[1] ?? 'not printed'
    expect(await readFile(join(data, 'first-admin'), 'utf8')).toContain(password)

    const link = /open this link, it works once, within 15 minutes: (\S+)/.exec(program.stdout)?.[1] ?? 'not printed'
    const first = await fetch(link, { redirect: 'manual' })
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect(first.status).toBe(303)
    expect(cookie).toContain('ory_kratos_session=')
    const whoAmI = await fetch(`${url}/api/auth/whoami`, { headers: { cookie } })
    expect(await whoAmI.json()).toMatchObject({ payload: { user: { email: 'admin@watchroom.local' } } })
    const second = await fetch(link, { redirect: 'manual' })
    expect(second.headers.getSetCookie().join()).not.toContain('ory_kratos_session=')

    // The same data directory cannot serve two.
    const rival = run({ WATCHROOM_DATA: data, WATCHROOM_PROFILE: 'empty' })
    expect(await rival.exitCode()).toBe(1)
    expect(rival.stderr).toMatch(/^Another Watchroom .+ \(BACKEND_DATA_IN_USE\)\n$/)

    expect(await program.stop()).toBe(0)

    const again = run({ WATCHROOM_DATA: data, WATCHROOM_PROFILE: 'empty', WATCHROOM_EXEC: 'off' })
    await again.url()
    expect(again.stdout).not.toContain('password')
    expect(again.stdout).toContain('Exec checks do not run here: the operator says so (WATCHROOM_EXEC=off)\n')
  }, 120_000)

  it('prints no link that makes whoever reads the log the administrator, where others reach it', async () => {
    const data = join(directory, 'public')
    copyPreparedData(data)
    const program = run({
      WATCHROOM_DATA: data,
      WATCHROOM_PROFILE: 'empty',
      WATCHROOM_PUBLIC_URL: 'https://watch.test',
      WATCHROOM_ADMIN_PASSWORD: 'chosen by the operator',
    })
    await program.url()
    expect(program.stdout).toContain('with the password from WATCHROOM_ADMIN_PASSWORD\n')
    expect(program.stdout).not.toContain('link')
  }, 60_000)

  it('says in one sentence why the backend cannot start', async () => {
    const data = join(directory, 'second')
    copyPreparedData(data)
    const program = run({ WATCHROOM_DATA: data, POSTGREST_BIN: '/nowhere/postgrest' })
    expect(await program.exitCode()).toBe(1)
    expect(program.stderr).toMatch(/^[^\n]*PostgREST[^\n]* \(BACKEND_POSTGREST_MISSING\)\n$/)
  }, 60_000)

  it('can be stopped while the backend still starts', async () => {
    const port = await freePort()
    const program = run({ WATCHROOM_DATA: join(directory, 'third'), WATCHROOM_PORT: String(port) })
    await firstAnswer(`http://127.0.0.1:${port}/healthz`)
    expect(await program.stop()).toBe(0)
    expect(program.stderr).toBe('')
  }, 60_000)
})

/** Asks until someone listens. */
async function firstAnswer(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
