import { describe, expect, it } from 'vitest'

import { judgeOrigin } from '../../../gateway/src/platform/sameOrigin.ts'

describe('judgeOrigin', () => {
  it.each([
    ['same', { origin: 'http://watch.test:3000' }, 'watch.test:3000'],
    ['same', { origin: 'https://watch.test' }, 'watch.test:443'],
    ['same', { origin: 'https://watch.test' }, 'WATCH.test'],
    // A proxy in front wrote another Host; the browser itself vouches for the page.
    ['same', { origin: 'https://watch.test', 'sec-fetch-site': 'same-origin' }, '127.0.0.1:3000'],
    ['foreign', { origin: 'http://evil.test' }, 'watch.test'],
    ['foreign', { origin: 'http://watch.test:3001' }, 'watch.test:3000'],
    ['foreign', { origin: 'http://watch.test.evil.test' }, 'watch.test'],
    ['foreign', { origin: 'null' }, 'watch.test'],
    ['foreign', { origin: 'file://watch.test' }, 'watch.test'],
    ['foreign', { 'sec-fetch-site': 'cross-site' }, 'watch.test'],
    ['foreign', { 'sec-fetch-site': 'same-site' }, 'watch.test'],
    ['foreign', { 'sec-fetch-site': 'none' }, 'watch.test'],
    ['unknown', {}, 'watch.test'],
  ] as const)('says %s for %j at %s', (verdict, headers, host) => {
    expect(judgeOrigin(headers, host)).toBe(verdict)
  })
})
