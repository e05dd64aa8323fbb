import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Logger } from '../platform/logger.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The one owner of the server's `upgrade` event: a path leads to one handler, an unknown path to a plain 404. */
export interface UpgradeRouter {
  /** @param prefix ends with `/`; the longest match wins */
  add(prefix: string, handler: UpgradeHandler): void
  /**
   * Leaves paths to a listener that a library put on the server itself, as Socket.IO's engine does. That library then
   * checks Origin and session, and must not destroy upgrades it does not know (`destroyUpgrade: false`).
   */
  leave(prefix: string): void
  close(): void
}

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

export function createUpgradeRouter(deps: { server: Server; logger: Logger }): UpgradeRouter {
  const { server, logger } = deps
  const handlers = new Map<string, UpgradeHandler | 'elsewhere'>()

  const listener: UpgradeHandler = (request, socket, head) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const prefix = [...handlers.keys()]
      .filter((prefix) => path.startsWith(prefix))
      .toSorted((a, b) => b.length - a.length)[0]
    const handler = prefix === undefined ? undefined : handlers.get(prefix)
    if (handler === 'elsewhere') return
    // A peer that resets while it is refused would otherwise raise an error nobody handles.
    socket.on('error', (error) => logger.debug({ err: error }, 'upgrading socket failed'))
    if (handler) handler(request, socket, head)
    else socket.end(NOT_FOUND)
  }
  server.on('upgrade', listener)

  return {
    add: (prefix, handler) => handlers.set(prefix, handler),
    leave: (prefix) => handlers.set(prefix, 'elsewhere'),
    close: () => server.off('upgrade', listener),
  }
}
