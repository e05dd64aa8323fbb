// The backend's own database at an address that a connection can have: its socket is none.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import type { TestBackend } from './embeddedBackend.ts'

export interface DatabaseRelay {
  readonly url: string
  /** While true nothing passes and nothing ends: the database hangs. */
  setSilent(isSilent: boolean): void
  close(): void
}

export async function relayDatabase({ databaseUrl }: Pick<TestBackend, 'databaseUrl'>): Promise<DatabaseRelay> {
  const { searchParams, username, password, pathname } = new URL(databaseUrl.replace('@/', '@socket/'))
  let held: (() => void)[] | null = null
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (held) held.push(() => to.write(chunk))
      else to.write(chunk)
    })
  }
  const server = createServer((client) => {
    const target = connect(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5_432}`)
    forward(client, target)
    forward(target, client)
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
    setSilent: (isSilent) => {
      const former = held ?? []
      held = isSilent ? former : null
      if (!isSilent) for (const pass of former) pass()
    },
    close: () => void server.close(),
  }
}
