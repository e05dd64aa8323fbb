import { connect } from 'node:net'

/**
 * Sends bytes to a server and reads until it closes. For what no HTTP client would send: odd paths, odd headers, upgrades.
 *
 * @param url address of the server; only host and port count
 */
export function rawRequest(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
