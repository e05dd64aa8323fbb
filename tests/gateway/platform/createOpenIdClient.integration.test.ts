import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'

import { createOpenIdClient } from '../../../gateway/src/platform/createOpenIdClient.ts'

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const clientOf = (issuer: string) =>
  createOpenIdClient({
    issuer,
    clientId: 'watchroom',
    clientSecret: undefined,
    toUnavailable: (cause) => new Error('away', { cause }),
    logger: pino({ level: 'silent' }),
  })

it('does not read an answer to its end that is longer than any that is expected', async () => {
  let sent = 0
  const issuer = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      if (response.destroyed) return
      sent += 1
      if (response.write(Buffer.alloc(65_536, ' '))) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  })
  await expect(clientOf(issuer).discover()).rejects.toMatchObject({
    message: 'away',
    cause: { message: 'the answer is longer than 1048576 bytes' },
  })
  expect(sent).toBeLessThan(1_000)
})

it('follows no redirect, and asks again after a failure', async () => {
  let issuer = ''
  let isMoved = true
  issuer = await listen((request, response) => {
    if (isMoved) return void response.writeHead(302, { location: `${issuer}/elsewhere` }).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}${request.url}` }))
  })
  const client = clientOf(issuer)
  await expect(client.discover()).rejects.toThrow('away')
  isMoved = false
  expect((await client.discover()).serverMetadata().issuer).toBe(issuer)
})
