import type { RouteRule } from '@watchroom/shared/access'
import { fastify, type FastifyInstance } from 'fastify'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { z } from 'zod'

import {
  createDefineRoute,
  registerRoutes,
  type RoutePolicy,
  type RouteTable,
} from '../../../../gateway/src/platform/http/defineRoute.ts'
import { Refusal } from '../../../../gateway/src/platform/http/refusal.ts'

interface Person {
  readonly name: string
}

const RULES = {
  read: { method: 'GET', path: '/things/{id}', access: 'signed-in' },
  write: { method: 'POST', path: '/things', access: { action: 'write', resource: 'canaries' } },
  remove: { method: 'DELETE', path: '/things/{id}', access: 'signed-in' },
  open: { method: 'GET', path: '/open', access: 'public' },
} as const satisfies Record<string, RouteRule>

const defineRoute = createDefineRoute<Person>()
const ThingSchema = z.object({ id: z.string(), size: z.number() })

const read = defineRoute({
  rule: RULES.read,
  params: z.object({ id: z.guid() }),
  query: z.object({ size: z.coerce.number().default(1) }),
  response: ThingSchema,
  handle: ({ params, query }) => ({ id: params.id, size: query.size, secret: 'x' }),
})
const write = defineRoute({
  rule: RULES.write,
  body: z.object({ size: z.number(), label: z.object({ text: z.string() }).optional() }),
  status: 201,
  response: ThingSchema,
  handle: ({ body, caller }) => {
    if (body.size > 9) throw new Refusal(409, { error: 'too large', limit: 9 })
    return { id: caller.name, size: body.size }
  },
})
const remove = defineRoute({ rule: RULES.remove, response: 'empty', handle: () => undefined })
const open = defineRoute({
  rule: RULES.open,
  response: z.string(),
  handle: ({ caller }) => {
    expectTypeOf(caller).toEqualTypeOf<null>()
    return String(caller)
  },
})
const ROUTES = { read, write, remove, open } satisfies RouteTable<typeof RULES, Person>

function serve(policy: RoutePolicy<Person>, routes: Parameters<typeof registerRoutes<Person>>[1] = ROUTES) {
  const app: FastifyInstance = fastify()
  registerRoutes(app, routes, policy)
  onTestFinished(() => app.close())
  return app
}

const ROBIN: RoutePolicy<Person> = { admit: (_request, rule) => (rule.access === 'public' ? null : { name: 'Robin' }) }
const ID = '11111111-1111-4111-8111-111111111111'

describe('defineRoute', () => {
  it('hands the handler what the schemas made of the request, and sends what the response names', async () => {
    const app = serve(ROBIN)
    const answer = await app.inject(`/things/${ID}?size=3`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: ID, size: 3 }])
    const made = await app.inject({ method: 'POST', url: '/things', payload: { size: 2 } })
    expect([made.statusCode, made.json()]).toEqual([201, { id: 'Robin', size: 2 }])
    const removed = await app.inject({ method: 'DELETE', url: `/things/${ID}` })
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect((await app.inject('/open')).body).toBe('null')
  })

  it.each([
    ['POST', '/things', {}, 'body', 'size: ', ['size']],
    ['POST', '/things', { size: 1, label: { text: 7 } }, 'body', 'label.text: ', ['label.text']],
    ['POST', '/things', undefined, 'body', 'request: ', ['']],
    ['GET', `/things/${ID}?size=much`, undefined, 'query', 'size: ', ['size']],
    ['GET', '/things/nonsense', undefined, 'params', 'id: ', ['id']],
  ] as const)(
    'names the fields of input that does not fit: %s %s %j',
    async (method, url, payload, part, text, fields) => {
      const app = serve({
        ...ROBIN,
        toError: ({ part: where, fields: faults, message }) => new Refusal(400, { where, faults, text: message }),
      })
      const answer = await app.inject({ method, url, ...(payload ? { payload } : {}) })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { where: part, text: expect.stringContaining(text) },
      ])
      expect(answer.json<{ faults: { field: string }[] }>().faults.map(({ field }) => field)).toEqual(fields)
    },
  )

  it('sends a refusal of the handler as it is', async () => {
    const answer = await serve(ROBIN).inject({ method: 'POST', url: '/things', payload: { size: 10 } })
    expect([answer.statusCode, answer.json()]).toEqual([409, { error: 'too large', limit: 9 }])
  })

  it('answers 500 when the response does not fit its schema', async () => {
    const broken = defineRoute({
      rule: RULES.open,
      response: z.object({ at: z.iso.datetime() }),
      handle: () => ({ at: 'now' }),
    })
    const answer = await serve(ROBIN, { broken }).inject('/open')
    expect(answer.statusCode).toBe(500)
  })

  it('refuses before it reads the body, and asks again once it was read', async () => {
    let questions = 0
    const policy: RoutePolicy<Person> = {
      admit: ({ body }) => {
        questions += 1
        if (body !== undefined) throw new Refusal(403, { error: 'not any more' })
        return { name: 'Robin' }
      },
    }
    const answer = await serve(policy).inject({ method: 'POST', url: '/things', payload: { size: 1 } })
    expect([answer.statusCode, questions]).toEqual([403, 2])
    const early: RoutePolicy<Person> = {
      admit: () => {
        throw Object.assign(new Error('who are you'), { statusCode: 401 })
      },
    }
    const unread = await serve(early).inject({
      method: 'POST',
      url: '/things',
      payload: '{not json',
      headers: { 'content-type': 'application/json' },
    })
    expect(unread.statusCode).toBe(401)
  })

  it('never opens a route that is not public to nobody', async () => {
    const answer = await serve({ admit: () => null }).inject(`/things/${ID}`)
    expect(answer.statusCode).toBe(500)
  })

  it('is total: a rule without its route does not compile', () => {
    const { open: _left, ...rest } = ROUTES
    // @ts-expect-error -- `open` has no route
    void (rest satisfies RouteTable<typeof RULES, Person>)
    // @ts-expect-error -- the route of another rule
    void ({ ...ROUTES, open: read } satisfies RouteTable<typeof RULES, Person>)
    // @ts-expect-error -- `none` is declared nowhere
    void ({ ...ROUTES, none: open } satisfies RouteTable<typeof RULES, Person>)
    expect(Object.keys(rest)).toHaveLength(3)
  })
})
