import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CheckSpec } from '@watchroom/shared/health/check-types'

import type { CheckRunner } from '../contract.ts'
import { invalid, judged } from '../outcome.ts'
import { runProcess } from '../runProcess.ts'

/** Of each of stdout and stderr. */
export const MAX_OUTPUT_BYTES = 64 * 1024
const MESSAGE_CHARACTERS = 200
/** All that a script sees of our environment: the rest holds the product's own secrets. */
const PASSED_ON = ['PATH', 'LANG', 'TZ', 'SystemRoot']

/** Runs a shell script in an empty folder that is removed afterwards. Exit code 0 passes. */
export const execRunner: CheckRunner<CheckSpec<'exec'>> = {
  async run(spec, { signal, clock, allowExec }) {
    if (allowExec !== true) return invalid(0, 'exec checks are not allowed here')
    const cwd = await mkdtemp(join(tmpdir(), 'watchroom-exec-'))
    try {
      const startedAt = clock.monotonic()
      const { exitCode, endedBySignal, stdout, stderr, isTruncated } = await runProcess({
        command: 'sh',
        args: ['-c', spec.script],
        env: buildEnvironment(spec, cwd),
        cwd,
        signal,
        clock,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      })
      const durationMs = clock.monotonic() - startedAt
      const said = firstLine(stderr) ?? firstLine(stdout)
      const how = exitCode === null ? `was ended by ${endedBySignal}` : `ended with code ${exitCode}`
      const faults = exitCode === 0 ? [] : [said === undefined ? how : `${how}: ${said}`]
      return judged(durationMs, faults, firstLine(stdout) ?? 'no output', {
        exitCode,
        stdout,
        stderr,
        ...(isTruncated && { outputTruncated: true }),
      })
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  },
}

function buildEnvironment(spec: CheckSpec<'exec'>, cwd: string): Record<string, string> {
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
