import { describe, expect, it } from 'vitest'

import { describePath, findSpecProblems } from '../../../../../web/src/features/canaries/spec/findProblems.ts'
import { NUMBER_TEXT, REQUIRED_TEXT } from '../../../../../web/src/ui/form/rules.ts'

const say = (spec: Record<string, unknown>): string[] =>
  findSpecProblems(spec).map(({ path, message, level }) => `${level} ${path.join('.')}: ${message}`)

describe('findSpecProblems', () => {
  it('finds nothing in a sound spec', () => {
    expect(
      say({
        schedule: '@every 30s',
        http: [{ name: 'a', url: 'https://a', method: 'post', timeout: '5s', headers: { a: 'b' } }],
        tcp: [{ endpoint: 'a:1', tls: true, maxSSLExpiry: 7 }],
        postgres: [{ connection: 'postgres://a/b' }],
      }),
    ).toEqual([])
  })

  it.each([
    ['http', {}, 'url'],
    ['http', { url: '' }, 'url'],
    ['tcp', { endpoint: '' }, 'endpoint'],
    ['dns', { query: null }, 'query'],
    ['icmp', {}, 'endpoint'],
    ['exec', { script: '' }, 'script'],
    ['folder', {}, 'path'],
    ['postgres', { url: '' }, 'url'],
    ['postgres', {}, 'url'],
    ['redis', {}, 'addr'],
    ['self', { probe: '' }, 'probe'],
    ['elasticsearch', { index: 'shop', query: '{}' }, 'url'],
    ['elasticsearch', { url: 'http://a', index: '', query: '{}' }, 'index'],
    ['elasticsearch', { url: 'http://a', index: 'shop' }, 'query'],
    ['alertmanager', { url: '' }, 'url'],
    ['mongodb', {}, 'url'],
  ])('asks for what a %s check cannot do without', (type, check, field) => {
    expect(say({ [type]: [check] })).toEqual([`error ${type}.0.${field}: ${REQUIRED_TEXT}`])
  })

  it('asks for a number where there is none, and keeps the given text out of the message', () => {
    expect(say({ http: [{ url: 'https://a', thresholdMillis: 'fast', responseCodes: [200, 'secret'] }] })).toEqual([
      `error http.0.responseCodes.1: ${NUMBER_TEXT}`,
      `error http.0.thresholdMillis: ${NUMBER_TEXT}`,
    ])
  })

  it('says what a field accepts', () => {
    expect(
      say({
        interval: 'soon',
        http: [{ url: 'shop', timeout: 'soon', maxSSLExpiry: -1, responseCodes: [99], maxRedirects: 1.5 }],
        dns: [{ query: 'a', querytype: 'XX' }],
      }),
    ).toEqual([
      expect.stringMatching(/^error interval: expected seconds/),
      'error http.0.url: expected an http:// or https:// URL',
      'error http.0.maxRedirects: This field must be a whole number',
      'error http.0.responseCodes.0: This field must be at least 100',
      'error http.0.maxSSLExpiry: This field must be at least 0',
      expect.stringMatching(/^error http\.0\.timeout: expected a duration/),
      expect.stringMatching(/^error dns\.0\.querytype: This field must be one of A, AAAA/),
    ])
  })

  it('warns of what it does not know, and does not keep anyone from saving it', () => {
    expect(say({ http: [{ url: 'https://a', ntlm: true }], kubernetes: [{}], myKey: 1 })).toEqual([
      'warning http.0.ntlm: is not a field of this check',
      'warning kubernetes: is not known here and is saved as it is',
      'warning myKey: is not known here and is saved as it is',
    ])
  })

  it('names the part of a reference or template that is empty', () => {
    expect(
      say({
        http: [
          {
            url: 'https://a',
            password: { valueFrom: { secretKeyRef: { name: '', key: 'k' } } },
            headers: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: '' } } }],
            test: { javascript: '' },
          },
        ],
      }),
    ).toEqual([
      `error http.0.headers.0.valueFrom.configMapKeyRef.key: ${REQUIRED_TEXT}`,
      `error http.0.test.javascript: ${REQUIRED_TEXT}`,
      `error http.0.password.valueFrom.secretKeyRef.name: ${REQUIRED_TEXT}`,
    ])
  })

  it('goes from the top of the form to its end, whatever order the text has', () => {
    expect(
      say({
        tcp: [{ tls: 'x', endpoint: '' }, { endpoint: '' }],
        http: [{ name: ' ', timeout: 'x', url: '' }],
        strange: 1,
        interval: 'soon',
      }).map((line) => line.split(':')[0]),
    ).toEqual([
      'error interval',
      'error tcp.0.endpoint',
      'error tcp.0.tls',
      'error tcp.1.endpoint',
      'error http.0.url',
      'error http.0.timeout',
      'error http.0.name',
      'warning strange',
    ])
  })

  it('finds two checks of one name', () => {
    expect(
      say({
        tcp: [
          { name: 'db', endpoint: 'a:1' },
          { name: 'db', endpoint: 'a:2' },
        ],
      }),
    ).toEqual(['error tcp.1.name: another tcp check of this canary has the same name'])
  })

  it('asks for a check where there is none', () => {
    expect(say({})).toEqual(['error : Add at least one check'])
    expect(say({ schedule: '@daily', http: null })).toEqual(['error : Add at least one check'])
  })

  it('survives values of any kind in any place', () => {
    const values: unknown[] = [null, 0, -1, '', 'x', true, [], {}, [null], [[]], { a: { b: [] } }, Number.NaN]
    for (const key of ['http', 'tcp', 'postgres', 'interval', 'schedule', 'severity', '__proto__', 'constructor']) {
      for (const value of values) {
        for (const spec of [{ [key]: value }, { [key]: [value] }, { http: [{ url: 'https://a', [key]: value }] }]) {
          expect(Array.isArray(findSpecProblems(spec))).toBe(true)
        }
      }
    }
  })
})

describe('describePath', () => {
  it('speaks as the form does and counts as people do', () => {
    expect(describePath(['http', 0, 'url'])).toBe('HTTP 1 › URL')
    expect(describePath(['http', 1, 'headers', 0, 'name'])).toBe('HTTP 2 › Headers › 1 › name')
    expect(describePath(['http', 0, 'password', 'valueFrom', 'secretKeyRef', 'key'])).toBe(
      'HTTP 1 › Password › Secret › key',
    )
    expect(describePath(['http', 0, 'test', 'template'])).toBe('HTTP 1 › Test › Go Template')
    expect(describePath(['http', 0, 'ntlm'])).toBe('HTTP 1 › ntlm')
    expect(describePath(['kubernetes'])).toBe('kubernetes')
    expect(describePath([])).toBe('')
  })
})
