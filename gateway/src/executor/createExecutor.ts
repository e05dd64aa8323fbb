// The one place where programs that people wrote are started: confined as this machine allows, or not at all.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Clock, messageOf } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { runProcess } from '../platform/runProcess.ts'
import { withDeadline } from '../platform/withDeadline.ts'
import type { Confinement, Executor, Program, ProgramResult } from './contract.ts'
import { decideConfinement } from './decideConfinement.ts'
import { readLeftFiles } from './readLeftFiles.ts'
import { namespaceCommand, type ShellUser, TIED, toPayload, userCommand } from './shellPrograms.ts'

export interface ExecutorOptions {
  /** Why nothing may run here at all; undefined when it may. */
  readonly refusal?: string | undefined
  /** Name or uid of whom programs run as when we are root. */
  readonly user?: string | undefined
  /** Uids that programs must not have, besides root's. */
  readonly takenUids: ReadonlySet<number>
  /** Files and folders that programs must not see even where file rights would let them. */
  readonly hidden: readonly string[]
}

/** No account of any distribution; PostgreSQL runs as 65534 then. */
const DEFAULT_USER: ShellUser = { uid: 65_533, gid: 65_533 }
const PROBE_MS = 10_000
const PROBE_OUTPUT_BYTES = 4_096
/** What starts the confinement is found here, whatever PATH the script has. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Doors to other programs' rights, which the product's own user may happen to have. */
const CONTROL_SOCKETS = [
  '/run/user',
  '/run/secrets',
  '/run/docker.sock',
  '/run/containerd',
  '/run/podman',
  '/run/libvirt',
]
/** What is returned of files, a multiple of their bytes: base64, and their names. */
const MAX_FRAME = 1.5
/** In the environment of what runs as a user without namespaces: finds what left the process group. */
const MARK = 'WATCHROOM_RUN'

/** Tries what this machine allows; takes a moment. */
export async function createExecutor(
  options: ExecutorOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Executor> {
  const ownUid = process.getuid?.() ?? -1
  const user = findUser(options.user)
  const hidden = existing([...options.hidden, ...(ownUid === 0 ? [] : home()), tmpdir(), ...CONTROL_SOCKETS])

  const start = (command: readonly string[], program: Program, more: { cwd: string; env: Record<string, string> }) => {
    let startedAt: number | null = null
    const returned: Buffer[] = []
    let room = MAX_FRAME * (program.wanted?.maxBytes ?? 0)
    const ended = runProcess({
      command: 'sh',
      args: ['-c', TIED, 'sh', ...command],
      // Not the script's: these programs may run with more rights than it.
      env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
      cwd: '/',
      payload: toPayload(
        program.script,
        { ...passedOn(), HOME: more.cwd, TMPDIR: more.cwd, ...more.env, ...program.env },
        program.wanted,
      ),
      onReturned: (bytes) => {
        startedAt ??= clock.monotonic()
        room -= bytes.length
        if (room >= 0) returned.push(bytes)
      },
      signal: program.signal,
      clock,
      maxOutputBytes: program.maxOutputBytes,
      ...(program.onOutput && { onOutput: program.onOutput }),
    })
    return ended.then((result) => ({
      ...result,
      durationMs: startedAt === null ? null : clock.monotonic() - startedAt,
      files: program.wanted ? readLeftFiles(Buffer.concat(returned), program.wanted) : [],
    }))
  }

  const runInNamespaces = (as: ShellUser | null, program: Program): Promise<ProgramResult> => {
    const inside = as ?? { uid: ownUid, gid: process.getgid?.() ?? ownUid }
    const cwd = `/tmp/watchroom-exec-${randomBytes(6).toString('hex')}`
    return start(namespaceCommand(as, inside, cwd, hidden), program, { cwd, env: {} })
  }

  const runAsUser = async (as: ShellUser, program: Program): Promise<ProgramResult> => {
    const mark = randomBytes(12).toString('hex')
    const cwd = mkdtempSync(join(tmpdir(), 'watchroom-exec-'))
    try {
      chownSync(cwd, as.uid, as.gid)
      return await start(userCommand(as, cwd), program, { cwd, env: { [MARK]: mark } })
    } finally {
      killMarked(as.uid, `${MARK}=${mark}`)
      rmSync(cwd, { recursive: true, force: true })
    }
  }

  const isWorking = async (run: (program: Program) => Promise<ProgramResult>, uid: number): Promise<string | null> => {
    try {
      const { exitCode, stdout, stderr } = await withDeadline({ clock, limitMs: PROBE_MS }, ({ signal }) =>
        run({ env: {}, signal, maxOutputBytes: PROBE_OUTPUT_BYTES, script: 'id -u' }),
      )
      if (exitCode === 0 && stdout.trim() === String(uid)) return null
      return stderr.trim().split('\n', 1)[0] || `the trial ended with ${exitCode ?? 'a signal'}`
    } catch (error) {
      return messageOf(error)
    }
  }

  const decide = (): Promise<Confinement> => {
    if (options.refusal !== undefined) return Promise.resolve({ kind: 'off', reason: options.refusal })
    if (user === null) return Promise.resolve({ kind: 'off', reason: `there is no user ${options.user}` })
    return decideConfinement(
      {
        platform: process.platform,
        ownUid,
        tryNamespaces: (as) => isWorking((program) => runInNamespaces(as, program), as?.uid ?? ownUid),
        tryUser: (as) => isWorking((program) => runAsUser(as, program), as.uid),
      },
      user,
      options.takenUids,
    )
  }

  const confinement = await decide()
  if (confinement.kind === 'off') logger.warn({ reason: confinement.reason }, 'programs are not run here')
  else logger.info({ confinement }, 'programs are run confined')

  return {
    confinement,
    run: (program) => {
      switch (confinement.kind) {
        case 'off':
          return Promise.reject(new Error(`programs are not run here: ${confinement.reason}`))
        case 'namespaces':
          return runInNamespaces(null, program)
        case 'user-and-namespaces':
          return runInNamespaces(user, program)
        case 'user':
          return runAsUser(user ?? DEFAULT_USER, program)
      }
    },
  }
}

/** Null when there is no such user. */
function findUser(text: string | undefined): ShellUser | null {
  if (text === undefined) return DEFAULT_USER
  if (/^\d+$/.test(text)) return { uid: Number(text), gid: Number(text) }
  try {
    const ask = (what: string): number =>
      Number(execFileSync('id', [what, '--', text], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return null
  }
}

/** Of our own user; one without an entry in the list of users has none. */
function home(): string[] {
  try {
    return [homedir()]
  } catch {
    return []
  }
}

/** By their real paths, which links cannot lead around. */
function existing(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => {
    try {
      return [realpathSync(path)]
    } catch {
      return []
    }
  })
  // The three that every run has anew are hidden by that.
  return [...new Set(real)].filter((path) => !['/', '/tmp', '/var/tmp', '/dev/shm'].includes(path))
}

/** All of our environment that a script sees. */
function passedOn(): Record<string, string> {
  const { PATH, LANG, TZ } = process.env
  return Object.fromEntries(
    Object.entries({ PATH, LANG, TZ }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Ends what left the process group with setsid(2). A program that also empties its environment is not found. */
function killMarked(uid: number, mark: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (statSync(`/proc/${name}`).uid !== uid) continue
      if (readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark))
        process.kill(Number(name), 'SIGKILL')
    } catch {
      // It ended while we looked.
    }
  }
}
