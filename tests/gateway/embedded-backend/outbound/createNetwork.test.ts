import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { createServer } from 'node:net'

import { describe, expect, it } from 'vitest'

import { listen } from '#support/listen.ts'

import { createNetwork } from '../../../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import { fetchVia } from '../../../../gateway/src/embedded-backend/outbound/fetchVia.ts'

const REFUSED = 'inside.test leads to the metadata of a cloud, where connections may not go'
const HOST = { host: 'inside.test', port: 80 }

/** Every name stands for these. */
const namesStandFor =
  (addresses: LookupAddress[]) =>
  (_host: string, _options: LookupAllOptions, callback: (error: null, found: LookupAddress[]) => void): void =>
    callback(null, addresses)

const { signal } = new AbortController()

describe('a name', () => {
  it.each<[string, LookupAddress[]]>([
    ['one address is metadata', [{ address: '169.254.169.254', family: 4 }]],
    [
      'one of several is metadata, in whatever place',
      [
        { address: '127.0.0.1', family: 4 },
        { address: 'fd00:ec2::254', family: 6 },
      ],
    ],
    ['one is metadata behind a translation', [{ address: '64:ff9b::a9fe:a9fe', family: 6 }]],
  ])('is refused of which %s', async (_what, addresses) => {
    const network = createNetwork({ lookUp: namesStandFor(addresses) })
    await expect(network.resolve(HOST)).rejects.toThrow(REFUSED)
    await expect(network.open({ ...HOST, tls: null, signal })).rejects.toThrow(REFUSED)
    const headers = new Headers()
    await expect(fetchVia(network)('http://inside.test/keys', { headers, signal })).rejects.toThrow(REFUSED)
  })

  it('leads to where it stands for', async () => {
    const port = await listen(createServer((socket) => socket.end('well')))
    const network = createNetwork({ lookUp: namesStandFor([{ address: '127.0.0.1', family: 4 }]) })
    expect(await network.resolve({ ...HOST, port })).toEqual({ host: '127.0.0.1', port })
    const socket = await network.open({ ...HOST, port, tls: null, signal })
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  it('that nobody knows is told as such', async () => {
    const network = createNetwork({ lookUp: (_host, _options, callback) => callback(new Error('not found'), []) })
    await expect(network.resolve(HOST)).rejects.toThrow('not found')
  })
})
