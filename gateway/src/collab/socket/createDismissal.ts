import type { Clock } from '@watchroom/shared/kernel'
import type { WebSocket } from 'ws'

/** Between the farewell and the end of a socket. */
const FAREWELL_MS = 1_000

export type Dismissal = (socket: WebSocket, code: number, reason: string) => void

/** Says why and waits a moment for the other side to leave. Whoever goes on sending is not read any more: that costs time. */
export function createDismissal(clock: Clock): Dismissal {
  return (socket, code, reason) => {
    if (socket.readyState !== socket.OPEN) return
    socket.close(code, reason)
    socket.on('message', () => socket.pause())
    clock.schedule(() => socket.terminate(), FAREWELL_MS)
  }
}
