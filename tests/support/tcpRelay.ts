// A wire between client and server that counts bytes and fails on command.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import type { TestBackend } from './embeddedBackend.ts'

export interface TcpRelay {
  readonly port: number
  /** Bytes on the wire since the start, all connections together. */
  readonly bytesToClient: () => number
  readonly bytesToServer: () => number
  readonly connections: () => number
  /** Ends all connections at once, as a crash does. */
  readonly cut: () => void
  /** While true nothing passes and nothing ends: the other side hangs. What was held passes afterwards, as on a wire that was away. */
  readonly setSilent: (isSilent: boolean) => void
  /** Of what is connected now nothing passes and nothing ends, for good: the server never hears that its client is gone. */
  readonly forget: () => void
  /** While true new connections are refused. */
  readonly setRefusing: (isRefusing: boolean) => void
  readonly close: () => Promise<void>
}

/** @param target a port of this machine, or the path of a socket */
export async function startTcpRelay(target: number | string): Promise<TcpRelay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const forgotten = new WeakSet<readonly [Socket, Socket]>()
  const held: (() => void)[] = []
  let toClient = 0
  let toServer = 0
  let isSilent = false
  let isRefusing = false

  const server = createServer((client) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const upstream = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target)
    const pair = [client, upstream] as const
    pairs.add(pair)
    const pass = (act: () => void): void => {
      if (forgotten.has(pair)) return
      if (isSilent) held.push(() => pass(act))
      else act()
    }
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (chunk: Buffer) => {
      toServer += chunk.length
      pass(() => upstream.write(chunk))
    })
    upstream.on('data', (chunk: Buffer) => {
      toClient += chunk.length
      pass(() => client.write(chunk))
    })
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => pass(end))
      socket.on('close', () => pass(end))
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  const cut = (): void => {
    held.length = 0
    for (const [client, upstream] of pairs) {
      client.destroy()
      upstream.destroy()
    }
    pairs.clear()
  }
  return {
    port: (server.address() as AddressInfo).port,
    bytesToClient: () => toClient,
    bytesToServer: () => toServer,
    connections: () => pairs.size,
    cut,
    setSilent: (silent) => {
      isSilent = silent
      if (!silent) for (const pass of held.splice(0)) pass()
    },
    forget: () => {
      for (const pair of pairs) forgotten.add(pair)
    },
    setRefusing: (refusing) => {
      isRefusing = refusing
    },
    close: () => {
      cut()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

export interface DatabaseRelay extends TcpRelay {
  readonly url: string
}

/** The backend's own database at an address that a connection can have: its socket is none. */
export async function relayDatabase({ databaseUrl }: Pick<TestBackend, 'databaseUrl'>): Promise<DatabaseRelay> {
  const { searchParams, username, password, pathname } = new URL(databaseUrl.replace('@/', '@socket/'))
  const relay = await startTcpRelay(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5_432}`)
  return { ...relay, url: `postgres://${username}:${password}@127.0.0.1:${relay.port}${pathname}` }
}
