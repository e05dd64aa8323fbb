// Children that never outlive this process, not even its kill -9: a shell between us sees our end of a pipe close.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'

import { type Clock, sleep } from '@watchroom/shared/kernel'

import { isSameProcess, processIdentity, signalProcess } from './processIdentity.ts'
import type { Owner } from './unprivilegedOwner.ts'

/** After this a child that was asked to stop is killed. */
const STOP_GRACE_MS = 10_000
const POLL_MS = 20
/** Last lines of output kept for error messages. */
const TAIL_LINES = 20

/** `exited` of a program that ended by itself with status 0. */
export const EXITED_CLEANLY = 'it exited with status 0'

/**
 * `$0` is the program. The shell reports its pid on descriptor 3 and sends it the signal when our end of 3 closes.
 * The program itself does not inherit 3. The watcher ends with the program, so that it never signals a recycled pid, and
 * before the shell, so that nothing of ours is left once the shell is gone.
 * It signals again and again: a program that has just begun may not listen yet, and one in the background ignores INT until then.
 * A program in the background would read from /dev/null; descriptor 4 carries our input past that rule.
 */
const script = (signal: 'INT' | 'TERM'): string =>
  `exec 4<&0; "$0" "$@" <&4 4<&- 3<&- & c=$!; echo $c >&3; (read _; while kill -${signal} $c; do sleep 1; done) <&3 2>/dev/null & w=$!; wait $c; s=$?; { kill $w; wait $w; } 2>/dev/null; exit $s`

export interface TiedOptions {
  file: string
  args: readonly string[]
  /** The child's whole environment; nothing of ours is inherited, because ours holds secrets. */
  env: Readonly<Record<string, string>>
  /** What asks the program to stop: PostgreSQL's fast shutdown is INT, everyone else's is TERM. */
  stopSignal: 'INT' | 'TERM'
  owner: Owner | null
  /** All that it reads from its standard input. */
  input?: string
  onLine?: (line: string) => void
}

export interface TiedProcess {
  /** Resolves with the program's own pid, not the shell's; rejects when it could not be started. */
  readonly pid: Promise<number>
  /** Resolves with a reason once the program itself is gone. Never rejects. */
  readonly exited: Promise<string>
  /** Resolves when it writes a line that contains `text`. Ask in the same tick as `spawnTied`. */
  said(text: string): Promise<void>
  /** The last lines it wrote, for error messages. */
  tail(): string
  /** Asks it to stop, kills it after a grace period, and waits until it is gone. */
  stop(): Promise<void>
}

export function spawnTied(options: TiedOptions, clock: Clock): TiedProcess {
  const child = spawn('/bin/sh', ['-c', script(options.stopSignal), options.file, ...options.args], {
    ...options.owner,
    // A session of its own: Ctrl-C in the terminal reaches only us, and we stop things in order.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const tie = child.stdio[3] as Duplex
  // The shell may be gone before we close our ends.
  for (const end of [tie, child.stdin]) end?.on('error', () => undefined)
  child.stdin?.end(options.input)
  const output = collectLines(child, options.onLine)
  const pid = readPid(child, tie)
  const identity = pid.then(
    (value) => processIdentity(value),
    () => null,
  )
  const isRunning = async (): Promise<boolean> => {
    const known = await identity
    return known !== null && isSameProcess(await pid, known)
  }
  const untilGone = async (): Promise<void> => {
    const startedAt = clock.monotonic()
    while (await isRunning()) {
      if (clock.monotonic() - startedAt > STOP_GRACE_MS) signalProcess(await pid, 'SIGKILL')
      await sleep(clock, POLL_MS)
    }
  }

  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      tie.end()
      // When someone killed the shell alone, its watcher now stops the program.
      void untilGone().then(() => resolve(signal ? `its shell was ended by ${signal}` : describeStatus(code ?? 0)))
    })
  })

  return {
    pid,
    exited,
    said: output.said,
    tail: () => output.kept.join('\n'),
    stop: async () => {
      tie.end()
      await untilGone()
      await exited
    },
  }
}

/** POSIX shells report death by signal n as 128 + n. */
function describeStatus(status: number): string {
  if (status === 0) return EXITED_CLEANLY
  return status > 128 ? `it was ended by signal ${status - 128}` : `it exited with status ${status}`
}

interface Output {
  kept: string[]
  said: (text: string) => Promise<void>
}

function collectLines(child: ChildProcess, onLine?: (line: string) => void): Output {
  const kept: string[] = []
  const waiting: { text: string; resolve: () => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      kept.push(line)
      if (kept.length > TAIL_LINES) kept.shift()
      for (const { text, resolve } of waiting) if (line.includes(text)) resolve()
      onLine?.(line)
    })
  }
  return { kept, said: (text) => new Promise((resolve) => waiting.push({ text, resolve })) }
}

function readPid(child: ChildProcess, tie: Duplex): Promise<number> {
  const pid = new Promise<number>((resolve, reject) => {
    let text = ''
    tie.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.endsWith('\n')) resolve(Number(text))
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the shell ended before it started the program')))
  })
  // Callers that do not ask for the pid learn of the failure from `exited`.
  pid.catch(() => undefined)
  return pid
}
