// The agent's real main in a process of its own, to be killed, stopped and read.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { programArguments } from './programs.ts'

const READY = /The agent '.*' runs/

export interface AgentProcess {
  readonly process: ChildProcess
  /** Everything it printed, both streams. */
  output(): string
  /** Resolves when it says that it runs; rejects with what it printed when it ends before. */
  ready(): Promise<void>
  /** Exit code; null when a signal ended it. */
  exited(): Promise<number | null>
  kill(): Promise<void>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
}

export interface AgentProcessOptions {
  readonly upstream: string
  readonly token: string
  readonly data: string
  readonly args?: readonly string[]
}

export function startAgentProcess({ upstream, token, data, args = [] }: AgentProcessOptions): AgentProcess {
  const child = spawn(
    process.execPath,
    [...programArguments('agent'), '--upstream', upstream, '--data', data, '--heartbeat', '500ms', ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, WATCHROOM_AGENT_TOKEN: token } },
  )
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const gone = once(child, 'exit') as Promise<[number | null]>
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (READY.test(output)) resolve()
    })
    void gone.then(([code]) => reject(new Error(`the agent ended with ${code}:\n${output}`)))
  })
  // A test that expects the end does not ask.
  ready.catch(() => undefined)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await gone)[0]
  }
  return {
    process: child,
    output: () => output,
    ready: () => ready,
    exited: async () => (await gone)[0],
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

/** Results in the agent's queue files, sent or not, as it wrote them. */
export function readQueuedResults(data: string): { check_id: string; time: string; status: boolean }[] {
  const directory = join(data, 'queue')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as { check_id: string; time: string; status: boolean })
}
