import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { AccessChange } from '../../../gateway/src/access/contract.ts'
import { createAccess } from '../../../gateway/src/access/createAccess.ts'
import {
  type BackendClient,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
} from '../../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

const ADA = { id: 'ada', traits: { email: 'ada@example.test', name: { first: 'Ada', last: 'Lovelace' } } }
const COOKIE = { cookie: 'theme=dark; ory_kratos_session=s1' }
const WHO_AM_I = '/kratos/sessions/whoami'
const ROLES_OF_ADA = '/db/people_roles?id=in.(ada)'

type Answer = { status: number; body?: unknown } | BackendFailure

/** Answers from memory, counts, and can hold an answer back. */
class ScriptedBackend implements BackendClient {
  readonly hasServiceCredential: boolean
  readonly calls: BackendRequest[] = []
  whoAmI: Answer = { status: 200, body: { active: true, identity: ADA } }
  roles: Answer = { status: 200, body: [{ id: 'ada', roles: ['editor', 'everyone'] }] }
  /** Instead of the two above. */
  answer: ((request: BackendRequest) => Answer) | null = null
  gate: Promise<void> = Promise.resolve()
  /** Nothing is answered until the function is called that this returns. */
  hold = (): (() => void) => {
    let open = (): void => undefined
    this.gate = new Promise((resolve) => {
      open = resolve
    })
    return open
  }

  constructor(hasServiceCredential = true) {
    this.hasServiceCredential = hasServiceCredential
  }

  request = async (request: BackendRequest): Promise<BackendResponse> => {
    this.calls.push(request)
    // Read when asked, not when answered: a slow backend answers what was true when it looked.
    const answer = this.answer?.(request) ?? (request.path.startsWith('/db/') ? this.roles : this.whoAmI)
    await this.gate
    if (answer instanceof BackendFailure) throw answer
    return {
      status: answer.status,
      headers: {},
      body: Readable.from([]),
      json: () => Promise.resolve(answer.body),
      text: () => Promise.resolve(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)),
      discard: () => undefined,
    }
  }

  close = (): Promise<void> => Promise.resolve()
}

const pathsOf = (backend: ScriptedBackend): string[] => backend.calls.map(({ path }) => path)

function setUp(options: { mode?: 'session' | 'none'; hasServiceCredential?: boolean } = {}) {
  const clock = new FakeClock()
  const backend = new ScriptedBackend(options.hasServiceCredential)
  const logger = createLogger({ level: 'silent' })
  const access = createAccess({ backend, clock, logger, mode: options.mode ?? 'session' })
  const changes: AccessChange[] = []
  const stop = access.onChange((change) => changes.push(change))
  return { access, backend, changes, clock, stop }
}

describe('identify', () => {
  it('asks who the session belongs to and which roles the person has', async () => {
    const { access, backend } = setUp()
    expect(await access.identify(COOKIE)).toEqual({
      userId: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.test',
      roles: ['editor'],
    })
    const [whoAmI, roles] = backend.calls
    expect(whoAmI).toMatchObject({
      path: '/kratos/sessions/whoami',
      credential: 'caller',
      headers: { cookie: 'ory_kratos_session=s1' },
    })
    expect(roles).toMatchObject({ path: '/db/people_roles?id=in.(ada)', headers: {} })
    expect(roles?.credential ?? 'service').toBe('service')
  })

  it('reads the roles with the person’s own credential when the gateway has none', async () => {
    const { access, backend } = setUp({ hasServiceCredential: false })
    await access.identify(COOKIE)
    expect(backend.calls[1]?.headers).toEqual({ cookie: 'ory_kratos_session=s1' })
  })

  it('knows a session by header, and Basic by the backend’s own sign-in', async () => {
    const { access, backend } = setUp()
    await access.identify({ 'x-session-token': 'token' })
    expect(backend.calls[0]).toMatchObject({ path: '/kratos/sessions/whoami', headers: { 'x-session-token': 'token' } })
    await access.identify({ ...COOKIE, authorization: 'Bearer of-a-proxy' })
    expect(backend.calls[2]?.headers).toEqual({ cookie: 'ory_kratos_session=s1', accept: 'application/json' })
    await access.identify({ authorization: 'Bearer other' })
    expect(backend.calls[3]).toMatchObject({ path: '/kratos/sessions/whoami', headers: { 'x-session-token': 'other' } })
    backend.whoAmI = {
      status: 200,
      body: { message: 'success', payload: { user: { id: 'bob', name: 'Bob', email: 'b@x.test' } } },
    }
    backend.roles = { status: 200, body: [] }
    expect(await access.identify({ authorization: 'Basic eDp5' })).toEqual({
      userId: 'bob',
      name: 'Bob',
      email: 'b@x.test',
      roles: ['viewer'],
    })
    expect(backend.calls[4]).toMatchObject({ path: '/auth/whoami', headers: { authorization: 'Basic eDp5' } })
  })

  it.each<IncomingHttpHeaders>([
    {},
    { cookie: 'theme=dark' },
    { cookie: 'ory_kratos_session=' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer two words' },
    { 'x-session-token': '' },
  ])('finds nobody in %j without asking', async (headers) => {
    const { access, backend } = setUp()
    expect(await access.identify(headers)).toBeNull()
    expect(backend.calls).toEqual([])
  })

  it('asks once for everyone who comes at the same time, and again after 5 s', async () => {
    const { access, backend, clock } = setUp()
    await Promise.all([access.identify(COOKIE), access.identify(COOKIE), access.identify(COOKIE)])
    await clock.advance(2_499)
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(2)
    await clock.advance(2_501)
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(4)
  })

  it('asks again beside an answer that is 2.5 s old, so that who goes on need not wait', async () => {
    const { access, backend, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(2_500)
    const open = backend.hold()
    // Answered although nobody answers the gateway, and asked about once.
    for (let call = 0; call < 3; call += 1) expect(await access.identify(COOKIE)).toMatchObject({ roles: ['editor'] })
    expect(pathsOf(backend)).toEqual([WHO_AM_I, ROLES_OF_ADA, WHO_AM_I, ROLES_OF_ADA])
    open()
    await clock.advance(2_499)
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(4)
  })

  it('takes no answer of 5 s while a younger one is on its way, and none at all when that fails', async () => {
    const { access, backend, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(2_500)
    const open = backend.hold()
    backend.roles = { status: 200, body: [{ id: 'ada', roles: ['viewer'] }] }
    await access.identify(COOKIE)
    await clock.advance(2_500)
    const late = access.identify(COOKIE)
    open()
    expect(await late).toMatchObject({ roles: ['viewer'] })
    backend.whoAmI = new BackendFailure('unavailable', 'refused')
    expect(await access.identify(COOKIE)).toMatchObject({ roles: ['viewer'] })
    await clock.advance(2_500)
    await expect(access.identify(COOKIE)).rejects.toMatchObject({ code: 'ACCESS_BACKEND_UNAVAILABLE' })
  })

  it('asks for session and roles at once where it knows who it was', async () => {
    const { access, backend, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(5_000)
    const open = backend.hold()
    const again = access.identify(COOKIE)
    await clock.advance(0)
    expect(pathsOf(backend).slice(2)).toEqual([WHO_AM_I, ROLES_OF_ADA])
    open()
    expect(await again).toMatchObject({ roles: ['editor'] })
    expect(backend.calls).toHaveLength(4)
    // It is someone else by now: those roles are not theirs.
    await clock.advance(5_000)
    backend.whoAmI = { status: 200, body: { identity: { ...ADA, id: 'bob' } } }
    backend.answer = ({ path }) =>
      path.startsWith('/db/')
        ? { status: 200, body: ['ada', 'bob'].map((id) => ({ id, roles: [id === 'ada' ? 'admin' : 'viewer'] })) }
        : backend.whoAmI
    expect(await access.identify(COOKIE)).toMatchObject({ userId: 'bob', roles: ['viewer'] })
  })

  it('takes no roles that were asked for before they changed', async () => {
    const { access, backend, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(5_000)
    const open = backend.hold()
    const again = access.identify(COOKIE)
    backend.roles = { status: 200, body: [{ id: 'ada', roles: ['viewer'] }] }
    access.invalidate({ userId: 'ada' })
    open()
    expect(await again).toMatchObject({ roles: ['viewer'] })
  })

  it('shares no question that is older than the answer may be', async () => {
    const { access, backend, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(5_000)
    const open = backend.hold()
    const slow = access.identify(COOKIE)
    await clock.advance(1_000)
    backend.whoAmI = { status: 401 }
    const strict = access.identify(COOKIE, { maxAge: { sessionMs: 1_000, rightsMs: 1_000 } })
    open()
    expect(await slow).toMatchObject({ userId: 'ada' })
    expect(await strict).toBeNull()
    expect(await access.identify(COOKIE)).toBeNull()
  })

  it('remembers a refused session, but not one that only lacks its second factor', async () => {
    const { access, backend } = setUp()
    backend.whoAmI = { status: 401 }
    expect(await access.identify(COOKIE)).toBeNull()
    expect(await access.identify(COOKIE)).toBeNull()
    expect(backend.calls).toHaveLength(1)
    backend.whoAmI = { status: 403 }
    const other = { cookie: 'ory_kratos_session=s2' }
    expect(await access.identify(other)).toBeNull()
    backend.whoAmI = { status: 200, body: { identity: ADA } }
    expect(await access.identify(other)).toMatchObject({ userId: 'ada' })
  })

  it('takes 400 to an access token that is none for a refusal, and counts it', async () => {
    const { access, backend } = setUp()
    backend.whoAmI = { status: 400, body: 'invalid access token' }
    const tryToken = (token: string) =>
      access.identify({ authorization: `Basic ${btoa(`token:${token}`)}` }, { address: '192.0.2.1' })
    for (let index = 0; index < 30; index += 1) expect(await tryToken(`guess-${index}`)).toBeNull()
    expect(await tryToken('guess-0')).toBeNull()
    expect(backend.calls).toHaveLength(30)
    await expect(tryToken('guess-30')).rejects.toMatchObject({ code: 'ACCESS_RATE_LIMITED' })
  })

  it('does not take another 400 for a refusal: nobody is signed out, and nothing is counted', async () => {
    const { access, backend, changes, clock } = setUp()
    const headers = { authorization: 'Basic eDp5' }
    const good = { status: 200, body: { payload: { user: { id: 'ada', name: 'Ada', email: 'a@x.test' } } } }
    backend.whoAmI = good
    await access.identify(headers)
    await clock.advance(5_000)
    backend.whoAmI = { status: 400, body: '<h1>400 Request Header Or Cookie Too Large</h1>' }
    const away = { code: 'ACCESS_BACKEND_UNAVAILABLE' }
    await expect(access.identify(headers)).rejects.toMatchObject(away)
    for (let index = 0; index < 40; index += 1) {
      const stranger = { authorization: `Basic ${btoa(`token:${index}`)}` }
      await expect(access.identify(stranger, { address: '192.0.2.1' })).rejects.toMatchObject(away)
    }
    backend.whoAmI = good
    expect(await access.identify(headers)).toMatchObject({ userId: 'ada' })
    expect(changes).toEqual([])
  })

  it('treats an inactive session as none', async () => {
    const { access, backend } = setUp()
    backend.whoAmI = { status: 200, body: { active: false, identity: ADA } }
    expect(await access.identify(COOKIE)).toBeNull()
  })

  it.each<[string, Answer]>([
    ['is away', new BackendFailure('unavailable', 'refused')],
    ['is too slow', new BackendFailure('timeout', 'late')],
    ['fails', { status: 500 }],
    ['answers nonsense', { status: 200, body: { identity: {} } }],
  ])('says that the session cannot be checked when the backend %s, and asks again at once', async (_name, answer) => {
    const { access, backend } = setUp()
    backend.whoAmI = answer
    await expect(access.identify(COOKIE)).rejects.toMatchObject({ code: 'ACCESS_BACKEND_UNAVAILABLE', status: 503 })
    backend.whoAmI = { status: 200, body: { identity: ADA } }
    backend.roles = answer
    await expect(access.identify(COOKIE)).rejects.toMatchObject({ code: 'ACCESS_BACKEND_UNAVAILABLE' })
    backend.roles = { status: 200, body: [] }
    expect(await access.identify(COOKIE)).toMatchObject({ roles: ['viewer'] })
  })

  it('forgets the credentials that were used least recently when there are too many', async () => {
    const { access, backend } = setUp()
    backend.whoAmI = { status: 401 }
    await access.identify(COOKIE)
    for (let n = 0; n < 10_000; n++) await access.identify({ 'x-session-token': `made-up-${n}` })
    const before = backend.calls.length
    await access.identify({ 'x-session-token': 'made-up-9999' })
    expect(backend.calls).toHaveLength(before)
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(before + 1)
  })

  it('takes everyone for one editor when sessions are switched off', async () => {
    const { access, backend } = setUp({ mode: 'none' })
    const everyone = await access.identify({})
    expect(everyone).toMatchObject({ roles: ['editor'] })
    expect(backend.calls).toEqual([])
    if (!everyone) return
    expect(access.can(everyone, 'write', 'canaries')).toBe(true)
    expect(access.can(everyone, 'read', 'connections')).toBe(false)
  })
})

describe('roles', () => {
  const headersOf = (session: string): IncomingHttpHeaders => ({ 'x-session-token': session })
  const idsIn = (path: string): string[] => /in\.\((.*)\)/.exec(path)?.[1]?.split(',') ?? []
  const personBy = (session: string): object => ({ identity: { ...ADA, id: `id-${session}` } })

  /**
   * Everyone is who their token says, with roles that the test may change.
   *
   * @param refusal of the gateway's own credential
   */
  function setUpPeople(refusal?: number) {
    const world = setUp()
    const roles = new Map<string, string[]>()
    world.backend.answer = ({ path, headers = {}, credential }) => {
      const session = String(headers['x-session-token'])
      if (!path.startsWith('/db/')) return { status: 200, body: personBy(session) }
      if (credential === 'service' && refusal !== undefined) return { status: refusal, body: 'invalid access token' }
      return { status: 200, body: idsIn(path).map((id) => ({ id, roles: roles.get(id) ?? ['editor'] })) }
    }
    const questions = (): string[] => world.backend.calls.filter(({ path }) => path.startsWith('/db/')).map(toIds)
    const toIds = ({ path }: BackendRequest): string => idsIn(path).toSorted().join()
    return { ...world, roles, questions }
  }

  it('are asked for together with those of everyone who is here', async () => {
    const { access, questions, clock } = setUpPeople()
    for (const session of ['a', 'b', 'c']) await access.identify(headersOf(session))
    expect(questions()).toEqual(['id-a', 'id-a,id-b', 'id-a,id-b,id-c'])
    await clock.advance(2_499)
    for (const session of ['a', 'b', 'c']) await access.identify(headersOf(session))
    expect(questions()).toHaveLength(3)
    await clock.advance(57_501)
    await access.identify(headersOf('b'))
    await access.identify(headersOf('a'))
    expect(questions().slice(3)).toEqual(['id-a,id-b,id-c'])
  })

  it('of someone who left are not asked for any more', async () => {
    const { access, questions, clock } = setUpPeople()
    await access.identify(headersOf('a'))
    await clock.advance(60_000)
    await access.identify(headersOf('b'))
    expect(questions()).toEqual(['id-a', 'id-b'])
  })

  it('are asked for once by a crowd, a hundred people in a request', async () => {
    const { access, questions, clock } = setUpPeople()
    const crowd = Array.from({ length: 150 }, (_, index) => headersOf(`p${index}`))
    await Promise.all(crowd.map((headers) => access.identify(headers)))
    await clock.advance(5_000)
    const before = questions().length
    const found = await Promise.all(crowd.map((headers) => access.identify(headers)))
    expect(found.every((identity) => identity?.roles.includes('editor'))).toBe(true)
    const asked = questions().slice(before)
    expect(asked.map((ids) => ids.split(',').length)).toEqual([100, 50])
  })

  it('that changed are told of everyone, whoever asked', async () => {
    const { access, changes, clock, roles } = setUpPeople()
    for (const session of ['a', 'b']) await access.identify(headersOf(session))
    roles.set('id-b', ['viewer'])
    await clock.advance(5_000)
    await access.identify(headersOf('a'))
    expect(changes).toEqual([{ userId: 'id-b' }])
    expect(await access.identify(headersOf('b'))).toMatchObject({ roles: ['viewer'] })
  })

  it('that were read before they changed are not remembered', async () => {
    const { access, backend, roles } = setUpPeople()
    await access.identify(headersOf('a'))
    const open = backend.hold()
    access.invalidate({ userId: 'id-a' })
    const early = access.identify(headersOf('a'), { maxAge: { sessionMs: Infinity, rightsMs: 0 } })
    await new Promise((resolve) => setTimeout(resolve, 0))
    roles.set('id-a', ['viewer'])
    access.invalidate({ userId: 'id-a' })
    open()
    await early
    expect(await access.identify(headersOf('a'))).toMatchObject({ roles: ['viewer'] })
  })

  it.each([400, 401, 403])(
    'are asked for with each person’s own credential while the gateway’s is refused (%i), which is tried again after a minute',
    async (refusal) => {
      const { access, backend, questions, clock } = setUpPeople(refusal)
      const asked = (): unknown[] =>
        backend.calls.filter(({ path }) => path.startsWith('/db/')).map(({ credential }) => credential)
      for (const session of ['a', 'b']) {
        expect(await access.identify(headersOf(session))).toMatchObject({ roles: ['editor'] })
      }
      expect(asked()).toEqual(['service', 'caller', 'caller'])
      expect(questions()).toEqual(['id-a', 'id-a', 'id-b'])
      await clock.advance(60_000)
      await access.identify(headersOf('a'))
      expect(asked().slice(3)).toEqual(['service', 'caller'])
    },
  )

  it('are not taken from a credential for a question that is refused', async () => {
    const { access, backend } = setUpPeople()
    backend.answer = ({ path }) =>
      path.startsWith('/db/') ? { status: 400, body: 'bad' } : { status: 200, body: personBy('a') }
    await expect(access.identify(headersOf('a'))).rejects.toThrow('the backend does not answer')
    expect(backend.calls.filter(({ path }) => path.startsWith('/db/')).map(({ credential }) => credential)).toEqual([
      'service',
    ])
  })

  it('may be younger than the session', async () => {
    const { access, backend, questions, clock } = setUpPeople()
    await access.identify(headersOf('a'))
    await clock.advance(30_000)
    await access.identify(headersOf('a'), { maxAge: { sessionMs: 45_000, rightsMs: 15_000 } })
    expect(questions()).toHaveLength(2)
    expect(backend.calls).toHaveLength(3)
  })
})

describe('onChange', () => {
  it('tells when a later lookup finds other roles or no session, and only then', async () => {
    const { access, backend, changes, clock } = setUp()
    await access.identify(COOKIE)
    await clock.advance(5_000)
    await access.identify(COOKIE)
    expect(changes).toEqual([])
    backend.roles = { status: 200, body: [{ id: 'ada', roles: ['viewer'] }] }
    await clock.advance(5_000)
    await access.identify(COOKIE)
    expect(changes).toEqual([{ userId: 'ada' }])
    backend.whoAmI = { status: 401 }
    await clock.advance(5_000)
    await access.identify(COOKIE)
    expect(changes).toEqual([{ userId: 'ada' }, { userId: 'ada' }])
  })

  it('says nothing when the backend is away: rights did not change', async () => {
    const { access, backend, changes, clock } = setUp()
    await access.identify(COOKIE)
    backend.whoAmI = new BackendFailure('unavailable', 'refused')
    await clock.advance(5_000)
    await expect(access.identify(COOKIE)).rejects.toThrow('cannot be checked')
    expect(changes).toEqual([])
  })

  it('stops when the listener is removed', async () => {
    const { access, changes, stop } = setUp()
    stop()
    access.invalidate('all')
    expect(changes).toEqual([])
  })
})

describe('invalidate', () => {
  it('makes the next question reach the backend, for the person meant', async () => {
    const { access, backend, changes } = setUp()
    await access.identify(COOKIE)
    access.invalidate({ userId: 'someone else' })
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(2)
    access.invalidate({ userId: 'ada' })
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(4)
    access.invalidate('all')
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(6)
    expect(changes).toEqual([{ userId: 'someone else' }, { userId: 'ada' }, 'all'])
  })

  it('keeps a lookup that began before the change from being remembered', async () => {
    const { access, backend } = setUp()
    const open = backend.hold()
    const early = access.identify(COOKIE)
    await Promise.resolve()
    access.invalidate({ userId: 'ada' })
    open()
    await early
    const calls = backend.calls.length
    await access.identify(COOKIE)
    expect(backend.calls.length).toBeGreaterThan(calls)
  })
})

describe('forget', () => {
  it('asks anew for one credential and says whose it was', async () => {
    const { access, backend, changes } = setUp()
    await access.identify(COOKIE)
    access.forget({ 'x-session-token': 'unknown' })
    expect(changes).toEqual([])
    access.forget(COOKIE)
    expect(changes).toEqual([{ userId: 'ada' }])
    await access.identify(COOKIE)
    expect(backend.calls).toHaveLength(4)
  })
})
