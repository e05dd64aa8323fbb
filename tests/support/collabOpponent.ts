// A document server of someone else in a process of its own: `tsx collabOpponent.ts <package> <port>`. Not part of the product;
// only the benchmark starts it.
import { createServer } from 'node:http'

import { Server } from '@hocuspocus/server'
import { setupWSConnection } from '@y/websocket-server/utils'
import { WebSocketServer } from 'ws'

const [name, port] = process.argv.slice(2)

if (name === '@hocuspocus/server') {
  const server = new Server({ port: Number(port), address: '127.0.0.1', quiet: true, stopOnSignals: false })
  await server.listen()
} else {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => setupWSConnection(socket, request))
  await new Promise<void>((resolve) => {
    http.listen(Number(port), '127.0.0.1', resolve)
  })
}
process.send?.('ready')
