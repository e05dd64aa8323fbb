import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as ask, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Role } from '@watchroom/shared/access'
import { TryChecksResponseSchema } from '@watchroom/shared/health'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { untilGone } from '#support/processes.ts'
import { buildExecutor, buildRunDeps } from '#support/runDeps.ts'

import {
  createHealthEngine,
  type HealthEngine,
} from '../../../../gateway/src/embedded-backend/checks/createHealthEngine.ts'
import { healthRoutes } from '../../../../gateway/src/embedded-backend/checks/routes.ts'
import type { Principal } from '../../../../gateway/src/embedded-backend/server/principal.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let engine: HealthEngine
let app: FastifyInstance
let directory: string
let target: Server
let targetUrl: string
/** Paths of the target that checks have asked for. */
const visited = new Set<string | undefined>()
/** The caller, as authentication would have found it. */
let caller: { id: string; role: Role }
/** Names a call whose handler begins when its caller has left. */
const LEAVER = 'x-leaver'
const leavers = new Map<string, 'here' | 'answered'>()
const leaverOf = ({ headers }: FastifyRequest): string => String(headers[LEAVER] ?? '')
/** The answer that someone waits for. */
let handleSlow = (_response: ServerResponse): void => undefined
const asked = new Promise<ServerResponse>((resolve) => {
  handleSlow = resolve
})

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'watchroom-try-'))
  target = createServer((request, response) => {
    visited.add(request.url)
    if (request.url === '/slow') {
      handleSlow(response)
      return
    }
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end(`hello ${request.headers.authorization ?? 'nobody'}`)
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  database = await startTestDatabase()
  const { pool, channels, vault } = database
  const deps = { pool, channels, vault, clock: systemClock, logger: pino({ level: 'silent' }), random: Math.random }
  const executor = await buildExecutor()
  engine = createHealthEngine({
    executor,
    folders: buildRunDeps().folders ?? { roots: [], hidden: [], own: [] },
    context: { ...deps, options: { dataDirectory: directory } },
    postgrestSocketPath: () => '/nowhere',
    version: '1.2.3',
  })
  engine.pause()
  await engine.start()
  app = fastify({ bodyLimit: 1_048_576 })
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const { id, role } = caller
    const person: Principal = { kind: 'person', id, email: 'a@b.c', name: 'A', roles: [role], roleNames: [role] }
    request.principal = person
  })
  app.addHook('preHandler', async (request, reply) => {
    if (leaverOf(request) === '') return
    leavers.set(leaverOf(request), 'here')
    await once(reply.raw, 'close')
  })
  app.addHook('onSend', async (request) => {
    leavers.set(leaverOf(request), 'answered')
  })
  await app.register(healthRoutes, {
    context: deps,
    engine,
    version: '1.2.3',
    programs: { savers: 'editor', executor },
  })
})

beforeEach(() => {
  caller = { id: 'person-1', role: 'editor' }
})

afterAll(async () => {
  await app.close()
  await engine.close()
  await database.stop()
  target.close()
  rmSync(directory, { recursive: true, force: true })
})

const attempt = (spec: unknown) => app.inject({ method: 'POST', url: '/canary/api/try', payload: { spec } })

async function tried(spec: unknown) {
  const answer = await attempt(spec)
  expect(answer.statusCode, answer.body).toBe(200)
  return TryChecksResponseSchema.parse(answer.json())
}

describe('POST /canary/api/try', () => {
  it('runs the checks against the real target and tells each verdict', async () => {
    const { checks, problems } = await tried({
      http: [
        { name: 'site', url: `${targetUrl}/` },
        { name: 'shop', url: `${targetUrl}/broken` },
      ],
      exec: [{ name: 'disk', script: 'echo fine' }],
    })
    expect(checks.map(({ name, type, ok }) => [name, type, ok])).toEqual([
      ['site', 'http', true],
      ['shop', 'http', false],
      ['disk', 'exec', true],
    ])
    expect(checks[1]?.error).toContain('500')
    expect(checks[2]?.message).toBe('fine')
    expect(problems).toEqual([])
  })

  it('stores nothing', async () => {
    await tried({ http: [{ name: 'site', url: `${targetUrl}/` }] })
    const { rows } = await database.pool.query(
      'select (select count(*) from canaries)::int + (select count(*) from checks)::int + (select count(*) from check_statuses)::int as rows',
    )
    expect(rows).toEqual([{ rows: 0 }])
  })

  it('runs what is sound and names what is not', async () => {
    const { checks, problems } = await tried({
      http: [
        { name: 'site', url: `${targetUrl}/` },
        { name: 'typo', url: 'htp:/x' },
      ],
      kubernetes: [{}],
    })
    expect(checks.map(({ name }) => name)).toEqual(['site'])
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatch(/^http typo, url: expected an http/)
    expect(problems[1]).toMatch(/^kubernetes: unknown check type/)
  })

  it('says what its runner cannot do, field by field, and passes none of it', async () => {
    const { checks, problems } = await tried({
      elasticsearch: [{ name: 'logs', url: targetUrl, index: 'shop', query: '{}' }],
      http: [
        { name: 'script', url: `${targetUrl}/`, test: { javascript: 'true' } },
        {
          name: 'secret',
          url: `${targetUrl}/`,
          password: { valueFrom: { secretKeyRef: { name: 'shop', key: 'pw' } } },
        },
        { name: 'words', url: `${targetUrl}/`, test: { expr: 'code == 200' }, display: { expr: 'content' } },
      ],
    })
    expect(problems).toEqual([])
    expect(checks.map(({ name, ok, invalid, error }) => [name, ok, invalid ?? false, error])).toEqual([
      ['logs', false, true, 'this runner does not run elasticsearch checks; they are left to backends that do'],
      ['script', false, true, expect.stringMatching(/^test\.javascript: this runner does not evaluate Javascript/)],
      [
        'secret',
        false,
        true,
        expect.stringMatching(/^password: this runner cannot read the secret "shop" \(key "pw"\)/),
      ],
      ['words', true, false, null],
    ])
    expect(checks[3]?.message).toBe('hello nobody')
  })

  it('tells no password of the spec, however it comes back', async () => {
    const secret = 'correct-horse-battery'
    const { checks } = await tried({
      http: [{ name: 'echo', url: `${targetUrl}/`, headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] }],
      exec: [{ name: 'leak', script: 'echo "$API_TOKEN"; exit 1', env: { API_TOKEN: secret } }],
    })
    expect(JSON.stringify(checks)).not.toContain(secret)
    expect(checks[1]?.message).toBe('***')
  })

  it('ends a run at the check’s own deadline and leaves no process behind', async () => {
    const nap = `sleep 60.${randomInt(1e9)}`
    const { checks } = await tried({ exec: [{ name: 'slow', timeout: '300ms', script: `${nap} & wait` }] })
    expect(checks[0]?.ok).toBe(false)
    expect(checks[0]?.error).toBe('did not finish within 300ms')
    await untilGone(nap)
  })

  it('does one trial at a time for one person, and another person need not wait for it', async () => {
    const slow = { http: [{ name: 'slow', url: `${targetUrl}/slow` }] }
    const first = attempt(slow).then((answer) => answer.statusCode)
    const waiting = await asked
    const second = await attempt(slow)
    expect([second.statusCode, second.json()]).toEqual([429, { error: 'Your other trial is still running.' }])
    caller = { id: 'person-2', role: 'admin' }
    expect((await attempt({ http: [{ url: `${targetUrl}/` }] })).statusCode).toBe(200)
    waiting.end('at last')
    expect(await first).toBe(200)
    caller = { id: 'person-1', role: 'editor' }
    expect((await attempt({ exec: [{ script: 'true' }] })).statusCode).toBe(200)
  })

  it('runs nothing for a caller who left before it began', async () => {
    const word = `left-${randomInt(1e9)}`
    caller = { id: 'person-4', role: 'editor' }
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/canary/api/try`
    const headers = { 'content-type': 'application/json', [LEAVER]: word }
    const leaver = ask(url, { method: 'POST', headers }).on('error', () => undefined)
    leaver.end(JSON.stringify({ spec: { http: [{ name: 'mark', url: `${targetUrl}/${word}` }] } }))
    await eventually(() => expect(leavers.get(word)).toBe('here'))
    leaver.destroy()
    await eventually(() => expect(leavers.get(word)).toBe('answered'))
    expect(visited.has(`/${word}`)).toBe(false)
  })

  it('refuses people who may not write checks', async () => {
    for (const role of ['viewer', 'responder', 'commander'] as const) {
      caller = { id: 'person-3', role }
      expect((await attempt({ exec: [{ script: 'true' }] })).statusCode).toBe(403)
    }
  })

  it.each([
    ['no spec', undefined, 400],
    ['a text', 'http', 400],
    ['a list', [], 400],
    ['no check', {}, 400],
    ['too many checks', { exec: Array.from({ length: 11 }, () => ({ script: 'true' })) }, 400],
    ['a very long list', { http: Array.from({ length: 20_000 }, () => ({ url: 'http://x' })) }, 400],
    ['more than a body may hold', { exec: [{ script: 'x'.repeat(1_100_000) }] }, 413],
    ['a prototype', JSON.parse('{"__proto__": {"polluted": true}, "constructor": [1]}') as unknown, 400],
  ])('survives a hostile spec: %s', async (_what, spec, status) => {
    expect((await attempt(spec)).statusCode).toBe(status)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect((await attempt({ exec: [{ script: 'true' }] })).statusCode).toBe(200)
  })
})
