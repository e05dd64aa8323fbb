// Runs PostgREST on a unix socket, restarted when it dies, stopped when we are.
import { chownSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

import { ANONYMOUS_ROLE } from '@watchroom/shared/access'
import { type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { createKeeper, type KeeperState, type KeptProcess } from '../processes/createKeeper.ts'
import {
  createRuntimeDirectory,
  type RuntimeDirectory,
  sweepRuntimeDirectories,
} from '../processes/runtimeDirectory.ts'
import { spawnTied } from '../processes/spawnTied.ts'
import { type Owner, unprivilegedOwner } from '../processes/unprivilegedOwner.ts'
import { untilReady } from '../processes/untilReady.ts'
import { findPostgrest } from './program.ts'
import { JWT_AUDIENCE, signToken } from './signToken.ts'

export interface PostgrestOptions {
  /** DSN of the role that may become the console's database roles and nothing else. */
  databaseUrl: string
  /** HS256 key, at least 32 characters; the server signs every request's token with it. */
  jwtSecret: string
  /** Function that is called first in every transaction, with its schema. */
  preRequest?: string
  /** Path of an executable that replaces the bundled one. */
  postgrestBin?: string | undefined
  /** Stands in the environment of the process: says to which run it belongs, for who looks at processes. */
  run?: string
}

export interface Postgrest {
  /** Resolves when it has read the schema and answers. @throws CodedError */
  start(): Promise<void>
  /** The same across restarts. Throws before `start`. */
  socketPath(): string
  state(): KeeperState
  onState(listener: (state: KeeperState) => void): () => void
  /** Its pid; null while it does not run. */
  pid(): number | null
  restart(): Promise<void>
  close(): Promise<void>
}

interface RunningPostgrest extends KeptProcess {
  readonly pid: number
}

/** Longest answer of one read, as in the real backend (backend reference 2.2). */
const MAX_ROWS = 2_000
/** Of the 80 connections that PostgreSQL allows. */
export const POOL_SIZE = 20
const START_MS = 60_000
const PING_INTERVAL_MS = 10
const PING_MAX_MS = 5_000

export function createPostgrest(
  options: PostgrestOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Postgrest {
  const owner = unprivilegedOwner()
  let directory: RuntimeDirectory | null = null
  let file = ''

  const socketPath = (): string => join(required(directory).path, 'postgrest')

  const keeper = createKeeper<RunningPostgrest>(
    {
      name: 'postgrest',
      startAttempts: 3,
      isFinal: (error) => error instanceof CodedError && !error.retryable,
      start: (signal) =>
        startPostgrest(
          { ...options, file, owner, signal, directory: required(directory).path, socketPath: socketPath() },
          { clock, logger },
        ),
    },
    { clock, logger },
  )

  const close = async (): Promise<void> => {
    await keeper.close()
    directory?.close()
    directory = null
  }

  return {
    start: async () => {
      try {
        file = findPostgrest(options.postgrestBin, owner)
        sweepRuntimeDirectories(owner, clock)
        directory = createRuntimeDirectory(owner)
        await keeper.start()
      } catch (error) {
        await close()
        throw error
      }
    },
    socketPath,
    state: () => keeper.state(),
    onState: (listener) => keeper.onState(listener),
    pid: () => keeper.current()?.pid ?? null,
    restart: () => keeper.restart(),
    close,
  }
}

function required(directory: RuntimeDirectory | null): RuntimeDirectory {
  if (!directory) throw new Error('PostgREST has not been started')
  return directory
}

interface StartOptions extends PostgrestOptions {
  file: string
  owner: Owner | null
  signal: AbortSignal
  /** Holds the socket and the files with secrets. */
  directory: string
  socketPath: string
}

async function startPostgrest(
  options: StartOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<RunningPostgrest> {
  const process = spawnTied(
    {
      file: options.file,
      args: [],
      env: environment(options),
      stopSignal: 'TERM',
      owner: options.owner,
      onLine: (line) => logger.debug({ process: 'postgrest', line }, 'PostgREST reports'),
    },
    clock,
  )
  const settled = new AbortController()
  const answers = untilAnswers(options, AbortSignal.any([options.signal, settled.signal]), clock)
  const problem = await untilReady(
    { ready: answers, exited: process.exited, signal: options.signal, maxMs: START_MS },
    clock,
  )
  settled.abort(new Error('settled'))
  if (problem === null) return { pid: await process.pid, exited: process.exited, stop: () => process.stop() }
  await process.stop()
  throw new CodedError(BACKEND_ERRORS.BACKEND_POSTGREST_FAILED, {
    values: { detail: `${problem}; it said: ${process.tail()}` },
  })
}

function environment(options: StartOptions): Record<string, string> {
  const secretFile = (name: string, content: string): string => {
    const path = join(options.directory, name)
    writeFileSync(path, content, { mode: 0o600 })
    if (options.owner) chownSync(path, options.owner.uid, options.owner.gid)
    // PostgREST reads a value that begins so from the file.
    return `@${path}`
  }
  return {
    PGRST_DB_URI: secretFile('database-url', options.databaseUrl),
    PGRST_DB_SCHEMAS: 'public',
    PGRST_DB_POOL: String(POOL_SIZE),
    PGRST_DB_MAX_ROWS: String(MAX_ROWS),
    PGRST_JWT_SECRET: secretFile('jwt-secret', options.jwtSecret),
    PGRST_JWT_AUD: JWT_AUDIENCE,
    PGRST_SERVER_UNIX_SOCKET: options.socketPath,
    PGRST_SERVER_UNIX_SOCKET_MODE: '600',
    PGRST_OPENAPI_MODE: 'disabled',
    PGRST_LOG_LEVEL: 'error',
    ...(options.preRequest === undefined ? {} : { PGRST_DB_PRE_REQUEST: options.preRequest }),
    ...(options.run === undefined ? {} : { WATCHROOM_RUN: options.run }),
  }
}

/**
 * PostgREST answers 503 until it has read the schema, but 401 from the beginning: so the question needs a token.
 * Never rejects; after an abort it never resolves.
 */
async function untilAnswers(options: StartOptions, signal: AbortSignal, clock: Clock): Promise<void> {
  while (!signal.aborted) {
    const token = signToken({ role: ANONYMOUS_ROLE }, options.jwtSecret, clock.now())
    const status = await ping(options.socketPath, token)
    if (status !== null && status < 500) return
    await sleep(clock, PING_INTERVAL_MS)
  }
  await new Promise(() => undefined)
}

function ping(socketPath: string, token: string): Promise<number | null> {
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve) => {
    const sent = request({ socketPath, path: '/', method: 'HEAD', headers, timeout: PING_MAX_MS }, (response) => {
      response.resume()
      resolve(response.statusCode ?? null)
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(null))
    sent.end()
  })
}
