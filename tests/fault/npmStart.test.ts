// `npm start` is a chain of processes. Whichever of them gets whichever signal: within 10 s none is left, and the port is free.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { howMany } from '../support/howMany.ts'
import { type NamedPipe, openNamedPipe } from '../support/namedPipe.ts'
import { copyPreparedData } from '../support/preparedData.ts'
import { processesNaming, signalProcess, until, untilGone } from '../support/processes.ts'
import { programArguments } from '../support/programs.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GONE_WITHIN_MS = 10_000

/** Those that npm passes on, those that it does not, and the one that nobody can. */
const CASES = [
  ['npm', 'SIGKILL'],
  ['npm', 'SIGTERM'],
  ['the program', 'SIGKILL'],
  ['npm', 'SIGHUP'],
  ['npm', 'SIGINT'],
  ['npm', 'SIGQUIT'],
  ['the program', 'SIGTERM'],
  ['the program', 'SIGINT'],
  ['the program', 'SIGHUP'],
  ['the program', 'SIGQUIT'],
] as const

/** Of the data; PostgreSQL's user must get in. */
let directory: string
let home: string
let npm: ChildProcess | null = null
let pipe: NamedPipe

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wr-start-'))
  home = mkdtempSync(join(tmpdir(), 'wr-npm-'))
  pipe = openNamedPipe(home)
})

afterEach(async () => {
  // Only what a failed test left running.
  for (const { pid } of processesNaming(directory)) signalProcess(pid, 'SIGKILL')
  npm?.kill('SIGKILL')
  pipe.close()
  for (const path of [directory, home]) rmSync(path, { recursive: true, force: true })
})

/** Resolves with the pid of the program when it is ready. What it prints afterwards nobody reads. */
async function start(logLevel = 'fatal'): Promise<number> {
  copyPreparedData(directory)
  const program = [process.execPath, ...programArguments('main')].join(' ')
  // The product's own script builds first what is not built; what it becomes is the same.
  writeFileSync(join(home, 'package.json'), JSON.stringify({ scripts: { start: `exec ${program}` } }))
  npm = spawn('npm', ['start', '--', '--port', '0', '--data', directory, '--profile', 'empty'], {
    cwd: home,
    env: { ...process.env, WATCHROOM_LOG_LEVEL: logLevel },
    stdio: ['ignore', pipe.writer, 'inherit'],
    detached: true,
  })
  let output = ''
  await until(() => (output += pipe.read()).includes('is ready'), { maxMs: 30_000, what: 'a start' })
  const children = readFileSync(`/proc/${npm.pid}/task/${npm.pid}/children`, 'utf8').trim().split(' ').map(Number)
  expect(children).toHaveLength(1)
  return children[0] ?? Number.NaN
}

describe('a signal to a process of npm start', { timeout: 120_000 }, () => {
  it.each(CASES.slice(0, howMany('WATCHROOM_TEST_SIGNALS', { short: 3, long: CASES.length })))(
    'to %s, %s: nothing of the product is left within 10 s',
    async (victim, signal) => {
      const program = await start()
      if (victim === 'npm') npm?.kill(signal)
      else signalProcess(program, signal)
      const elapsedMs = await untilGone(directory, { maxMs: 30_000 })
      expect(elapsedMs).toBeLessThan(GONE_WITHIN_MS)
    },
  )

  it('to the program, SIGTERM, while its log waits for room: nothing of the product is left within 10 s', async () => {
    const program = await start('trace')
    pipe.fill()
    signalProcess(program, 'SIGTERM')
    const elapsedMs = await untilGone(directory, { maxMs: 30_000 })
    expect(elapsedMs).toBeLessThan(GONE_WITHIN_MS)
  })

  it('finds the same chain in the scripts of the product', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> }
    expect([scripts['start'], scripts['agent']]).toEqual(['exec node scripts/start.mjs', 'exec node scripts/agent.mjs'])
  })
})
