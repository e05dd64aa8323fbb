import { MAX_STEP_FILE_BYTES, MAX_STEP_FILES } from '@watchroom/shared/playbooks'

import type { Step } from './contract.ts'
import { TemplateFault } from './templateFault.ts'
import { fillEnv, fillScript, fillTemplate } from './templates.ts'

const BOUNDS = { maxFiles: MAX_STEP_FILES, maxBytes: MAX_STEP_FILE_BYTES }

/** A shell script, in a process group of its own and an empty folder. Exit code 0 is success. */
export const runExec: Step<'exec'> = async ({ spec, scope, env, signal, executor, lookUp, openOutput, keepFiles }) => {
  const { confinement } = executor
  if (confinement.kind === 'off') throw new TemplateFault(`programs are not run here: ${confinement.reason}`)
  const { script, env: values } =
    spec.raw === true
      ? { script: await fillTemplate(spec.script, scope, lookUp), env: {} }
      : await fillScript(spec.script, scope, lookUp)
  const own = await fillEnv(spec.env, scope, lookUp)
  const output = openOutput([])
  const ended = await executor.run({
    script,
    env: { ...env, ...own, ...values },
    signal,
    maxOutputBytes: 0,
    onOutput: (stream, bytes) => output.write(stream, bytes),
    ...(spec.artifacts && { wanted: { patterns: spec.artifacts.map(({ path }) => path), ...BOUNDS } }),
  })
  if (!signal.aborted && ended.files.length > 0) await keepFiles(ended.files)
  const { stdout, stderr } = await output.end()
  // As the field's servers keep it: what comes after fills these into addresses and queries.
  const printed = { stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }
  const exitCode = signal.aborted ? -1 : (ended.exitCode ?? -1)
  const result = { ...printed, exitCode, path: '/bin/sh', args: ['sh', '-c', spec.script] }
  if (ended.durationMs === null) return { result, error: 'the script could not be started' }
  return { result, error: exitCode === 0 ? null : `the script ended with code ${exitCode}` }
}
