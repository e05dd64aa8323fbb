import { CanarySpecSchema, CHECK_TYPES, expandCanary, type SpecProblem } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

const http = (fields: object = {}) => ({ name: 'shop', url: 'https://shop.example', ...fields })
const known = CHECK_TYPES.join(', ')

describe('expandCanary', () => {
  it('gives a check everything the canary says', () => {
    const { checks, problems, schedule } = expandCanary({
      interval: 30,
      severity: 'high',
      owner: 'web team',
      icon: 'globe',
      http: [http({ description: 'The shop', labels: { tier: 1 } })],
    })
    expect(problems).toEqual([])
    expect(schedule).toEqual({ kind: 'interval', intervalMs: 30_000 })
    expect(checks).toEqual([
      {
        type: 'http',
        index: 0,
        name: 'shop',
        description: 'The shop',
        icon: 'globe',
        severity: 'high',
        owner: 'web team',
        labels: { tier: '1' },
        endpoint: 'https://shop.example',
        timeoutMs: 10_000,
        spec: { name: 'shop', url: 'https://shop.example', description: 'The shop', labels: { tier: '1' } },
      },
    ])
  })

  it('lets a check say otherwise', () => {
    const [check] = expandCanary({
      severity: 'high',
      icon: 'globe',
      http: [http({ severity: 'low', icon: 'cart' })],
    }).checks
    expect(check).toMatchObject({ severity: 'low', icon: 'cart', owner: null })
  })

  it('reads every check type', () => {
    const { checks, problems } = expandCanary({
      http: [http()],
      tcp: [{ endpoint: 'a:1' }],
      dns: [{ query: 'a.example', server: '127.0.0.1' }],
      icmp: [{ endpoint: '127.0.0.1' }],
      exec: [{ script: '# comment\n\n  uptime -p\nexit 0' }],
      folder: [{ path: '/tmp' }],
      postgres: [{ url: 'postgres://u:p@h/db' }],
      redis: [{ addr: 'a:6379' }],
      self: [{ probe: 'build-info' }],
      alertmanager: [{ connection: 'connection://alerts' }],
      elasticsearch: [{ url: 'https://u:p@logs.example', index: 'shop', query: '{}' }],
      mongodb: [{ url: 'mongodb+srv://u:p@db.example/shop' }],
    })
    expect(problems).toEqual([])
    expect(checks.map(({ type }) => type).toSorted()).toEqual([...CHECK_TYPES].toSorted())
    expect(Object.fromEntries(checks.map(({ type, endpoint }) => [type, endpoint]))).toEqual({
      http: 'https://shop.example',
      tcp: 'a:1',
      dns: 'a.example@127.0.0.1',
      icmp: '127.0.0.1',
      exec: 'uptime -p',
      folder: '/tmp',
      postgres: 'postgres://h/db',
      redis: 'a:6379/0',
      self: 'build-info',
      alertmanager: 'connection://alerts',
      elasticsearch: 'https://logs.example/shop',
      mongodb: 'mongodb+srv://db.example/shop',
    })
  })

  it.each([
    [undefined, 60_000, 10_000],
    [5, 5_000, 5_000],
    ['2m', 120_000, 10_000],
    [0, 60_000, 10_000],
  ])('runs each %s and ends a run after at most that long', (interval, intervalMs, timeoutMs) => {
    const { schedule, checks } = expandCanary({ interval, http: [http()] })
    expect(schedule).toEqual({ kind: 'interval', intervalMs })
    expect(checks[0]?.timeoutMs).toBe(timeoutMs)
  })

  it('cuts a deadline that is longer than the interval', () => {
    expect(expandCanary({ interval: 20, http: [http({ timeout: '1m' })] }).checks[0]?.timeoutMs).toBe(20_000)
    expect(expandCanary({ schedule: '@every 5s', http: [http()] }).checks[0]?.timeoutMs).toBe(5_000)
    expect(expandCanary({ schedule: '@daily', http: [http({ timeout: '5m' })] }).checks[0]?.timeoutMs).toBe(300_000)
  })

  it('prefers the schedule to the interval', () => {
    expect(expandCanary({ interval: 5, schedule: '@hourly' }).schedule).toEqual({
      kind: 'cron',
      expression: '0 * * * *',
    })
  })

  it('names a check without a name after what it talks to, without the password', () => {
    const { checks } = expandCanary({ postgres: [{ url: 'postgres://root:hunter2@db.example/shop' }] })
    expect(checks[0]).toMatchObject({ name: 'postgres://db.example/shop', endpoint: 'postgres://db.example/shop' })
  })

  it.each<[string, unknown, SpecProblem[], names: string[]]>([
    [
      'no object',
      'http',
      [{ type: 'canary', path: '', message: 'expected an object with a list of checks per type' }],
      [],
    ],
    ['a list', [], [{ type: 'canary', path: '', message: 'expected an object with a list of checks per type' }], []],
    ['nothing', null, [{ type: 'canary', path: '', message: 'expected an object with a list of checks per type' }], []],
    ['an empty spec', {}, [], []],
    ['null lists', { http: null, tcp: [] }, [], []],
    [
      'an unknown type',
      { kafka: [{}], http: [http()] },
      [{ type: 'kafka', path: '', message: `unknown check type; known: ${known}` }],
      ['shop'],
    ],
    [
      'an inherited name as a type',
      JSON.parse('{"__proto__": [], "constructor": []}') as unknown,
      [
        { type: '__proto__', path: '', message: `unknown check type; known: ${known}` },
        { type: 'constructor', path: '', message: `unknown check type; known: ${known}` },
      ],
      [],
    ],
    ['no list', { http: http() }, [{ type: 'http', path: '', message: 'expected a list of checks' }], []],
    [
      'a malformed check between good ones',
      { http: [http({ name: 'a' }), { name: 'b', url: 'nowhere' }, http({ name: 'c' })] },
      [{ type: 'http', index: 1, name: 'b', path: 'url', message: 'expected an http:// or https:// URL' }],
      ['a', 'c'],
    ],
    [
      'a check that is no object',
      { tcp: [7, { endpoint: 'a:1' }] },
      [{ type: 'tcp', index: 0, path: '', message: 'expected object' }],
      ['a:1'],
    ],
    [
      'the same name twice',
      { http: [http(), http()], tcp: [{ name: 'shop', endpoint: 'a:1' }] },
      [
        {
          type: 'http',
          index: 1,
          name: 'shop',
          path: 'name',
          message: 'another http check of this canary has the same name',
        },
      ],
      ['shop', 'shop'],
    ],
    [
      'a malformed schedule',
      { schedule: 'at noon', http: [http()] },
      [
        {
          type: 'canary',
          path: 'schedule',
          message: 'expected cron text with five or six fields, @hourly, @daily or @every 30s',
        },
      ],
      ['shop'],
    ],
    [
      'malformed fields of the canary',
      { interval: 0.1, severity: 'urgent', owner: 7, http: [http()] },
      [
        {
          type: 'canary',
          path: 'interval',
          message: 'expected seconds as a number or a text such as 30s, from 1s to 24d',
        },
        { type: 'canary', path: 'severity', message: 'expected one of critical, high, medium, low, info' },
        { type: 'canary', path: 'owner', message: 'expected string' },
      ],
      ['shop'],
    ],
  ])('reports %s and expands the rest', (_what, spec, problems, names) => {
    const expanded = expandCanary(spec)
    expect(expanded.problems).toEqual(problems)
    expect(expanded.checks.map(({ name }) => name)).toEqual(names)
  })

  it('does not change what it is given', () => {
    const spec = { interval: '30s', http: [http({ headers: { A: 'b' }, labels: { tier: 1 } })] }
    const before = structuredClone(spec)
    expandCanary(spec)
    expect(spec).toEqual(before)
  })
})

describe('CanarySpecSchema', () => {
  it('accepts what expands without problems', () => {
    expect(CanarySpecSchema.safeParse({ interval: 30, http: [http()], self: [{ probe: 'disk-free' }] }).success).toBe(
      true,
    )
  })

  it.each([{ kafka: [] }, { interval: 0.1 }, { schedule: 'at noon' }, { http: [{ url: 'nowhere' }] }, { http: {} }])(
    'refuses %j as a whole',
    (spec) => {
      expect(CanarySpecSchema.safeParse(spec).success).toBe(false)
    },
  )
})
