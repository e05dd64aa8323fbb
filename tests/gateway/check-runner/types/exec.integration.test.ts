import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'

import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { processesNaming, until, untilGone } from '#support/processes.ts'
import { buildExecutor, buildRunDeps as buildDeps } from '#support/runDeps.ts'

import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import { execRunner, MAX_OUTPUT_BYTES } from '../../../../gateway/src/check-runner/types/exec.ts'
import type { Executor } from '../../../../gateway/src/executor/contract.ts'

let executor: Executor
beforeAll(async () => {
  executor = await buildExecutor()
})

const buildRunDeps = () => buildDeps({ executor })
const run = (script: string, env?: { name: string; value: string }[]) =>
  execRunner.run({ script, ...(env && { env }) }, buildRunDeps())

/** A command that takes long, and is told from those of other runs: a script sees other process ids than we do. */
const longNap = (): string => `sleep 300.${randomInt(1e9)}`
const napping = (nap: string) => processesNaming(nap).filter(({ command }) => command.startsWith('sleep'))

/** Runs a script whose deadline comes once so many naps are under way, however long that takes. */
async function runToDeadline(script: string, nap: string, naps: number) {
  const clock = new FakeClock()
  const check = { type: 'exec' as const, name: 'endless', timeoutMs: 1_500, spec: { script } }
  const outcome = runCheck(check, { ...buildRunDeps(), clock })
  await until(() => napping(nap).length >= naps, { what: 'the script at work', maxMs: 20_000 })
  await clock.advance(1_500)
  return outcome
}

describe('exec runner', () => {
  it('passes on exit code 0 and keeps the output', async () => {
    expect(await run('echo one; echo two; echo warning >&2')).toMatchObject({
      passed: true,
      message: 'one',
      details: { exitCode: 0, stdout: 'one\ntwo\n', stderr: 'warning\n' },
    })
  })

  it('shows expressions of the check its output and exit code', async () => {
    const spec = {
      script: 'echo 42 jobs; exit 3',
      test: { expr: 'results.exitCode == 3 && results.stdout.startsWith("42")' },
      display: { expr: 'results.stdout + results.stderr' },
    }
    const outcome = await runCheck({ type: 'exec', name: 'jobs', timeoutMs: 10_000, spec }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, message: '42 jobs\n', error: 'ended with code 3: 42 jobs' })
  })

  it.each([
    ['echo broken >&2; exit 3', 'ended with code 3: broken'],
    ['echo said; exit 1', 'ended with code 1: said'],
    ['exit 7', 'ended with code 7'],
    ['kill -TERM $$', 'was ended by SIGTERM'],
    ['no-such-command-here', 'ended with code 127: '],
  ])('fails on %j', async (script, error) => {
    const outcome = await run(script)
    expect(outcome.passed).toBe(false)
    expect(outcome.invalid).toBeUndefined()
    expect(outcome.error).toContain(error)
  })

  it('passes variables on, and nothing of our own environment but what a shell needs', async () => {
    vi.stubEnv('WATCHROOM_SECRET_OF_OURS', 'leaked')
    const { details } = await run('env | sort; echo "[$GREETING]"', [{ name: 'GREETING', value: 'hello there' }])
    vi.unstubAllEnvs()
    expect(details?.['stdout']).toContain('[hello there]')
    expect(details?.['stdout']).toContain('PATH=')
    expect(details?.['stdout']).not.toContain('leaked')
  })

  it('runs in an empty folder that is gone afterwards', async () => {
    const { details } = await run('pwd; ls -A; touch litter')
    const [folder = '', ...files] = String(details?.['stdout']).trim().split('\n')
    expect(files).toEqual([])
    expect(folder).toContain('watchroom-exec-')
    expect(existsSync(folder)).toBe(false)
  })

  it('keeps the beginning of output without end', async () => {
    const { details } = await run('head -c 300000 /dev/zero | tr "\\0" x; echo y >&2')
    expect(String(details?.['stdout'])).toHaveLength(MAX_OUTPUT_BYTES)
    expect(details).toMatchObject({ outputTruncated: true, stderr: 'y\n', exitCode: 0 })
  })

  it('refuses what is no name of a variable, and breaks out of no quotes', async () => {
    const odd = await run('true', [{ name: 'A;id', value: '1' }])
    expect(odd).toMatchObject({ invalid: true, error: 'env: "A;id" is not the name of a variable' })
    const value = `it's "$(id)" \\ \n'; echo broken out; '`
    expect((await run('printf %s "$VALUE"', [{ name: 'VALUE', value }])).details?.['stdout']).toBe(value)
  })

  it('starts nothing where it is not allowed', async () => {
    const outcome = await execRunner.run({ script: 'true' }, buildDeps())
    expect(outcome).toMatchObject({ passed: false, invalid: true, error: 'exec checks are not allowed here' })
    const off = await buildExecutor({ refusal: 'the operator says so' })
    expect(await execRunner.run({ script: 'true' }, buildDeps({ executor: off }))).toMatchObject({
      invalid: true,
      error: 'programs are not run here: the operator says so',
    })
  })

  it('ends the whole tree of a runaway script at the deadline, also what left its process group', async () => {
    const nap = longNap()
    // Children and grandchildren that refuse the polite signal.
    const script = `
      trap '' TERM
      (trap '' TERM; (trap '' TERM; ${nap}) & ${nap}) &
      setsid sh -c "trap '' TERM; ${nap}" &
      env -i setsid -f ${nap}
      echo ready
      ${nap}
    `
    expect(await runToDeadline(script, nap, 5)).toMatchObject({
      passed: false,
      error: 'did not finish within 1.5s',
      details: { stdout: 'ready\n' },
    })
    await untilGone(nap)
  })

  it('ends what a finished script left in the background, and does not wait for it', async () => {
    const nap = longNap()
    const outcome = await run(`${nap} & setsid -f ${nap}; echo left`)
    expect(outcome).toMatchObject({ passed: true, message: 'left' })
    expect(outcome.durationMs).toBeLessThan(10_000)
    await untilGone(nap)
  })

  it('ends the script when the product itself is killed', async () => {
    const confined = new URL('../../../../gateway/src/executor/createExecutor.ts', import.meta.url)
    const runner = new URL('../../../../gateway/src/check-runner/types/exec.ts', import.meta.url)
    const nap = longNap()
    const program = `
      const { execRunner } = await import('${runner.href}')
      const { createExecutor } = await import('${confined.href}')
      const clock = { now: Date.now, monotonic: () => performance.now(), schedule: (work, ms) => {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      } }
      const logger = { info() {}, warn() {} }
      const executor = await createExecutor({ takenUids: new Set(), hidden: [] }, { clock, logger })
      const script = process.env.NAP + ' & setsid ' + process.env.NAP
      await execRunner.run({ script }, { clock, signal: new AbortController().signal, executor })
    `
    const args = ['--import', 'tsx', '--input-type=module', '-e', program]
    const product = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, NAP: nap } })
    onTestFinished(() => void product.kill('SIGKILL'))
    await until(() => napping(nap).length === 2, { what: 'script', maxMs: 20_000 })
    product.kill('SIGKILL')
    await expect.poll(() => napping(nap)).toEqual([])
  })

  it('lets a script clean up when it is stopped', async () => {
    const nap = longNap()
    const script = `trap 'echo cleaned up; exit 1' TERM; echo ready; ${nap} & wait`
    const outcome = await runToDeadline(script, nap, 1)
    expect(outcome.details).toMatchObject({ stdout: 'ready\ncleaned up\n' })
  })

  it('never stores a secret variable', async () => {
    const spec = { script: 'echo "token is $API_TOKEN"; exit 1', env: [{ name: 'API_TOKEN', value: 'abc-123' }] }
    const outcome = await runCheck({ type: 'exec', name: 'loud', timeoutMs: 5_000, spec }, buildRunDeps())
    expect(outcome.error).toBe('ended with code 1: token is ***')
    expect(JSON.stringify(outcome)).not.toContain('abc-123')
  })
})
