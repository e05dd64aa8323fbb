import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Of all ports those that the kernel gives to nobody who asks for any: none of them is taken between the look and the use. */
const [FIRST, LAST] = [20_000, 32_000]

/** A loopback port that nobody listens on, for those who must know it before they listen, or come back to it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
