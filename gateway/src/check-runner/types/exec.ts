import { constants } from 'node:os'

import { VARIABLE_NAME } from '@watchroom/shared/specs'

import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { invalid, judged } from '../outcome.ts'

/** Of each of stdout and stderr. */
export const MAX_OUTPUT_BYTES = 64 * 1024
const MESSAGE_CHARACTERS = 200

/** Runs a shell script in an empty folder that is removed afterwards. Exit code 0 passes. */
export const execRunner: CheckRunner<RunnerSpec<'exec'>> = {
  async run(spec, { signal, executor }) {
    if (executor === undefined) return invalid(0, 'exec checks are not allowed here')
    const { confinement } = executor
    if (confinement.kind === 'off') return invalid(0, `programs are not run here: ${confinement.reason}`)
    const variables = spec.env ?? []
    const odd = variables.find(({ name }) => !VARIABLE_NAME.test(name))
    if (odd) return invalid(0, `env: ${JSON.stringify(odd.name)} is not the name of a variable`)
    const { exitCode, stdout, stderr, isTruncated, durationMs } = await executor.run({
      script: spec.script,
      env: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    })
    if (durationMs === null)
      return invalid(0, `the script could not be started: ${firstLine(stderr) ?? 'no reason given'}`)
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
  },
}

/** A shell reports death by signal n as 128 + n; null when the shell itself was killed. */
export function describeEnd(exitCode: number | null): string {
  const name = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0]
  if (name !== undefined) return `was ended by ${name}`
  return exitCode === null ? 'was killed' : `ended with code ${exitCode}`
}

export function firstLine(text: string): string | undefined {
  return text.trim().split('\n')[0]?.slice(0, MESSAGE_CHARACTERS) || undefined
}
