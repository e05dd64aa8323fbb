// Has expressions evaluated in a process of their own, one after the other; those that come meanwhile go there together. Time and size of what people wrote cannot be bounded from
// within the library, and the memory of a thread cannot be bounded without risk for the whole process: a process that builds too
// much is ended by its own limit, and the next expression gets a new one. Everybody else's work goes before it.
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { systemClock as clock } from '../platform/clock.ts'
import { lowerPriority } from '../platform/lowerPriority.ts'
import type { Look, LookAnswer } from './evaluateLook.ts'

/** Asks for what an expression says; never rejects. */
export type LookUp = (look: Look) => Promise<LookAnswer>

/** An answer of a target as JSON is some megabytes; what is made of it must not be many times that. */
const MAX_HEAP_MB = 96
/** The process itself gives up much earlier; this is for one that does not get to do so. */
const KILL_AFTER_MS = 5_000
const START_MS = 20_000
/** A message of many large answers would be some hundred megabytes. */
const MAX_TOGETHER = 16

interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<boolean>
}

let running: Running | null = null
/** The last one did not live to answer. */
let hasFailed = false
let waiting: { readonly look: Look; readonly tell: (answer: LookAnswer) => void }[] = []
let isAsking = false

export const lookApart: LookUp = (look) =>
  new Promise((tell) => {
    waiting.push({ look, tell })
    void askWaiting()
  })

async function askWaiting(): Promise<void> {
  if (isAsking) return
  isAsking = true
  while (waiting.length > 0) {
    const asked = waiting.slice(0, MAX_TOGETHER)
    waiting = waiting.slice(MAX_TOGETHER)
    const answers = await lookTogether(asked.map(({ look }) => look))
    for (const [index, { tell }] of asked.entries()) tell(answers[index] ?? NOT_STARTED)
  }
  isAsking = false
}

/** When they come to no end, each is asked for itself, to find the one that it is. */
async function lookTogether(looks: readonly Look[]): Promise<readonly LookAnswer[]> {
  const together = await lookNow(looks)
  if (Array.isArray(together)) return together as LookAnswer[]
  if (looks.length === 1) return [together as LookAnswer]
  const answers: LookAnswer[] = []
  for (const look of looks) answers.push(...(await lookTogether([look])))
  return answers
}

/** An answer to each, or one to all when there is none. */
async function lookNow(looks: readonly Look[]): Promise<readonly LookAnswer[] | LookAnswer> {
  const { child, ready } = (running ??= start())
  if (!(await ready)) {
    end(child)
    return NOT_STARTED
  }
  return ask(child, looks)
}

const NOT_STARTED: LookAnswer = {
  problem: { text: 'cannot be evaluated now: its process does not start', isMalformed: false },
}

function ask(child: ChildProcess, looks: readonly Look[]): Promise<readonly LookAnswer[] | LookAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: Awaited<ReturnType<typeof ask>> | ReturnType<typeof ask>): void => {
      cancel()
      child.off('message', handleMessage)
      child.off('exit', handleExit)
      resolve(answer)
    }
    const handleMessage = (message: unknown): void => {
      hasFailed = false
      settle(message as LookAnswer[])
    }
    const handleExit = (code: number | null): void => {
      // Nobody had asked it for a while: it was about to end when the question came.
      if (code === 0) settle(lookNow(looks))
      else {
        hasFailed = true
        settle({ problem: { text: 'needs too much memory on this answer', isMalformed: false } })
      }
    }
    const cancel = clock.schedule(() => {
      hasFailed = true
      settle({ problem: { text: 'takes too long on this answer', isMalformed: false } })
      end(child)
    }, KILL_AFTER_MS)
    child.on('message', handleMessage)
    child.on('exit', handleExit)
    child.send(looks, (error) => {
      // It is ending: `exit` settles.
      if (error && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    })
  })
}

function start(): Running {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, ...program()], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
    detached: true,
  })
  // The first one is waited for; one that takes the place of another has to wait itself.
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

/** The bundle beside this file, or its source under tsx: whichever this file itself is. */
function program(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('./expression-process.js', import.meta.url))]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', tsx, fileURLToPath(new URL('./expressionProcess.ts', import.meta.url))]
}
