import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { describe, expect, it } from 'vitest'

import { createSocketAdmission, type SocketLimits } from '../../../gateway/src/platform/createSocketAdmission.ts'
import { createKnownHosts } from '../../../gateway/src/platform/knownHosts.ts'

const hosts = createKnownHosts({ publicUrls: [], listenHost: '127.0.0.1', trustedProxies: [] })

function build(limits: Partial<SocketLimits> = {}) {
  return createSocketAdmission({
    hosts,
    limits: { total: 100, perAddress: 100, perPerson: 100, pending: 100, pendingPerAddress: 100, ...limits },
  })
}

function request(headers: Record<string, string> = {}, remoteAddress = '192.0.2.1'): IncomingMessage {
  const socket = Object.assign(new EventEmitter(), { remoteAddress })
  return {
    url: '/socket.io/',
    headers: { host: '127.0.0.1:3000', ...headers },
    rawHeaders: ['host', '127.0.0.1:3000'],
    socket,
  } as unknown as IncomingMessage
}

const close = ({ socket }: IncomingMessage): boolean => socket.emit('close')

/** Of the last of so many sockets. */
function enter(admission: ReturnType<typeof build>, count: number, from?: string) {
  return Array.from({ length: count }, () => admission.enter(request({}, from))).at(-1)
}

describe('isOwn', () => {
  it.each([
    ['a page of ours', { origin: 'http://127.0.0.1:3000' }, true],
    [
      'a page of ours behind a proxy that writes another host',
      { origin: 'https://x', 'sec-fetch-site': 'same-origin' },
      true,
    ],
    ['a foreign page', { origin: 'https://evil.example' }, false],
    ['a foreign page with a program’s header', { origin: 'https://evil.example', authorization: 'Bearer x' }, false],
    ['a page of unknown origin', { origin: 'null' }, false],
    ['a program with a token', { 'x-session-token': 'x' }, true],
    ['a program with credentials', { authorization: 'Basic x' }, true],
    ['someone with a cookie alone', { cookie: 'ory_kratos_session=x' }, false],
    ['someone who only says that it is the same site', { 'sec-fetch-site': 'same-origin' }, false],
    ['a name that is not ours', { host: 'evil.example', origin: 'http://evil.example' }, false],
  ])('[LIVE-51] of %s', (_name, headers, expected) => {
    expect(build().isOwn(request(headers as Record<string, string>))).toBe(expected)
  })
})

describe('enter', () => {
  it('gives nobody a place who has left already: it would never come back', () => {
    const admission = build({ total: 1 })
    const gone = request()
    Object.assign(gone.socket, { destroyed: true })
    expect(admission.enter(gone)).toBe('full')
    expect(admission.enter(request())).not.toBe('full')
  })

  it('bounds sockets in all, also those that wait for their session', () => {
    expect(enter(build({ total: 2 }), 2)).not.toBe('full')
    expect(enter(build({ total: 2 }), 3)).toBe('full')
    expect(enter(build({ pending: 2 }), 3)).toBe('full')
  })

  it('bounds an address, where the /64 of an IPv6 address is one', () => {
    const admission = build({ perAddress: 1 })
    expect(admission.enter(request({}, '2001:db8::1'))).not.toBe('too-many')
    expect(admission.enter(request({}, '2001:db8::2'))).toBe('too-many')
    expect(admission.enter(request({}, '2001:db8:0:1::1'))).not.toBe('too-many')
    expect(enter(build({ pendingPerAddress: 1 }), 2)).toBe('too-many')
  })

  it('gives everything back when the socket closes, once', () => {
    const admission = build({ total: 1, perAddress: 1, perPerson: 1 })
    for (let round = 0; round < 3; round++) {
      const socket = request()
      const place = admission.enter(socket)
      expect(typeof place === 'object' && place.confirm('ana')).toBe(true)
      expect(admission.enter(request())).toBe('full')
      close(socket)
      close(socket)
    }
  })

  it('keeps nothing of a socket that was refused', () => {
    const admission = build({ total: 2, perAddress: 1 })
    admission.enter(request({}, '192.0.2.1'))
    for (let count = 0; count < 5; count++) expect(admission.enter(request({}, '192.0.2.1'))).toBe('too-many')
    expect(typeof admission.enter(request({}, '192.0.2.2'))).toBe('object')
  })
})

describe('confirm', () => {
  const place = (admission: ReturnType<typeof build>, from?: string) => {
    const entered = admission.enter(request({}, from))
    if (typeof entered === 'string') throw new Error(entered)
    return entered
  }

  it('bounds a person, wherever they are; nobody in particular has no bound', () => {
    const admission = build({ perPerson: 1 })
    expect(place(admission, '192.0.2.1').confirm('ana')).toBe(true)
    expect(place(admission, '192.0.2.2').confirm('ana')).toBe(false)
    expect(place(admission).confirm('bo')).toBe(true)
    expect([place(admission).confirm(null), place(admission).confirm(null)]).toEqual([true, true])
  })

  it('makes room for others who wait', () => {
    const admission = build({ pending: 1, pendingPerAddress: 1 })
    const first = place(admission)
    expect(admission.enter(request())).toBe('full')
    first.confirm('ana')
    expect(typeof admission.enter(request())).toBe('object')
  })

  it('holds no place for a socket that closed meanwhile', () => {
    const admission = build({ perPerson: 1 })
    const gone = request()
    const entered = admission.enter(gone)
    close(gone)
    expect(typeof entered === 'object' && entered.confirm('ana')).toBe(true)
    expect(place(admission).confirm('ana')).toBe(true)
  })
})
