import type { Socket } from 'node:net'

/**
 * The socket, once it is connected, or with `secureConnect` after the handshake.
 *
 * @param signal destroys the socket when aborted, also later
 * @throws the system's error, or the signal's reason
 */
export function whenOpen(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const handleAbort = (): void => {
      socket.destroy()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', handleAbort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', handleAbort))
    socket.once('error', reject)
    socket.once(event, () => {
      socket.off('error', reject)
      // Until someone reads from it; an unheard error event would end the process.
      socket.on('error', () => socket.destroy())
      resolve(socket)
    })
  })
}
