import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { onTestFinished } from 'vitest'

import { findFreePort } from './listen.ts'

const HOW_TO_PROVIDE =
  'These tests need a redis-server program on PATH. Install it (Debian: apt-get install redis-server, macOS: brew install redis).'

function findOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** @throws Error that says how to provide the program */
function findRedisServer(): string {
  const found = findOnPath('redis-server')
  if (found !== undefined) return found
  const canInstall = process.getuid?.() === 0 && findOnPath('apt-get') !== undefined
  if (!canInstall) throw new Error(HOW_TO_PROVIDE)
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
      stdio: 'pipe',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
  } catch (error) {
    throw new Error(HOW_TO_PROVIDE, { cause: error })
  }
  const installed = findOnPath('redis-server')
  if (installed === undefined) throw new Error(HOW_TO_PROVIDE)
  return installed
}

export interface RedisServer {
  port: number
  url: string
}

/** A real Redis on a free loopback port, in memory, until the test has finished. */
export async function startRedis({ password }: { password?: string } = {}): Promise<RedisServer> {
  const program = findRedisServer()
  const port = await findFreePort(createServer)
  const directory = await mkdtemp(join(tmpdir(), 'watchroom-redis-'))
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no']
  const child = spawn(program, [...settings, ...(password === undefined ? [] : ['--requirepass', password])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with code ${code}: ${output}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/ready to accept connections/i.test(output)) resolve()
    })
  })
  const credentials = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return { port, url: `redis://${credentials}127.0.0.1:${port}` }
}
