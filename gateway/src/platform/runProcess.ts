import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'

import type { Clock } from '@watchroom/shared/kernel'

/** From the polite signal to the one that cannot be refused. Stays below `ABANDON_GRACE_MS`. */
const KILL_GRACE_MS = 250
/** A process that left the group may hold pipes open; its output is awaited no longer than this. */
const DRAIN_MS = 200
/** How often that wait is repeated while output still arrives. */
const MAX_DRAINS = 300

export interface ProcessOptions {
  command: string
  args: readonly string[]
  env: Record<string, string>
  cwd?: string
  /** What it can read from its descriptor 4, to the end; there is none when absent. */
  payload?: string
  /** Takes what it writes to descriptor 4. */
  onReturned?: (bytes: Buffer) => void
  /** Ends the whole process group when aborted. */
  signal: AbortSignal
  clock: Clock
  /** Of each of stdout and stderr; what comes after it is read and dropped. */
  maxOutputBytes: number
  /** Takes the output instead; nothing more of a stream is read until a returned promise settles. */
  onOutput?: (stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void
}

export interface ProcessResult {
  /** Null when a signal ended it. */
  exitCode: number | null
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
    // Descriptor 3 closes with this process, however it ends: a program that reads it can follow.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(options.payload === undefined ? [] : (['pipe'] as const))],
    ...(cwd !== undefined && { cwd }),
  })
  const { onOutput, onReturned } = options
  const stdout = onOutput
    ? relay(child.stdout, (bytes) => onOutput('stdout', bytes))
    : collect(child.stdout, maxOutputBytes)
  const stderr = onOutput
    ? relay(child.stderr, (bytes) => onOutput('stderr', bytes))
    : collect(child.stderr, maxOutputBytes)
  // Nothing is ever sent over it; an unheard error event would end the process.
  child.stdio[3]?.on('error', nothing)
  const returned = relay(onReturned ? channelOf(child) : null, (bytes) => onReturned?.(bytes))
  sendPayload(child, options)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))

  let cancelKill = nothing
  const handleAbort = (): void => {
    killGroup(child, 'SIGTERM')
    cancelKill = clock.schedule(() => killGroup(child, 'SIGKILL'), KILL_GRACE_MS)
  }
  if (signal.aborted) handleAbort()
  else signal.addEventListener('abort', handleAbort, { once: true })
  try {
    const exitCode = await waitForExit(child)
    // The program is gone; what it left in the background goes as well.
    killGroup(child, 'SIGKILL')
    await untilDrained(closed, clock, () => [stdout, stderr, returned].some((output) => output.hasMoved()))
    return {
      exitCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
      isTruncated: stdout.isTruncated() || stderr.isTruncated(),
    }
  } finally {
    signal.removeEventListener('abort', handleAbort)
    cancelKill()
    for (const stream of child.stdio) stream?.destroy()
  }
}

const nothing = (): void => undefined

const channelOf = (child: ChildProcess): Duplex | null => (child.stdio[4] as Duplex | null | undefined) ?? null

function sendPayload(child: ChildProcess, { payload }: ProcessOptions): void {
  const channel = channelOf(child)
  if (!channel || payload === undefined) return
  // The program may be gone before it has read everything.
  channel.on('error', nothing)
  channel.end(payload)
}

function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

async function untilDrained(closed: Promise<void>, clock: Clock, hasMoved: () => boolean): Promise<void> {
  for (let drains = 0; drains < MAX_DRAINS; drains++) {
    let cancel = nothing
    const enough = new Promise<false>((resolve) => {
      cancel = clock.schedule(() => resolve(false), DRAIN_MS)
    })
    const isClosed = await Promise.race([closed.then(() => true), enough])
    cancel()
    if (isClosed || !hasMoved()) return
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: nobody of the group is left, which is what was wanted.
  }
}

interface Output {
  text(): string
  isTruncated(): boolean
  /** Whether something was read since the last look, or is being taken. */
  hasMoved(): boolean
}

function relay(stream: Readable | null, take: (bytes: Buffer) => Promise<void> | void): Output {
  let hasMoved = false
  let taking = 0
  const resume = (): void => {
    taking -= 1
    hasMoved = true
    stream?.resume()
  }
  stream?.on('data', (bytes: Buffer) => {
    hasMoved = true
    const taken = take(bytes)
    if (!taken) return
    taking += 1
    stream.pause()
    taken.then(resume, resume)
  })
  return {
    text: () => '',
    isTruncated: () => false,
    hasMoved: () => {
      const moved = hasMoved || taking > 0
      hasMoved = false
      return moved
    },
  }
}

function collect(stream: Readable | null, maxBytes: number): Output {
  const chunks: Buffer[] = []
  let size = 0
  let isTruncated = false
  stream?.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, maxBytes - size))
    if (kept.length < chunk.length) isTruncated = true
    size += kept.length
    if (kept.length > 0) chunks.push(kept)
  })
  return { text: () => Buffer.concat(chunks).toString('utf8'), isTruncated: () => isTruncated, hasMoved: () => false }
}
