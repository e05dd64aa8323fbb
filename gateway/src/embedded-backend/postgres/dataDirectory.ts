// The database's own directory: where it is, making it, and clearing what a killed run left in it.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

import { type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { commandLine, processIdentity, signalProcess } from '../processes/processIdentity.ts'
import { EXITED_CLEANLY, spawnTied } from '../processes/spawnTied.ts'
import { firstBarrier, type Owner } from '../processes/unprivilegedOwner.ts'
import type { PostgresPrograms } from './programs.ts'

const NAME = 'postgres'
const INIT_PREFIX = `${NAME}.init-`
const PASSWORD_FILE = 'postgres-password'
/** Where the database goes when an unprivileged uid cannot enter Watchroom's data directory. */
export const SHARED_ROOT = '/var/lib/watchroom'
/** Of a data directory that this program or an earlier version of it made. */
const OWN_MODES: ReadonlySet<number> = new Set([0o700, 0o710, 0o711])
const LEFTOVER_GRACE_MS = 10_000
const POLL_MS = 20

export interface PreparedData {
  /** Real path given to `postgres -D`. */
  readonly path: string
  /** Password of the superuser `postgres`. */
  readonly password: string
}

interface PrepareOptions {
  dataDirectory: string
  /** Private directory for the password file that initdb reads. */
  scratch: string
  programs: PostgresPrograms
  owner: Owner | null
  /** Gives the start up. */
  signal: AbortSignal
  clock: Clock
  logger: Logger
}

/**
 * Makes the database directory on the first start and checks it on every start.
 * A start that was cut short leaves only `postgres.init-*`, which the next start removes.
 *
 * @throws CodedError BACKEND_DATA_UNREACHABLE, BACKEND_DATA_VERSION
 */
export async function prepareData(options: PrepareOptions): Promise<PreparedData> {
  const { dataDirectory, owner, programs } = options
  const place = placeOf(options)
  for (const name of readdirSync(place)) {
    if (name.startsWith(INIT_PREFIX)) rmSync(join(place, name), { recursive: true, force: true })
  }
  const path = join(place, NAME)
  if (existsSync(path)) {
    checkVersion(path, programs)
    // PostgreSQL refuses a directory that others may read, or that another uid owns.
    giveTo(owner, path)
    chmodSync(path, 0o700)
    return { path, password: readPassword(dataDirectory) ?? (await resetPassword(path, options)) }
  }
  const password = newPassword(dataDirectory)
  const partial = join(place, `${INIT_PREFIX}${randomBytes(4).toString('hex')}`)
  await initialize(partial, password, options)
  renameSync(partial, path)
  return { path, password }
}

/**
 * Ends a postmaster that outlived its supervisor, and removes a pid file whose pid now belongs to a stranger.
 * PostgreSQL itself replaces the file of a pid that does not run. The caller holds the lock of the data directory.
 */
export async function clearLeftover(path: string, clock: Clock, logger: Logger): Promise<void> {
  const file = join(path, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (processIdentity(pid) === null) return
  if (!isPostmasterOf(path, pid)) {
    rmSync(file)
    return
  }
  logger.warn({ postmasterPid: pid }, 'a PostgreSQL left by a killed run is stopped')
  signalProcess(pid, 'SIGINT')
  const startedAt = clock.monotonic()
  while (processIdentity(pid) !== null) {
    if (clock.monotonic() - startedAt > LEFTOVER_GRACE_MS) signalProcess(pid, 'SIGKILL')
    await sleep(clock, POLL_MS)
  }
}

function isPostmasterOf(path: string, pid: number): boolean {
  const command = commandLine(pid)
  return command.includes(`-D\0${path}\0`) || command.includes(`-D ${path} `)
}

/** The directory that holds `postgres/`: Watchroom's data directory, or a place that the unprivileged uid can enter. */
function placeOf({ dataDirectory, owner, logger }: PrepareOptions): string {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  if (!owner) return dataDirectory
  const link = join(dataDirectory, NAME)
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const place = dirname(readlinkSync(link))
    mkdirSync(place, { recursive: true, mode: 0o711 })
    return place
  }
  letPass(owner, dataDirectory)
  const barrier = firstBarrier(dataDirectory, owner)
  if (barrier === null) return dataDirectory
  if (existsSync(link))
    throw new CodedError(BACKEND_ERRORS.BACKEND_DATA_UNREACHABLE, { values: { directory: barrier } })
  // What is temporary stays where the system clears it away.
  const isTemporary = resolve(dataDirectory).startsWith(`${tmpdir()}/`)
  const id = randomBytes(8).toString('hex')
  const place = isTemporary ? join(tmpdir(), `watchroom-data-${id}`) : join(SHARED_ROOT, id)
  try {
    mkdirSync(place, { recursive: true, mode: 0o711 })
  } catch (error) {
    throw new CodedError(BACKEND_ERRORS.BACKEND_DATA_UNREACHABLE, { values: { directory: barrier }, cause: error })
  }
  symlinkSync(join(place, NAME), link)
  logger.warn({ place, barrier }, 'the database is kept where an unprivileged user can enter')
  return place
}

/** PostgreSQL must pass through. Where the directory is as this program makes it, its group may and nobody else. */
function letPass(owner: Owner, directory: string): void {
  const { mode, uid } = statSync(directory)
  if (OWN_MODES.has(mode & 0o777)) {
    chownSync(directory, uid, owner.gid)
    chmodSync(directory, 0o710)
  } else chmodSync(directory, mode | 0o011)
}

function checkVersion(path: string, { major }: PostgresPrograms): void {
  const found = Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10)
  if (found === major) return
  throw new CodedError(BACKEND_ERRORS.BACKEND_DATA_VERSION, { values: { directory: path, found, expected: major } })
}

function readPassword(dataDirectory: string): string | null {
  const file = join(dataDirectory, PASSWORD_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

function newPassword(dataDirectory: string): string {
  const password = randomBytes(24).toString('base64url')
  const file = join(dataDirectory, PASSWORD_FILE)
  // Renamed into place so that a start cut short leaves either no password or a whole one.
  writeFileSync(`${file}.new`, `${password}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return password
}

async function initialize(path: string, password: string, options: PrepareOptions): Promise<void> {
  const { scratch, programs, owner } = options
  const passwordFile = join(scratch, 'initdb-password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(path, { mode: 0o700 })
  for (const made of [passwordFile, path]) giveTo(owner, made)
  try {
    // The builtin provider sorts the same on every machine, whatever libc or ICU it has.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
    const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    await run(programs.initdb, ['-D', path, ...access, ...locale], options)
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    throw error
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** The password file was lost: PostgreSQL's single-user mode sets a new one without asking for the old. */
async function resetPassword(path: string, options: PrepareOptions): Promise<string> {
  const { dataDirectory, programs } = options
  const password = newPassword(dataDirectory)
  try {
    const input = `ALTER ROLE postgres PASSWORD '${password}'\n`
    await run(programs.postgres, ['--single', '-D', path, 'postgres'], options, input)
    return password
  } catch (error) {
    rmSync(join(dataDirectory, PASSWORD_FILE), { force: true })
    throw error
  }
}

function giveTo(owner: Owner | null, path: string): void {
  if (owner && statSync(path).uid !== owner.uid) chownSync(path, owner.uid, owner.gid)
}

/** Runs a program to its end, or until the start is given up. */
async function run(file: string, args: readonly string[], options: PrepareOptions, input?: string): Promise<void> {
  options.signal.throwIfAborted()
  const program = spawnTied(
    {
      file,
      args,
      env: { TZ: 'UTC' },
      stopSignal: 'TERM',
      owner: options.owner,
      ...(input === undefined ? {} : { input }),
    },
    options.clock,
  )
  const handleAbort = (): void => void program.stop()
  options.signal.addEventListener('abort', handleAbort, { once: true })
  const reason = await program.exited
  options.signal.removeEventListener('abort', handleAbort)
  if (reason === EXITED_CLEANLY) return
  throw new CodedError(BACKEND_ERRORS.BACKEND_POSTGRES_FAILED, {
    values: { detail: `${basename(file)}: ${reason}; it said: ${program.tail()}` },
  })
}
