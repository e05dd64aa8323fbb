// Runs work of unknown time and memory in a separate process. What people wrote cannot be bounded from within a library, and a thread's
// memory cannot be bounded without risk for the whole process. A process that builds too much is ended by its own limit, and the next
// question gets a new one. Everyone else's work has priority.
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { systemClock as clock } from './clock.ts'
import { lowerPriority } from './lowerPriority.ts'

const START_MS = 20_000

export interface ApartProgram {
  /** Its bundle, beside the one that this file is in. */
  readonly bundle: string
  /** Its source, which `answerApart` is in. */
  readonly source: URL
  readonly maxHeapMb: number
  readonly killAfterMs: number
}

export type ApartAnswer<Answer> =
  | { readonly value: Answer }
  | { readonly fault: 'not started' | 'too long' | 'too much memory' }

interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<boolean>
}

/** @returns asks the process; never rejects. Nothing may be asked before the last question was answered. */
export function createApartProcess<Answer>(program: ApartProgram): (question: object) => Promise<ApartAnswer<Answer>> {
  let running: Running | null = null
  /** The last process ended before it answered. */
  let hasFailed = false

  async function askNow(question: object): Promise<ApartAnswer<Answer>> {
    const { child, ready } = (running ??= start())
    if (await ready) return ask(child, question)
    end(child)
    return { fault: 'not started' }
  }

  function ask(child: ChildProcess, question: object): Promise<ApartAnswer<Answer>> {
    return new Promise((resolve) => {
      const settle = (answer: ApartAnswer<Answer> | Promise<ApartAnswer<Answer>>): void => {
        cancel()
        child.off('message', handleMessage)
        child.off('exit', handleExit)
        resolve(answer)
      }
      const handleMessage = (message: unknown): void => {
        hasFailed = false
        settle({ value: message as Answer })
      }
      const handleExit = (code: number | null): void => {
        // It was idle and already ending when the question came.
        if (code === 0) settle(askNow(question))
        else {
          hasFailed = true
          settle({ fault: 'too much memory' })
        }
      }
      const cancel = clock.schedule(() => {
        hasFailed = true
        settle({ fault: 'too long' })
        end(child)
      }, program.killAfterMs)
      child.on('message', handleMessage)
      child.on('exit', handleExit)
      child.send(question, (error) => {
        // It is ending: `exit` settles.
        if (error && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      })
    })
  }

  function start(): Running {
    const child = spawn(process.execPath, [`--max-old-space-size=${program.maxHeapMb}`, ...toArguments(program)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {},
      detached: true,
    })
    // Someone waits for the first one; a replacement may take its time.
    if (hasFailed) lowerPriority(child)
    const ready = new Promise<boolean>((resolve) => {
      const cancel = clock.schedule(() => resolve(false), START_MS)
      const settle = (isReady: boolean): void => {
        cancel()
        resolve(isReady)
      }
      child.once('message', () => {
        lowerPriority(child)
        settle(true)
      })
      child.once('exit', () => settle(false))
      child.once('error', () => settle(false))
    })
    child.on('exit', () => {
      if (running?.child === child) running = null
    })
    // Whoever started it may end without asking.
    child.unref()
    child.channel?.unref()
    return { child, ready }
  }

  function end(child: ChildProcess): void {
    if (running?.child === child) running = null
    child.kill('SIGKILL')
  }

  return askNow
}

/** The bundle beside this file, or the source under tsx: whichever this file itself is. */
function toArguments({ bundle, source }: ApartProgram): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL(`./${bundle}`, import.meta.url))]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', tsx, fileURLToPath(source)]
}
