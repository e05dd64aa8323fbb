// A place that holds logs, as a log backend names it.
import type { LogBackend } from '@watchroom/shared/logs'

import type { Executor } from '../../executor/contract.ts'
import type { FileRoots } from '../../platform/fileRoots.ts'
import { createFileLog } from './files/createFileLog.ts'
import { openLogFiles, signatureOf } from './files/openLogFiles.ts'
import type { ServerDeps } from './http/askServer.ts'
import { createIndexLog } from './http/createIndexLog.ts'
import { createLokiLog } from './http/createLokiLog.ts'
import type { Log } from './log.ts'
import { createExecLog, type ExecLog } from './memory/createExecLog.ts'

export interface LogSource {
  /** The caller closes them. @throws Error with a sentence for people */
  open(): Promise<Log[]>
  /** Another one when there may be news; absent where nothing tells of them. */
  readonly signature?: () => Promise<string>
}

export interface SourceDeps extends ServerDeps {
  readonly executor: Executor
  readonly roots: FileRoots
  /** Where the product's own log is. */
  readonly ownLog: FileRoots
  /** Programs that run, by key. */
  readonly programs: Map<string, ExecLog>
}

export interface SourceSpec {
  readonly key: string
  readonly backend: LogBackend
  /** What was filled in. */
  readonly secrets: readonly string[]
  /** Of the selector, beyond the route. */
  readonly filter: Readonly<Record<string, string>>
}

export function createLogSource(deps: SourceDeps, { key, backend, secrets, filter }: SourceSpec): LogSource {
  const { file, exec, watchroom, loki } = backend
  const index = backend.elasticsearch ?? backend.opensearch
  if (file) return createFileSource(deps, deps.roots, file.path, file.labels ?? {})
  if (watchroom) return createFileSource(deps, deps.ownLog, ['*.log'], watchroom.labels ?? {})
  if (index) return { open: () => Promise.resolve([createIndexLog(deps, { key, backend: index, filter })]) }
  if (loki) return { open: () => Promise.resolve([createLokiLog(deps, { key, backend: loki, filter })]) }
  if (!exec) throw new Error('it names no place')
  const env = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]))
  const program = (): ExecLog => {
    const known = deps.programs.get(key)
    if (known) return known
    const options = { key, script: exec.script, env, labels: exec.labels ?? {}, secrets }
    const log = createExecLog(deps.executor, deps.clock, options)
    deps.programs.set(key, log)
    return log
  }
  const open = async (): Promise<Log[]> => {
    const log = program()
    await log.ask()
    // It goes on when the question is answered.
    return [{ ...log, close: () => Promise.resolve() }]
  }
  return { open, signature: async () => (await program().follow?.end()) ?? '' }
}

function createFileSource(
  { clock }: Pick<SourceDeps, 'clock'>,
  roots: FileRoots,
  paths: readonly string[],
  labels: Readonly<Record<string, string>>,
): LogSource {
  return {
    open: async () => {
      const files = await openLogFiles(paths, roots, labels)
      const logs = await Promise.all(files.map((file) => createFileLog(file, clock)))
      return logs.filter((log) => log !== null)
    },
    signature: () => signatureOf(paths, roots),
  }
}
