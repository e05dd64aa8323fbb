// The gateway's side: runs the embedded backend as a child process and keeps it running. The only file of this program that
// others import, besides `contract.ts`.
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../platform/errors.ts'
import {
  BACKEND_LABEL,
  type BackendOptions,
  type BackendReady,
  type BackendState,
  type ChildMessage,
  ChildMessageSchema,
} from './contract.ts'
import { BACKEND_ERRORS } from './errors.ts'
import { createKeeper, type KeeperState, type KeptProcess } from './processes/createKeeper.ts'
import { plainEnvironment } from './processes/plainEnvironment.ts'
import { createRuntimeDirectory, sweepRuntimeDirectories } from './processes/runtimeDirectory.ts'
import { unprivilegedOwner } from './processes/unprivilegedOwner.ts'

export type EmbeddedBackendOptions = Omit<BackendOptions, 'socketPath'>

export interface EmbeddedBackendDeps {
  clock: Clock
  logger: Logger
  /** Arguments of Node that run the backend; the program beside this file when absent. */
  program?: readonly string[]
}

export interface EmbeddedBackend {
  /** `unix:<socket path>`; the same for as long as this object lives, whatever happens to the process. */
  readonly backendUrl: string
  /**
   * Resolves when the backend answers. One sentence for the operator in the error's message.
   *
   * @throws CodedError with the child's code; nothing is left running then
   */
  start(): Promise<BackendReady>
  state(): BackendState
  onState(listener: (state: BackendState) => void): () => void
  /** Pid of the child; null while it does not run. */
  pid(): number | null
  /** Stops the backend in order and removes its socket directory. */
  close(): Promise<void>
}

interface RunningBackend extends KeptProcess {
  readonly ready: BackendReady
  readonly pid: number
}

/** A first start makes a database and, in profile `large`, fills it. */
const START_MS = 300_000
/** The child gives its own parts 20 s. */
const STOP_MS = 25_000

export function createEmbeddedBackend(
  options: EmbeddedBackendOptions,
  { clock, logger, program = ownProgram() }: EmbeddedBackendDeps,
): EmbeddedBackend {
  const owner = unprivilegedOwner()
  sweepRuntimeDirectories(owner, clock)
  // PostgreSQL makes its socket in here too, so the directory belongs to the uid that PostgreSQL runs as.
  const directory = createRuntimeDirectory(owner)
  const socketPath = join(directory.path, 'backend')
  let firstReady: BackendReady | null = null

  const keeper = createKeeper<RunningBackend>(
    {
      name: 'embedded-backend',
      startAttempts: 3,
      isFinal: (error) => error instanceof CodedError && !error.retryable,
      start: (signal) => startChild(program, { ...options, socketPath }, signal, clock),
    },
    { clock, logger },
  )

  return {
    backendUrl: `unix:${socketPath}`,
    start: async () => {
      try {
        await keeper.start()
      } catch (error) {
        await keeper.close()
        directory.close()
        throw error
      }
      firstReady ??= keeper.current()?.ready ?? null
      if (!firstReady) throw new CodedError(BACKEND_ERRORS.BACKEND_CRASHED, { values: { detail: 'it died at once' } })
      return firstReady
    },
    state: () => toBackendState(keeper.state()),
    onState: (listener) => keeper.onState((state) => listener(toBackendState(state))),
    pid: () => keeper.current()?.pid ?? null,
    close: async () => {
      await keeper.close()
      directory.close()
    },
  }
}

const toBackendState = (state: KeeperState): BackendState => (state === 'running' ? 'ready' : state)

async function startChild(
  program: readonly string[],
  options: BackendOptions,
  signal: AbortSignal,
  clock: Clock,
): Promise<RunningBackend> {
  const child = spawn(process.execPath, [...program, BACKEND_LABEL, options.dataDirectory], {
    // A session of its own: Ctrl-C in the terminal reaches only the gateway, which stops things in order.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    env: plainEnvironment(process.env),
  })
  // It may be gone before it has read them; `exited` tells that.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(JSON.stringify(options))
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, killedBy) =>
      resolve(killedBy ? `it was ended by ${killedBy}` : `it exited with status ${code}`),
    )
  })
  const stop = (): Promise<void> => stopChild(child, exited, clock)
  try {
    const ready = await untilReady(child, exited, signal, clock)
    return { ready, pid: child.pid ?? 0, exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The bundle beside this file, or its source under tsx: whichever this file itself is. */
function ownProgram(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('./embedded-backend.js', import.meta.url))]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', tsx, fileURLToPath(new URL('./main.ts', import.meta.url))]
}

function untilReady(
  child: ChildProcess,
  exited: Promise<string>,
  signal: AbortSignal,
  clock: Clock,
): Promise<BackendReady> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      cancel()
      signal.removeEventListener('abort', handleAbort)
    }
    const crash = (detail: string): void => {
      leave()
      reject(new CodedError(BACKEND_ERRORS.BACKEND_CRASHED, { values: { detail } }))
    }
    const handleAbort = (): void => crash('it was stopped')
    const cancel = clock.schedule(() => crash(`it was not ready after ${START_MS / 1_000} s`), START_MS)
    child.on('message', (message) => {
      const parsed = ChildMessageSchema.safeParse(message)
      if (!parsed.success) return
      leave()
      if (parsed.data.kind === 'ready') resolve(parsed.data)
      else reject(toError(parsed.data))
    })
    // The signal lives for as long as the gateway, and the backend may be started anew as often as it dies.
    signal.addEventListener('abort', handleAbort, { once: true })
    void exited.then(crash)
  })
}

/** The child's own code and sentence. */
function toError({ code, message, retryable }: Extract<ChildMessage, { kind: 'failed' }>): CodedError {
  return new CodedError({ code, message, status: 500, retryable, reportable: true })
}

async function stopChild(child: ChildProcess, exited: Promise<string>, clock: Clock): Promise<void> {
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null && child.pid !== undefined
  if (isRunning()) {
    if (child.connected) child.send({ kind: 'shutdown' }, () => undefined)
    else child.kill('SIGTERM')
  }
  const cancel = clock.schedule(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  cancel()
}
