import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { freePort } from './freePort.ts'
import { startRespServer } from './respServer.ts'
import { findProgram } from './systemProgram.ts'

export interface RedisServer {
  port: number
  url: string
}

/** A real Redis on a free loopback port, in memory, until the test has finished; its protocol alone where there is none. */
export async function startRedis({ password }: { password?: string } = {}): Promise<RedisServer> {
  const credentials = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  const program = findProgram('redis-server')
  if (program === null) {
    const { port, stop } = await startRespServer({ password })
    onTestFinished(stop)
    return { port, url: `redis://${credentials}127.0.0.1:${port}` }
  }
  const port = await freePort()
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
  return { port, url: `redis://${credentials}127.0.0.1:${port}` }
}
