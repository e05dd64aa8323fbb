import { describe, expect, it } from 'vitest'

import { maskFile, toStepFileRow } from '../../../gateway/src/step-runner/stepFile.ts'

const SECRETS = ['pässwörd-1', 'hunter2']

describe('a file of a step', () => {
  it('holds no secret, in whatever bytes it stands', () => {
    const content = Buffer.concat([Buffer.from([0, 255]), Buffer.from('x=pässwörd-1;hunter2'), Buffer.from([254])])
    const masked = maskFile({ path: 'a.bin', content }, SECRETS).content
    expect([...masked]).toEqual([0, 255, ...Buffer.from('x=***;***'), 254])
  })

  it('that is text holds no password of an address, and keeps its letters', () => {
    const content = Buffer.from('grüße von postgres://me:geheim@db/shop')
    const masked = maskFile({ path: 'a.txt', content }, SECRETS).content.toString('utf8')
    expect(masked).toContain('grüße von postgres://')
    expect(masked).not.toContain('geheim')
  })

  it('without a secret is what it was', () => {
    const content = Buffer.from([1, 2, 3])
    expect(maskFile({ path: 'a', content }, SECRETS).content).toBe(content)
  })

  it.each([
    ['text', Buffer.from('ä'), 'text/plain; charset=utf-8'],
    ['bytes that are no text', Buffer.from([0xc3]), 'application/octet-stream'],
    ['text with a zero', Buffer.from('a\0'), 'application/octet-stream'],
  ])('of %s says so', (_what, content, type) => {
    expect(toStepFileRow({ path: 'out/report', content })).toMatchObject({
      path: 'out/report',
      filename: 'report',
      content_type: type,
      size: content.length,
    })
  })
})
