import type { Awareness } from 'y-protocols/awareness'

/**
 * Keeps peers until the gateway says that they left, or until the link ends, which removes all of them. The package itself would drop
 * peers after 30 s of silence, but browsers let background tabs send only once a minute.
 */
export function keepUntilTold(awareness: Awareness): void {
  awareness.on('update', ({ added, updated }: { added: readonly number[]; updated: readonly number[] }) => {
    for (const clientId of [...added, ...updated]) {
      const meta = awareness.meta.get(clientId)
      if (meta && clientId !== awareness.clientID) meta.lastUpdated = Infinity
    }
  })
}
