// The backend's own database at an address that a connection can have: its socket is none.
import { type AddressInfo, connect, createServer } from 'node:net'

import type { TestBackend } from './embeddedBackend.ts'

export interface DatabaseRelay {
  readonly url: string
  close(): void
}

export async function relayDatabase({ databaseUrl }: Pick<TestBackend, 'databaseUrl'>): Promise<DatabaseRelay> {
  const { searchParams, username, password, pathname } = new URL(databaseUrl.replace('@/', '@socket/'))
  const server = createServer((client) => {
    const target = connect(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5_432}`)
    client.pipe(target).pipe(client)
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close: () => void server.close(),
  }
}
