// Runs the embedded PostgreSQL: on a unix socket only, unprivileged, restarted when it dies, stopped when we are.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { createKeeper, type KeeperState, type KeptProcess } from '../processes/createKeeper.ts'
import { lockDirectory } from '../processes/lockDirectory.ts'
import {
  createRuntimeDirectory,
  type RuntimeDirectory,
  sweepRuntimeDirectories,
} from '../processes/runtimeDirectory.ts'
import { spawnTied } from '../processes/spawnTied.ts'
import { type Owner, unprivilegedOwner } from '../processes/unprivilegedOwner.ts'
import { untilReady } from '../processes/untilReady.ts'
import { clearLeftover, prepareData } from './dataDirectory.ts'
import { findPostgresPrograms, type PostgresPrograms } from './programs.ts'

export interface PostgresOptions {
  /** Watchroom's data directory; the database lives in `postgres/` below it. */
  dataDirectory: string
  /**
   * Where the socket is made; a private directory of this run when absent. Give one that outlives this process when others
   * must find the same address after it was started again.
   */
  socketDirectory?: string
  /** Override or extend `DEFAULT_SETTINGS`, for example `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>
}

export interface Postgres {
  /** @throws CodedError */
  start(): Promise<{ databaseUrl: string }>
  /** Superuser DSN over the unix socket; the same across restarts. Throws before `start`. */
  databaseUrl(): string
  state(): KeeperState
  onState(listener: (state: KeeperState) => void): () => void
  /** Pid of the postmaster; null while it does not run. */
  pid(): number | null
  close(): Promise<void>
}

interface RunningPostgres extends KeptProcess {
  readonly pid: number
}

/** For a small machine shared with other programs. Nothing here trades durability: an acknowledged write survives a power cut. */
export const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '64MB',
  max_connections: '80',
  // No replication and no archive: less is written.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '512MB',
  wal_compression: 'on',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  // Pages are in the cache or on a disk without arms: an index is not four times as dear as the table.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '',
  // What was refused, not the row or the statement: both may hold a password.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  lc_messages: 'C',
}

/** Recovery after a crash replays at most `max_wal_size`; a slow disk needs its time. */
const START_MS = 120_000
/** Backends of a killed postmaster may hold its shared memory for a moment longer. */
const START_ATTEMPTS = 5

export function createPostgres(
  options: PostgresOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Postgres {
  const owner = unprivilegedOwner()
  const run: { directory?: RuntimeDirectory; release?: () => void; databaseUrl?: string; dataPath?: string } = {}
  let programs: PostgresPrograms | null = null

  const socketDirectory = (): string => options.socketDirectory ?? required(run.directory).path

  const keeper = createKeeper<RunningPostgres>(
    {
      name: 'postgres',
      startAttempts: START_ATTEMPTS,
      isFinal: (error) => error instanceof CodedError && !error.retryable,
      start: async (signal) => {
        const path = required(run.dataPath)
        await clearLeftover(path, clock, logger)
        clearSocket(socketDirectory())
        return startPostmaster(
          {
            path,
            socketDirectory: socketDirectory(),
            programs: required(programs),
            owner,
            signal,
            ...options,
          },
          { clock, logger },
        )
      },
    },
    { clock, logger },
  )

  const cleanUp = (): void => {
    run.directory?.close()
    run.release?.()
    delete run.directory
    delete run.release
  }

  const abort = new AbortController()
  let starting: Promise<unknown> = Promise.resolve()

  const start = async (): Promise<{ databaseUrl: string }> => {
    try {
      programs = findPostgresPrograms(owner)
      mkdirSync(options.dataDirectory, { recursive: true, mode: 0o700 })
      run.release = await lockDirectory(options.dataDirectory, clock)
      for (const path of sweepRuntimeDirectories(owner, clock)) logger.info({ path }, 'runtime directory swept')
      run.directory = createRuntimeDirectory(owner)
      const data = await prepareData({
        dataDirectory: options.dataDirectory,
        scratch: run.directory.path,
        programs,
        owner,
        signal: abort.signal,
        clock,
        logger,
      })
      abort.signal.throwIfAborted()
      run.dataPath = data.path
      run.databaseUrl = `postgresql://postgres:${encodeURIComponent(data.password)}@/postgres?host=${encodeURIComponent(socketDirectory())}`
      await keeper.start()
      return { databaseUrl: run.databaseUrl }
    } catch (error) {
      await keeper.close()
      cleanUp()
      throw error
    }
  }

  return {
    start: () => {
      const started = start()
      starting = started.catch(() => undefined)
      return started
    },
    databaseUrl: () => required(run.databaseUrl),
    state: () => keeper.state(),
    onState: (listener) => keeper.onState(listener),
    pid: () => keeper.current()?.pid ?? null,
    close: async () => {
      abort.abort(new Error('PostgreSQL was closed while it started'))
      await Promise.all([starting, keeper.close()])
      cleanUp()
    },
  }
}

interface PostmasterOptions extends PostgresOptions {
  path: string
  socketDirectory: string
  programs: PostgresPrograms
  owner: Owner | null
  signal: AbortSignal
}

async function startPostmaster(
  options: PostmasterOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<RunningPostgres> {
  const settings = {
    ...DEFAULT_SETTINGS,
    ...options.settings,
    listen_addresses: '',
    unix_socket_directories: options.socketDirectory,
    unix_socket_permissions: '0700',
  }
  const postmaster = spawnTied(
    {
      file: options.programs.postgres,
      args: ['-D', options.path, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: { TZ: 'UTC' },
      stopSignal: 'INT',
      owner: options.owner,
      onLine: (line) => logLine(logger, line),
    },
    clock,
  )
  const problem = await untilReady(
    {
      ready: postmaster.said('ready to accept connections'),
      exited: postmaster.exited,
      signal: options.signal,
      maxMs: START_MS,
    },
    clock,
  )
  if (problem === null) {
    return { pid: await postmaster.pid, exited: postmaster.exited, stop: () => postmaster.stop() }
  }
  await postmaster.stop()
  throw new CodedError(BACKEND_ERRORS.BACKEND_POSTGRES_FAILED, {
    values: { detail: `${problem}; it said: ${postmaster.tail()}` },
  })
}

/** The lock of the data directory is ours and its postmaster is gone, so a socket with a recycled pid in its lock file is too. */
function clearSocket(directory: string): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(directory, name), { force: true })
}

function logLine(logger: Logger, line: string): void {
  // Connections that a stop ends are no trouble.
  const isTrouble = /^(?:WARNING|ERROR|FATAL|PANIC):/u.test(line) && !line.endsWith('due to administrator command')
  if (isTrouble) logger.warn({ process: 'postgres', line }, 'PostgreSQL reports')
  else logger.debug({ process: 'postgres', line }, 'PostgreSQL reports')
}

function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('PostgreSQL has not been started')
  return value
}
