import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { invalid, judged } from '../outcome.ts'
import { runProcess } from '../runProcess.ts'

/** Of each of stdout and stderr. */
export const MAX_OUTPUT_BYTES = 64 * 1024
const MESSAGE_CHARACTERS = 200
/** All that a script sees of our environment: the rest holds the product's own secrets. */
const PASSED_ON = ['PATH', 'LANG', 'TZ', 'SystemRoot']

/**
 * Runs `$1` below a shell of ours that leads the process group. Its watcher kills the group when this process is gone, even
 * by kill -9; the trap keeps the leader alive while the script answers a TERM.
 */
const TIED =
  'trap : TERM; (read _; kill -KILL -$$) <&3 >/dev/null 2>&1 & w=$!; sh -c "$1" 3<&-; s=$?; kill $w 2>/dev/null; exit $s'

/** Runs a shell script in an empty folder that is removed afterwards. Exit code 0 passes. */
export const execRunner: CheckRunner<RunnerSpec<'exec'>> = {
  async run(spec, { signal, clock, allowExec }) {
    if (allowExec !== true) return invalid(0, 'exec checks are not allowed here')
    const cwd = await mkdtemp(join(tmpdir(), 'watchroom-exec-'))
    try {
      const startedAt = clock.monotonic()
      const { exitCode, stdout, stderr, isTruncated } = await runProcess({
        command: 'sh',
        args: ['-c', TIED, 'sh', spec.script],
        env: buildEnvironment(spec, cwd),
        cwd,
        signal,
        clock,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      })
      const durationMs = clock.monotonic() - startedAt
      const said = firstLine(stderr) ?? firstLine(stdout)
      const how = describeEnd(exitCode)
      const faults = exitCode === 0 ? [] : [said === undefined ? how : `${how}: ${said}`]
      const outcome = judged(durationMs, faults, firstLine(stdout) ?? 'no output', {
        exitCode,
        stdout,
        stderr,
        ...(isTruncated && { outputTruncated: true }),
      })
      const results = { exitCode: BigInt(exitCode ?? -1), stdout, stderr }
      return { ...outcome, variables: () => ({ results: { type: 'map<string, dyn>', value: results } }) }
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  },
}

/** A shell reports death by signal n as 128 + n; null when the shell itself was killed. */
function describeEnd(exitCode: number | null): string {
  const name = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0]
  if (name !== undefined) return `was ended by ${name}`
  return exitCode === null ? 'was killed' : `ended with code ${exitCode}`
}

function buildEnvironment(spec: RunnerSpec<'exec'>, cwd: string): Record<string, string> {
  const own = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const given = (spec.env ?? []).map(({ name, value }) => [name, value] as const)
  return Object.fromEntries([...own, ['HOME', cwd], ['TMPDIR', cwd], ...given])
}

function firstLine(text: string): string | undefined {
  return text.trim().split('\n')[0]?.slice(0, MESSAGE_CHARACTERS) || undefined
}
