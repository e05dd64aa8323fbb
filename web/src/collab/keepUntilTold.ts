import type { Awareness } from 'y-protocols/awareness'

/**
 * Others stay until the gateway says that they left, or the link ends, which takes all of them away. By itself the package drops
 * whoever was silent for 30 s, and a browser lets a tab in the background speak once a minute.
 */
export function keepUntilTold(awareness: Awareness): void {
  awareness.on('update', ({ added, updated }: { added: readonly number[]; updated: readonly number[] }) => {
    for (const clientId of [...added, ...updated]) {
      const meta = awareness.meta.get(clientId)
      if (meta && clientId !== awareness.clientID) meta.lastUpdated = Infinity
    }
  })
}
