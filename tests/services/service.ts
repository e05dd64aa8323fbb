// A program of the distribution that connections are tried against, on a loopback port and in a folder of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ConnectionTypeName, ConnectionValues } from '@watchroom/shared/settings/connections'

export interface Trial {
  readonly what: string
  readonly type: ConnectionTypeName
  /** As people enter them. */
  readonly values: ConnectionValues
  /** What the test must say where it must fail; it succeeds otherwise. */
  readonly refusal?: RegExp
  /** What is not as it must be on the other side afterwards; null where it is. */
  readonly prove?: () => string | null
}

export interface Service {
  readonly name: string
  readonly program: string
  readonly debianPackage: string
  /** Arguments that make the program say its version. */
  readonly version: readonly string[]
  /** Starts it and says what is tried. */
  start(place: Place): Trial[]
}

export interface Place {
  readonly program: string
  readonly folder: string
  readonly port: number
  /** Runs beside us until the place is left. */
  readonly run: (program: string, args: readonly string[]) => void
  /** Runs to its end. @returns what it printed */
  call(program: string, args: readonly string[], input?: string): string
  /** Undone when the place is left, the last first. */
  onLeave(undo: () => void): void
}

/** Not the administrator of the machine: some programs refuse to be that. */
const NOBODY = 65_534
const UNTIL_UP_MS = 30_000

export async function enterPlace(name: string, program: string): Promise<Place & { leave(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), `watchroom-${name}-`))
  chownSync(folder, NOBODY, NOBODY)
  const children: ChildProcess[] = []
  const undos: (() => void)[] = []
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C', HOME: folder } }
  return {
    program,
    folder,
    port: await findPort(),
    run: (command, args) => {
      children.push(spawn(command, args, { ...options, stdio: 'ignore', ...ownerOf(command) }))
    },
    call: (command, args, input = '') =>
      execFileSync(command, args, { ...options, input, stdio: 'pipe', encoding: 'utf8', ...ownerOf(command) }),
    onLeave: (undo) => void undos.unshift(undo),
    leave: async () => {
      await Promise.all(children.map(stop))
      for (const undo of undos) undo()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Only what signs people of the machine in, or must become someone else, needs to be root. */
const ownerOf = (command: string) =>
  /\/(?:sshd|exim4?|chown|useradd|userdel|chpasswd)$/.test(command) ? {} : { uid: NOBODY, gid: NOBODY }

/** A folder that the program may write into. */
export function makeFolder(place: Pick<Place, 'folder'>, name: string): string {
  const path = join(place.folder, name)
  mkdirSync(path)
  chownSync(path, NOBODY, NOBODY)
  return path
}

async function findPort(): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => void server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** @throws Error when nobody takes a connection in time */
export async function untilUp(port: number): Promise<void> {
  const end = Date.now() + UNTIL_UP_MS
  while (!(await isUp(port))) {
    if (Date.now() > end) throw new Error('it did not come up')
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
}

const isUp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(timer)
}
