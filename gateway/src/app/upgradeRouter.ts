import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { CodedError } from '../platform/errors.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Logger } from '../platform/logger.ts'
import { appErrors } from './errors.ts'
import { toApiError } from './toApiError.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * The one owner of the server's `upgrade` event: a path leads to one handler, an unknown path to a plain 404, and a name that is
 * not ours to 421 before any handler sees it.
 */
export interface UpgradeRouter {
  /** @param prefix ends with `/`; the longest match wins */
  add(prefix: string, handler: UpgradeHandler): void
  close(): void
}

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

export interface UpgradeRouterDeps {
  readonly server: EventEmitter
  readonly hosts: Pick<KnownHosts, 'hostOf'>
  /** Unguessable text for the id of a refusal. */
  readonly createId: () => string
  readonly logger: Logger
}

export function createUpgradeRouter(deps: UpgradeRouterDeps): UpgradeRouter {
  const { server, logger } = deps
  const handlers = new Map<string, UpgradeHandler>()

  const listener: UpgradeHandler = (request, socket, head) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const prefix = [...handlers.keys()]
      .filter((prefix) => path.startsWith(prefix))
      .toSorted((a, b) => b.length - a.length)[0]
    const handler = prefix === undefined ? undefined : handlers.get(prefix)
    // A peer that resets while it is refused would otherwise raise an error nobody handles.
    socket.on('error', (error) => logger.debug({ err: error }, 'upgrading socket failed'))
    if (deps.hosts.hostOf(request) === null) refuse(socket, misdirected(deps.createId()))
    else if (handler) handler(request, socket, head)
    else refuse(socket, NOT_FOUND)
  }
  server.on('upgrade', listener)

  return {
    add: (prefix, handler) => handlers.set(prefix, handler),
    close: () => server.off('upgrade', listener),
  }
}

/** A peer that keeps its half of the connection open would keep ours for ever. */
function refuse(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy())
}

function misdirected(requestId: string): string {
  const body = JSON.stringify(toApiError(new CodedError(appErrors.REQUEST_HOST_UNKNOWN), requestId))
  const head = [
    'HTTP/1.1 421 Misdirected Request',
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
  ]
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
