import type { Clock } from '@watchroom/shared/kernel'

import type { LiveSocket, OpenSocket, SocketHandlers } from './contract.ts'

/** Longer than a page takes to show its frame; a socket that nobody wants by then belongs to a page that went elsewhere. */
const WANTED_WITHIN_MS = 5_000

/**
 * Opens a socket before there is anyone to listen to it. The first who opens one through what this returns takes it over, with what was
 * said on it so far, if it is still well; whoever comes later opens another one.
 */
export function openAhead(openSocket: OpenSocket, clock: Clock): OpenSocket {
  const said: unknown[] = []
  let taker: SocketHandlers | null = null
  let ahead: LiveSocket | null = null
  const forget = (): void => {
    cancel()
    ahead = null
  }
  const cancel = clock.schedule(() => {
    ahead?.close()
    forget()
  }, WANTED_WITHIN_MS)
  ahead = openSocket({
    onMessage: (raw) => (taker ? taker.onMessage(raw) : said.push(raw)),
    onRefused: (data) => (taker ? taker.onRefused(data) : forget()),
    onClose: () => (taker ? taker.onClose() : forget()),
  })
  return (handlers) => {
    if (ahead === null) return openSocket(handlers)
    const taken = ahead
    forget()
    // As from any socket: nothing is said before whoever opened it has it.
    queueMicrotask(() => {
      taker = handlers
      for (const raw of said) handlers.onMessage(raw)
    })
    return taken
  }
}
