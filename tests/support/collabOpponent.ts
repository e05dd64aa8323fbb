// A document server of somebody else in a process of its own: `tsx collabOpponent.ts <package> <port>`. Not part of the product;
// only the benchmark starts it, and only when the package is installed.
import { createServer } from 'node:http'

import { WebSocketServer } from 'ws'

interface HocuspocusServer {
  listen(): Promise<unknown>
}

const [name = '', port = ''] = process.argv.slice(2)

/** By a variable, because the packages need not be there when the types are checked. */
const load = (specifier: string): Promise<Record<string, unknown>> =>
  import(specifier) as Promise<Record<string, unknown>>

if (name === '@hocuspocus/server') {
  const { Server } = (await load(name)) as { Server: new (options: object) => HocuspocusServer }
  const server = new Server({ port: Number(port), address: '127.0.0.1', quiet: true, stopOnSignals: false })
  await server.listen()
} else {
  const { setupWSConnection } = (await load(`${name}/utils`)) as {
    setupWSConnection: (socket: unknown, request: unknown) => void
  }
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => setupWSConnection(socket, request))
  await new Promise<void>((resolve) => {
    http.listen(Number(port), '127.0.0.1', resolve)
  })
}
process.send?.('ready')
