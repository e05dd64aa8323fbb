import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** The part of a Redis server that a health check talks to, over the real protocol where no Redis is installed. */
export async function startRespServer(options: {
  password?: string | undefined
}): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let isKnown = options.password === undefined
    let buffered = ''
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1')
      for (;;) {
        const read = readCommand(buffered)
        if (!read) return
        buffered = read.rest
        const [name = '', ...words] = read.words
        const isHello = name.toUpperCase() === 'HELLO'
        if (name.toUpperCase() === 'AUTH' || (isHello && words.some((word) => word.toUpperCase() === 'AUTH'))) {
          isKnown = words.at(-1) === options.password
          const welcome = isHello ? HELLO : '+OK\r\n'
          socket.write(isKnown ? welcome : '-WRONGPASS invalid username-password pair or user is disabled.\r\n')
        } else socket.write(isKnown ? answer(name.toUpperCase(), words) : '-NOAUTH Authentication required.\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(name: string, words: readonly string[]): string {
  switch (name) {
    case 'HELLO':
      return HELLO
    case 'PING':
      return '+PONG\r\n'
    case 'INFO':
      return toBulk('redis_version:7.0.0\r\nloading:0\r\n')
    case 'SELECT':
      return Number(words[0]) < 16 ? '+OK\r\n' : '-ERR DB index is out of range\r\n'
    default:
      return '+OK\r\n'
  }
}

/** A map of one entry, as RESP 3 writes it. */
const HELLO = '%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n'

const toBulk = (text: string): string => `$${text.length}\r\n${text}\r\n`

/** One array of bulk strings from the front of the text; null while it is not complete. */
function readCommand(text: string): { words: string[]; rest: string } | null {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (!head) return null
  let at = head[0].length
  const words: string[] = []
  for (let index = 0; index < Number(head[1]); index++) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (!length) return null
    at += length[0].length
    const end = at + Number(length[1])
    if (text.length < end + 2) return null
    words.push(text.slice(at, end))
    at = end + 2
  }
  return { words, rest: text.slice(at) }
}
