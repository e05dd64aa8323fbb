import { CHECK_TYPES, type CheckType, tryParseCheckSpec } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

interface Cases {
  /** Given, and what it is after parsing. */
  accepted: [given: object, parsed: object][]
  /** Given, the path of the first problem, and a part of its message. */
  rejected: [given: unknown, path: string, message: string][]
}

const CASES: Record<CheckType, Cases> = {
  http: {
    accepted: [
      [{ url: 'https://example.com' }, { url: 'https://example.com' }],
      [
        { url: 'http://127.0.0.1:80/x', method: 'post', headers: { Accept: 'text/html' }, timeout: '5s' },
        {
          url: 'http://127.0.0.1:80/x',
          method: 'POST',
          headers: [{ name: 'Accept', value: 'text/html' }],
          timeout: 5_000,
        },
      ],
      [
        { url: 'https://a.example', username: { value: 'me' }, password: 'secret', responseCodes: [200, 404] },
        { url: 'https://a.example', username: 'me', password: 'secret', responseCodes: [200, 404] },
      ],
      [
        { url: 'https://a.example', responseContent: '/^ok$/m', maxSSLExpiry: 14, maxRedirects: 0 },
        { url: 'https://a.example', responseContent: '/^ok$/m', maxSSLExpiry: 14, maxRedirects: 0 },
      ],
      [
        { url: 'http://a.example', authentication: { username: 'me', password: { value: 'secret' } } },
        { url: 'http://a.example', username: 'me', password: 'secret' },
      ],
      [
        {
          url: 'http://a.example',
          password: { valueFrom: { secretKeyRef: { name: 'shop', key: 'password' } } },
          username: { valueFrom: { helmRef: { key: 'user' } } },
          headers: [{ name: 'X-Key', valueFrom: { configMapKeyRef: { name: 'shop', key: 'key', optional: true } } }],
        },
        {
          url: 'http://a.example',
          password: { valueFrom: { secretKeyRef: { name: 'shop', key: 'password' } } },
          username: { valueFrom: { helmRef: { key: 'user' } } },
          headers: [{ name: 'X-Key', valueFrom: { configMapKeyRef: { name: 'shop', key: 'key', optional: true } } }],
        },
      ],
      [
        { url: 'http://a.example', test: { expr: 'code == 200' }, display: { template: '{{.code}}' }, transform: {} },
        { url: 'http://a.example', test: { expr: 'code == 200' }, display: { template: '{{.code}}' }, transform: {} },
      ],
      [
        { url: 'http://a.example', labels: { tier: 1, public: true, team: 'web' }, thresholdMillis: 250 },
        { url: 'http://a.example', labels: { tier: '1', public: 'true', team: 'web' }, thresholdMillis: 250 },
      ],
    ],
    rejected: [
      [{}, 'url', 'expected one of url and connection'],
      [{ url: 'ftp://example.com' }, 'url', 'expected an http'],
      [{ url: 'example.com' }, 'url', 'expected an http'],
      [{ url: 'http://a', method: 'BREW' }, 'method', 'expected one of GET'],
      [{ url: 'http://a', responseCodes: [99] }, 'responseCodes.0', ''],
      [{ url: 'http://a', responseCodes: [] }, 'responseCodes', ''],
      [{ url: 'http://a', responseContent: '/(/' }, 'responseContent', 'regular expression'],
      [{ url: 'http://a', password: { valueFrom: { secretKeyRef: {} } } }, 'password', '{value: text}'],
      [
        { url: 'http://a', password: { valueFrom: { secretKeyRef: { name: '', key: 'k' } } } },
        'password.valueFrom.secretKeyRef.name',
        '',
      ],
      [
        { url: 'http://a', headers: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: '' } } }] },
        'headers.0.valueFrom.configMapKeyRef.key',
        '',
      ],
      [{ url: 'http://a', username: 'a', authentication: { password: 'b' } }, 'authentication', 'expected either this'],
      [{ url: 'http://a', test: { expr: '' } }, 'test.expr', ''],
      [{ url: 'http://a', test: { python: 'x' } }, 'test', 'unknown field "python"'],
      [{ url: 'http://a', maxRedirects: 21 }, 'maxRedirects', ''],
      [{ url: 'http://a', responceCodes: [200] }, '', 'unknown field "responceCodes"'],
      [{ url: 'http://a', timeout: '11m' }, 'timeout', 'between 1ms and 10m'],
      [{ url: 'http://a', timeout: 0 }, 'timeout', 'between 1ms and 10m'],
      [{ url: 'http://a', timeout: 'soon' }, 'timeout', 'expected a duration'],
      [{ url: 'http://a', thresholdMillis: '1s' }, 'thresholdMillis', 'expected number'],
      [{ url: 'http://a', severity: 'urgent' }, 'severity', 'expected one of critical'],
      [{ url: 'http://a', name: '  ' }, 'name', ''],
      [{ url: 'http://a', labels: { a: { b: 1 } } }, 'labels.a', ''],
      ['http://a', '', 'expected object'],
      [null, '', 'expected object'],
    ],
  },
  tcp: {
    accepted: [
      [{ endpoint: 'db.example.com:5432' }, { endpoint: 'db.example.com:5432' }],
      [
        { endpoint: '[::1]:443', tls: true, maxSSLExpiry: 7 },
        { endpoint: '[::1]:443', tls: true, maxSSLExpiry: 7 },
      ],
    ],
    rejected: [
      [{}, 'endpoint', 'is missing'],
      [{ endpoint: 'db.example.com' }, 'endpoint', 'expected host:port'],
      [{ endpoint: 'db.example.com:0' }, 'endpoint', 'expected host:port'],
      [{ endpoint: 'db.example.com:65536' }, 'endpoint', 'expected host:port'],
      [{ endpoint: '::1:443' }, 'endpoint', 'expected host:port'],
      [{ endpoint: 'a b:80' }, 'endpoint', 'expected host:port'],
      [{ endpoint: 'a:443', maxSSLExpiry: 7 }, 'maxSSLExpiry', 'needs tls'],
    ],
  },
  dns: {
    accepted: [
      [{ query: 'example.com' }, { query: 'example.com' }],
      [
        {
          server: '1.1.1.1',
          port: 5353,
          query: 'example.com',
          querytype: 'mx',
          minrecords: 2,
          exactreply: ['10 a.example'],
        },
        {
          server: '1.1.1.1',
          port: 5353,
          query: 'example.com',
          querytype: 'MX',
          minrecords: 2,
          exactreply: ['10 a.example'],
        },
      ],
    ],
    rejected: [
      [{}, 'query', 'is missing'],
      [{ query: 'a', querytype: 'ANY' }, 'querytype', 'expected one of A'],
      [{ query: 'a', server: '-x' }, 'server', 'expected a host name'],
      [{ query: 'a', minrecords: -1 }, 'minrecords', ''],
      [{ query: 'a', exactreply: '1.2.3.4' }, 'exactreply', 'expected array'],
    ],
  },
  icmp: {
    accepted: [
      [{ endpoint: '127.0.0.1' }, { endpoint: '127.0.0.1' }],
      [
        { endpoint: '::1', packetCount: 5, packetLossThreshold: 20 },
        { endpoint: '::1', packetCount: 5, packetLossThreshold: 20 },
      ],
    ],
    rejected: [
      [{ endpoint: '-f' }, 'endpoint', 'expected a host name'],
      [{ endpoint: 'a; rm -rf /' }, 'endpoint', 'expected a host name'],
      [{ endpoint: 'a', packetCount: 0 }, 'packetCount', ''],
      [{ endpoint: 'a', packetLossThreshold: 100 }, 'packetLossThreshold', ''],
    ],
  },
  exec: {
    accepted: [
      [{ script: 'exit 0' }, { script: 'exit 0' }],
      [
        { script: 'echo $A', env: [{ name: 'A', value: '1' }] },
        { script: 'echo $A', env: [{ name: 'A', value: '1' }] },
      ],
    ],
    rejected: [
      [{ script: '' }, 'script', ''],
      [{ script: 'true', env: ['A=1'] }, 'env', 'expected a list of {name, value}'],
    ],
  },
  folder: {
    accepted: [
      [
        { path: '/var/backups', maxAge: '1d', minSize: '10MB', availableSize: '1Gi', minCount: 1 },
        { path: '/var/backups', maxAge: 86_400_000, minSize: 10_000_000, availableSize: 1_073_741_824, minCount: 1 },
      ],
    ],
    rejected: [
      [{}, 'path', 'is missing'],
      [{ path: '/x', maxAge: 'yesterday' }, 'maxAge', 'expected a duration'],
      [{ path: '/x', minSize: '10 apples' }, 'minSize', 'expected a size'],
      [{ path: '/x', maxCount: 1.5 }, 'maxCount', ''],
    ],
  },
  postgres: {
    accepted: [
      [
        { connection: 'postgres://u:p@h:5432/db', query: 'select 1', results: 1 },
        { url: 'postgres://u:p@h:5432/db', query: 'select 1', results: 1 },
      ],
      [{ url: 'postgresql:///db?host=/run/pg' }, { url: 'postgresql:///db?host=/run/pg' }],
    ],
    rejected: [
      [{}, 'url', 'expected one of url and connection'],
      [{ url: 'postgres://h/a', connection: 'postgres://h/b' }, 'url', 'expected one of url and connection'],
      [{ url: 'mysql://h/a' }, 'url', 'expected a postgres:// URL'],
      [{ url: 'postgres://h/a', results: -1 }, 'results', ''],
    ],
  },
  redis: {
    accepted: [
      [
        { addr: 'cache:6379', db: 2, username: 'u', password: { value: 'p' } },
        { addr: 'cache:6379', db: 2, username: 'u', password: 'p' },
      ],
    ],
    rejected: [
      [{ addr: 'cache' }, 'addr', 'expected host:port'],
      [{ addr: 'cache:6379', db: -1 }, 'db', ''],
    ],
  },
  self: {
    accepted: [[{ probe: 'disk-free' }, { probe: 'disk-free' }]],
    rejected: [
      [{}, 'probe', 'is missing'],
      [{ probe: 'mood' }, 'probe', 'expected one of event-loop-delay'],
    ],
  },
  alertmanager: {
    accepted: [
      [
        { url: 'http://alerts:9093', alerts: ['.*'], ignore: ['Watchdog'], filters: { team: 'web' } },
        { url: 'http://alerts:9093', alerts: ['.*'], ignore: ['Watchdog'], filters: { team: 'web' } },
      ],
      [{ connection: 'connection://alerts' }, { connection: 'connection://alerts' }],
    ],
    rejected: [
      [{}, 'url', 'expected one of url and connection'],
      [{ url: 'alerts:9093' }, 'url', 'expected an http'],
      [{ url: 'http://a', filters: ['team=web'] }, 'filters', ''],
    ],
  },
  elasticsearch: {
    accepted: [
      [
        { url: 'http://logs:9200', index: 'shop', query: '{}', results: 0, username: 'u', password: { value: 'p' } },
        { url: 'http://logs:9200', index: 'shop', query: '{}', results: 0, username: 'u', password: 'p' },
      ],
    ],
    rejected: [
      [{ index: 'shop', query: '{}' }, 'url', 'expected one of url and connection'],
      [{ url: 'http://logs', query: '{}' }, 'index', 'is missing'],
      [{ url: 'http://logs', index: 'shop' }, 'query', 'is missing'],
      [{ url: 'http://logs', index: 'shop', query: '{}', results: -1 }, 'results', ''],
    ],
  },
  mongodb: {
    accepted: [
      [{ url: 'mongodb://db:27017/?authSource=admin' }, { url: 'mongodb://db:27017/?authSource=admin' }],
      [{ connection: 'connection://shop' }, { connection: 'connection://shop' }],
    ],
    rejected: [
      [{}, 'url', 'expected one of url and connection'],
      [{ url: 'postgres://db' }, 'url', 'expected a mongodb://'],
    ],
  },
}

describe.each(CHECK_TYPES)('%s spec', (type) => {
  it.each(CASES[type].accepted)('accepts %j', (given, parsed) => {
    expect(tryParseCheckSpec(type, given)).toEqual({ ok: true, value: { type, spec: parsed } })
  })

  it.each(CASES[type].accepted)('reads what it has read before: %j', (given) => {
    const first = tryParseCheckSpec(type, given)
    if (!first.ok) throw new Error('not accepted')
    expect(tryParseCheckSpec(type, first.value.spec)).toEqual(first)
  })

  it.each(CASES[type].rejected)('refuses %j', (given, path, message) => {
    const result = tryParseCheckSpec(type, given)
    if (result.ok) throw new Error('accepted')
    expect(result.error[0]?.path).toBe(path)
    expect(result.error[0]?.message).toContain(message)
  })
})

describe('tryParseCheckSpec', () => {
  it('names the known types when the type is not one of them', () => {
    const result = tryParseCheckSpec('telepathy', {})
    if (result.ok) throw new Error('accepted')
    expect(result.error).toEqual([
      { path: '', message: `unknown check type "telepathy"; known: ${CHECK_TYPES.join(', ')}` },
    ])
  })

  it.each(['constructor', '__proto__', 'toString'])('does not take %s for a type', (type) => {
    expect(tryParseCheckSpec(type, {}).ok).toBe(false)
  })

  it('never repeats a refused value, which may be a password', () => {
    const password = 'hunter2-hunter2'
    const given = { url: `ftp://u:${password}@h`, password: { valueFrom: password }, method: password }
    expect(JSON.stringify(tryParseCheckSpec('http', given))).not.toContain(password)
    expect(JSON.stringify(tryParseCheckSpec('postgres', { url: `mysql://u:${password}@h` }))).not.toContain(password)
  })
})
