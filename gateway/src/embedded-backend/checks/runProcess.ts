import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

import type { Clock } from '@watchroom/shared/kernel'

/** From the polite signal to the one that cannot be refused. Stays below `ABANDON_GRACE_MS`. */
const KILL_GRACE_MS = 250
/** Pipes may be held open by a process that left the group; its output is not waited for longer than this. */
const DRAIN_MS = 200

export interface ProcessOptions {
  command: string
  args: readonly string[]
  env: Record<string, string>
  cwd?: string
  /** Ends the whole process group when aborted. */
  signal: AbortSignal
  clock: Clock
  /** Of each of stdout and stderr; what comes after it is read and dropped. */
  maxOutputBytes: number
}

export interface ProcessResult {
  /** Null when a signal ended it. */
  exitCode: number | null
  endedBySignal: string | null
  stdout: string
  stderr: string
  isTruncated: boolean
}

/**
 * Runs a program in a process group of its own and leaves nothing of the group behind.
 * A process that calls setsid(2) leaves the group and can therefore not be ended here.
 *
 * @throws the system's error when the program cannot be started, for example ENOENT
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const { command, args, env, cwd, signal, clock, maxOutputBytes } = options
  const child = spawn(command, args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  const stdout = collect(child.stdout, maxOutputBytes)
  const stderr = collect(child.stderr, maxOutputBytes)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))

  let cancelKill = noKill
  const handleAbort = (): void => {
    killGroup(child, 'SIGTERM')
    cancelKill = clock.schedule(() => killGroup(child, 'SIGKILL'), KILL_GRACE_MS)
  }
  if (signal.aborted) handleAbort()
  else signal.addEventListener('abort', handleAbort, { once: true })
  try {
    const { code, ended } = await waitForExit(child)
    // The program is gone; what it left in the background goes as well.
    killGroup(child, 'SIGKILL')
    await Promise.race([closed, after(clock, DRAIN_MS)])
    return {
      exitCode: code,
      endedBySignal: ended,
      stdout: stdout.text(),
      stderr: stderr.text(),
      isTruncated: stdout.isTruncated() || stderr.isTruncated(),
    }
  } finally {
    signal.removeEventListener('abort', handleAbort)
    cancelKill()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

const noKill = (): void => undefined

function waitForExit(child: ChildProcess): Promise<{ code: number | null; ended: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, ended) => resolve({ code, ended }))
  })
}

function after(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(resolve, delayMs)
  })
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: nobody of the group is left, which is what was wanted.
  }
}

function collect(stream: Readable, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  let isTruncated = false
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, maxBytes - size))
    if (kept.length < chunk.length) isTruncated = true
    size += kept.length
    if (kept.length > 0) chunks.push(kept)
  })
  return { text: () => Buffer.concat(chunks).toString('utf8'), isTruncated: () => isTruncated }
}
