// The agent's folder: who it is, which canaries it was assigned, its queue, and the lock that keeps a second agent out.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PulledCanarySchema } from '@watchroom/shared/agents/upstream'
import { messageOf } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { AGENT_ERRORS } from './errors.ts'
import { writeDurably } from './writeDurably.ts'

const StateSchema = z.object({
  agent: z.object({ id: z.guid(), name: z.string() }),
  /** Canaries assigned in the upstream, so that they run while it is away. */
  assigned: z.array(PulledCanarySchema).catch([]),
  /** All that may be upstream of what this agent defined: what it no longer defines is deleted there. */
  pushed: z.object({ canaries: z.array(z.string()), checks: z.array(z.string()) }).catch({ canaries: [], checks: [] }),
})
export type AgentState = z.infer<typeof StateSchema>
export type PushedIds = AgentState['pushed']

export interface DataDirectory {
  readonly queueDirectory: string
  readonly stepsDirectory: string
  /** Null on the first start, or when the file is damaged: then the upstream is asked. */
  readState(): Promise<AgentState | null>
  writeState(state: AgentState): Promise<void>
  close(): Promise<void>
}

/** Longest path of a unix socket, with its end. */
const MAX_SOCKET_PATH = 104

/** @throws CodedError AGENT_DATA_IN_USE, AGENT_DATA_UNUSABLE */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const unusable = (error: unknown): CodedError =>
    new CodedError(AGENT_ERRORS.AGENT_DATA_UNUSABLE, {
      values: { directory, detail: messageOf(error) },
      cause: error,
    })
  const statePath = join(directory, 'agent.json')
  let lock: Server
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    lock = await takeLock(lockPath(directory))
  } catch (error) {
    if (error instanceof LockedError) throw new CodedError(AGENT_ERRORS.AGENT_DATA_IN_USE, { values: { directory } })
    throw unusable(error)
  }
  const write = async (state: AgentState): Promise<void> => {
    try {
      await writeDurably(statePath, JSON.stringify(state))
    } catch (error) {
      throw unusable(error)
    }
  }
  /** One after the other: they share a file. */
  let lastWrite: Promise<void> = Promise.resolve()
  return {
    queueDirectory: join(directory, 'queue'),
    stepsDirectory: join(directory, 'steps'),
    readState: async () => {
      const text = await readFile(statePath, 'utf8').catch(() => null)
      return text === null ? null : tryParseState(text)
    },
    writeState: (state) => {
      const isWritten = lastWrite.then(() => write(state))
      lastWrite = isWritten.catch(() => undefined)
      return isWritten
    },
    close: () => new Promise((resolve) => lock.close(() => resolve())),
  }
}

function tryParseState(text: string): AgentState | null {
  try {
    return StateSchema.parse(JSON.parse(text))
  } catch {
    // Damaged: the upstream knows it all again.
    return null
  }
}

class LockedError extends Error {}

function lockPath(directory: string): string {
  const path = join(directory, 'lock')
  if (path.length < MAX_SOCKET_PATH) return path
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 24)
  return join(tmpdir(), `watchroom-agent-${name}`)
}

/** A listening socket is a lock that ends with its process, however it ends; a pid in a file may be someone else's later. */
async function takeLock(path: string): Promise<Server> {
  try {
    return await listen(path)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error
    if (await isAnswered(path)) throw new LockedError()
    // Left behind by a process that was killed.
    await rm(path, { force: true })
    return listen(path)
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
