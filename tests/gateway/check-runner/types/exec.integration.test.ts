import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { buildRunDeps } from '#support/runDeps.ts'

import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import { execRunner, MAX_OUTPUT_BYTES } from '../../../../gateway/src/check-runner/types/exec.ts'

const run = (script: string, env?: { name: string; value: string }[]) =>
  execRunner.run({ script, ...(env && { env }) }, buildRunDeps())

/** A zombie is not alive: in a container nobody may collect it for a while. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = `/proc/${pid}/stat`
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
  } catch {
    return false
  }
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

  it('starts nothing where it is not allowed', async () => {
    const outcome = await execRunner.run({ script: 'true' }, buildRunDeps({ allowExec: false }))
    expect(outcome).toMatchObject({ passed: false, invalid: true, error: 'exec checks are not allowed here' })
  })

  it('ends the whole tree of a runaway script at the deadline', async () => {
    // Children and grandchildren that refuse the polite signal; each tells its process id.
    const script = `
      trap '' TERM
      (trap '' TERM; (trap '' TERM; sh -c 'echo $PPID $$; sleep 300') & echo $!; sleep 300) &
      sh -c 'echo $$; exec sleep 300' &
      echo $$
      sleep 300
    `
    const outcome = await runCheck({ type: 'exec', name: 'runaway', timeoutMs: 500, spec: { script } }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 500ms' })
    expect(outcome.durationMs).toBeLessThan(1_500)
    const pids = String(outcome.details?.['stdout']).trim().split(/\s+/).map(Number)
    expect(new Set(pids).size).toBeGreaterThanOrEqual(4)
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5_000 })
  })

  it('ends what a finished script left in the background, and does not wait for it', async () => {
    const startedAt = performance.now()
    const outcome = await run('sleep 300 & echo $!')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(outcome.passed).toBe(true)
    const pid = Number(outcome.message)
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 })
  })

  it('ends the script when the product itself is killed', async () => {
    const runner = new URL('../../../../gateway/src/check-runner/types/exec.ts', import.meta.url)
    const program = `
      const { execRunner } = await import('${runner.href}')
      const clock = { now: Date.now, monotonic: () => performance.now(), schedule: setTimeout }
      const script = 'sleep 300 & echo $! $$ > ' + process.argv[1] + '; sleep 300'
      await execRunner.run({ script }, { clock, signal: new AbortController().signal, allowExec: true })
    `
    const folder = await mkdtemp(join(tmpdir(), 'watchroom-test-'))
    const file = join(folder, 'pids')
    const args = ['--import', 'tsx', '--input-type=module', '-e', program, file]
    const product = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } })
    onTestFinished(async () => {
      product.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    })
    const readPids = async (): Promise<number[]> => {
      const pids = (await readFile(file, 'utf8')).trim().split(' ').map(Number)
      expect(pids).toHaveLength(2)
      return pids
    }
    const pids = await vi.waitFor(readPids, { timeout: 15_000 })
    expect(pids.filter(isAlive)).toEqual(pids)
    product.kill('SIGKILL')
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5_000 })
  })

  it('lets a script clean up when it is stopped', async () => {
    const script = 'trap "echo cleaned up; exit 1" TERM; echo ready; while :; do sleep 0.05; done'
    const outcome = await runCheck({ type: 'exec', name: 'tidy', timeoutMs: 300, spec: { script } }, buildRunDeps())
    expect(outcome.details).toMatchObject({ stdout: 'ready\ncleaned up\n' })
  })

  it('never stores a secret variable', async () => {
    const spec = { script: 'echo "token is $API_TOKEN"; exit 1', env: [{ name: 'API_TOKEN', value: 'abc-123' }] }
    const outcome = await runCheck({ type: 'exec', name: 'loud', timeoutMs: 5_000, spec }, buildRunDeps())
    expect(outcome.error).toBe('ended with code 1: token is ***')
    expect(JSON.stringify(outcome)).not.toContain('abc-123')
  })
})
