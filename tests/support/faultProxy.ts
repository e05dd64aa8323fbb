// Stands between gateway and backend and does what networks and tired servers do.
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `lost`: carried out, but the answer is cut. `reset`: cut before it arrived. `closed`: read, and ended without an answer. `silent`:
 * taken and never answered, until the fault changes. Numbers are statuses answered in the backend's place.
 */
export type Fault = 'none' | 'lost' | 'reset' | 'closed' | 'silent' | 429 | 503

export interface FaultProxy {
  /** As BACKEND_URL. */
  readonly url: string
  /** Chosen for each call to a table or of an agent; sign-in and sessions always pass. */
  fault: (method: string, path: string) => Fault
  /** Writes that reached the backend. */
  readonly passed: { readonly method: string; readonly path: string; readonly key: string }[]
  readonly faults: () => number
  close(): Promise<void>
}

/** @param backend the path of its socket, or as the gateway takes it: `unix:{path}` or an address */
export async function startFaultProxy(backend: string): Promise<FaultProxy> {
  const { hostname, port } = /^https?:/.test(backend) ? new URL(backend) : { hostname: '', port: '' }
  const target = hostname === '' ? { socketPath: backend.replace(/^unix:/, '') } : { host: hostname, port }
  const passed: { method: string; path: string; key: string }[] = []
  const silent = new Set<ServerResponse>()
  let faults = 0

  const forward = (request: IncomingMessage, response: ServerResponse, isLost: boolean): void => {
    const { method = 'GET', url: path = '/' } = request
    if (method !== 'GET') passed.push({ method, path, key: String(request.headers['idempotency-key'] ?? '') })
    const upstream = send({ ...target, path, method, headers: request.headers, agent: false }, (answer) => {
      if (isLost) {
        answer.resume()
        answer.on('end', () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  }

  const proxy: FaultProxy = {
    url: '',
    fault: () => 'none',
    passed,
    faults: () => faults,
    close: () =>
      new Promise((resolve) => {
        for (const response of silent) response.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const fault = /^\/(?:db|upstream)\//.test(path) ? proxy.fault(method, path) : 'none'
    if (fault !== 'none') faults += 1
    switch (fault) {
      case 'none':
      case 'lost':
        return forward(request, response, fault === 'lost')
      case 'reset':
        request.socket.resetAndDestroy()
        return
      case 'closed':
        request.resume().on('end', () => response.destroy())
        return
      case 'silent':
        silent.add(response)
        response.on('close', () => silent.delete(response))
        return
      case 429:
      case 503:
        request.resume()
        response.writeHead(fault, {
          'content-type': 'application/json',
          ...(fault === 429 ? { 'retry-after': '1' } : {}),
        })
        response.end('{"error":"not now"}')
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
