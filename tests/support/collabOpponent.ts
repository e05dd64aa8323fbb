// A document server of someone else in a process of its own: `tsx collabOpponent.ts <package> <port> [module]`. Not part of the
// product; only the benchmark starts it.
import { createServer } from 'node:http'

import type * as Hocuspocus from '@hocuspocus/server'
import { WebSocketServer } from 'ws'

/** A module that exports another version of the package than the one installed here. */
const [name, port, module = '@hocuspocus/server'] = process.argv.slice(2)

if (name === '@hocuspocus/server') {
  const { Server } = (await import(module)) as typeof Hocuspocus
  const server = new Server({ port: Number(port), address: '127.0.0.1', quiet: true, stopOnSignals: false })
  await server.listen()
} else {
  const { setupWSConnection } = await import('@y/websocket-server/utils')
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => setupWSConnection(socket, request))
  await new Promise<void>((resolve) => {
    http.listen(Number(port), '127.0.0.1', resolve)
  })
}
process.send?.('ready')
