import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { answerAt, type Service } from './behavior.ts'
import type { ServiceLogs } from './createServiceLogs.ts'

export interface DemoTarget {
  readonly host: string
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

export interface DemoTargetDeps {
  clock: Clock
  logger: Logger
  /** Remembers the port, so that the addresses in the checks stay right over restarts. */
  dataDirectory: string
  services: ReadonlyMap<string, Service>
  /** Where they write down what they answered. */
  logs?: ServiceLogs
  /** Milliseconds since the epoch; what behaves "since the start" counts from here. */
  startedAt: number
}

const HOST = '127.0.0.1'
const PORT_FILE = 'demo-target-port'

/** The services of the demo as one small HTTP server on the loopback address: the checks against them are real. It takes messages, too. */
export async function createDemoTarget(deps: DemoTargetDeps): Promise<DemoTarget> {
  const { clock, logger, services, startedAt } = deps
  const timers = new Set<() => void>()
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{"id":"taken"}\n'))
      return
    }
    const service = services.get(request.url ?? '')
    if (!service) {
      response.writeHead(404).end('no such service\n')
      return
    }
    const answer = answerAt(service, clock.now(), startedAt)
    const { isUp, latencyMs } = answer
    const cancel = clock.schedule(() => {
      timers.delete(cancel)
      deps.logs?.note(request.url ?? '', clock.now(), answer)
      response.writeHead(isUp ? 200 : 503, { 'content-type': 'text/plain' })
      response.end(isUp ? 'ok\n' : 'service unavailable\n')
    }, latencyMs)
    timers.add(cancel)
  })
  const file = join(deps.dataDirectory, PORT_FILE)
  const port = await listen(server, await readPort(file))
  await writeFile(file, String(port))
  logger.debug({ port, services: services.size }, 'demo target listens')
  return {
    host: HOST,
    port,
    url: `http://${HOST}:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const cancel of timers) cancel()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** 0, any free port, when there is none or the file is damaged. */
async function readPort(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^\d{4,5}$/.test(text) && Number(text) < 65_536 ? Number(text) : 0
}

/** Takes the wanted port, or any when someone else has it by now. */
async function listen(server: Server, wanted: number): Promise<number> {
  try {
    return await tryListen(server, wanted)
  } catch (error) {
    if (wanted === 0) throw error
    return tryListen(server, 0)
  }
}

function tryListen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.removeListener('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
