// The gateway in a process of its own, to be killed or measured: its real main in front of someone else's backend, or its parts
// around its own one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { TestBackend } from './embeddedBackend.ts'

/** As it is built before tests and benchmarks. */
const PROGRAM = fileURLToPath(new URL('../../gateway/dist/main.js', import.meta.url))
/** Both halves of what `npm start` starts are at hand then; its real main keeps the backend to itself. */
const OWN_PROGRAM = fileURLToPath(new URL('./ownGateway.ts', import.meta.url))
const PRELOAD = fileURLToPath(new URL('./reportEventLoopDelay.mjs', import.meta.url))
/** Not part of the gateway's start: it fetches no page in these tests. */
const READY = /is ready: (http:\S+)/
const START_MS = 30_000

export interface GatewayProcess {
  readonly url: string
  readonly process: ChildProcess
  /** From spawn to listening. */
  readonly startMs: number
  /** Longest time that one turn of the event loop kept the processor busy since the last call, in milliseconds. */
  eventLoopDelayMs(): Promise<number>
  /** kill -9; resolves when it is dead. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface GatewayProcessOptions {
  readonly backend: Pick<TestBackend, 'url' | 'serviceToken' | 'databaseUrl'>
  readonly port: number
  /** Gateway and backend are of one installation. */
  readonly isOwn?: boolean
  readonly env?: Record<string, string>
}

export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { backend } = options
  const startedAt = performance.now()
  const program = options.isOwn ? ['--import', 'tsx', OWN_PROGRAM] : [PROGRAM]
  const child = spawn(process.execPath, ['--import', PRELOAD, ...program, '--port', String(options.port)], {
    env: {
      ...process.env,
      BACKEND_URL: backend.url,
      BACKEND_TOKEN: backend.serviceToken,
      DATABASE_URL: toPlainUrl(backend.databaseUrl),
      WATCHROOM_LOG_LEVEL: 'fatal',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await readyUrl(child)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url,
    process: child,
    startMs: performance.now() - startedAt,
    eventLoopDelayMs: () => askEventLoopDelay(child),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

async function askEventLoopDelay(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ kind: string; maxMs: number }]>
  child.send('eventLoopDelay')
  const [{ maxMs }] = await answer
  return maxMs
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`gateway not ready: ${text}`)), START_MS)
    const settle = (result: () => void): void => {
      clearTimeout(timer)
      result()
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, url] = READY.exec(text) ?? []
      if (url) settle(() => resolve(url))
    })
    child.once('exit', (code) => settle(() => reject(new Error(`gateway ended with ${code}: ${text}`))))
  })
}

/** Without the empty host of a unix-socket address, which no URL parser takes: everything else moves into the query. */
function toPlainUrl(databaseUrl: string): string {
  const [, user = '', password = '', database = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^:@/]*):?([^@/]*)@\/([^?]*)\?(.*)$/.exec(databaseUrl) ?? []
  if (query === '') return databaseUrl
  return `postgresql://localhost/${database}?user=${user}&password=${password}&${query}`
}
