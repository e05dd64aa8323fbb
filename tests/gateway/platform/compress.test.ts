import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { decompress, gzip, isCompressible } from '../../../gateway/src/platform/compress.ts'

const json = { 'content-type': 'application/json; charset=utf-8' }

describe('isCompressible', () => {
  it.each([
    [true, 'gzip, br', json],
    [true, 'br;q=1, *;q=0.1', json],
    [true, 'gzip', { 'content-type': 'application/problem+json' }],
    [true, 'gzip', { ...json, 'content-length': '1400' }],
    [false, undefined, json],
    [false, 'identity', json],
    [false, 'gzip;q=0', json],
    [false, 'gzip', { ...json, 'content-length': '1399' }],
    [false, 'gzip', { ...json, 'content-encoding': 'br' }],
    [false, 'gzip', { ...json, 'content-range': 'bytes 0-9/100' }],
    [false, 'gzip', { 'content-type': 'image/png' }],
    [false, 'gzip', { 'content-type': 'text/event-stream' }],
    [false, 'gzip', {}],
  ] as const)('is %s for %s and %j', (expected, acceptEncoding, headers) => {
    expect(isCompressible({ acceptEncoding, headers })).toBe(expected)
  })
})

describe('gzip', () => {
  it('keeps the bytes', async () => {
    const plain = 'health '.repeat(10_000)
    const compressed = await buffer(gzip(Readable.from([Buffer.from(plain)])))
    expect(compressed.length).toBeLessThan(plain.length / 10)
    expect(gunzipSync(compressed).toString()).toBe(plain)
  })

  it('passes a failure of the body on', async () => {
    const body = new Readable({ read: () => undefined })
    const reading = buffer(gzip(body))
    body.destroy(new Error('lost'))
    await expect(reading).rejects.toThrow('lost')
  })
})

describe('decompress', () => {
  it.each([
    ['gzip', gzipSync('plain')],
    ['br', brotliCompressSync('plain')],
    ['deflate', deflateSync('plain')],
    [undefined, Buffer.from('plain')],
  ])('reads %s', async (encoding, bytes) => {
    expect(await text(decompress(Readable.from([bytes]), encoding))).toBe('plain')
  })
})
