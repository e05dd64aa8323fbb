import { createMemoryHistory } from '@tanstack/react-router'
import { CAPABILITIES, type Role } from '@watchroom/shared/access'
import type { ClientMessage } from '@watchroom/shared/protocol'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { setField } from '#support/web/setField.ts'

import { App } from '../../../web/src/app/App.tsx'
import { type AppRouter, createAppRouter } from '../../../web/src/app/routes.tsx'
import type { OpenSocket, SocketHandlers } from '../../../web/src/live/contract.ts'
import { loginFlow } from '../features/sign-in/flows.ts'

/** Live sockets of the page, newest last. */
const sockets = vi.hoisted((): (SocketHandlers & { readonly sent: ClientMessage[] })[] => [])
// A live socket has nobody to talk to here: what arrives over it has its own tests.
vi.mock('../../../web/src/live/openSocket.ts', () => ({
  createOpenSocket: (): OpenSocket => (handlers) => {
    const sent: ClientMessage[] = []
    sockets.push({ ...handlers, sent })
    return { send: (message) => void sent.push(message), close: () => undefined }
  },
  inflateRaw: () => '',
}))

// The editor draws nothing without a real browser.
vi.mock('../../../web/src/editor/YamlEditor.tsx', () => ({ YamlEditor: () => null }))

let server: FakeServer
let root: Root | undefined
let router: AppRouter
const container = document.createElement('div')

beforeEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  localStorage.clear()
  document.body.replaceChildren(container)
  server = createFakeServer()
  // Rows of no list are of interest here.
  server.on('GET /api/db/people_roles', () => json([{ roles: ['admin'] }]))
  server.on('GET /api/db/', () => json([]))
  server.on('GET /api/properties', () => json([]))
  server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: 'Ana Ruiz' } } }))
})

afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
  vi.unstubAllGlobals()
})

const titleField = (): Element => pageOf().field('Title')

interface Viewer {
  roles?: readonly (Role | 'everyone')[]
  properties?: readonly { name: string; value: string }[]
}

async function open(path: string, { roles, properties }: Viewer = {}): Promise<void> {
  if (roles) server.on('GET /api/db/people_roles', () => json([{ roles }]))
  if (properties) server.on('GET /api/properties', () => json(properties))
  router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  await act(async () => {
    root = createRoot(container)
    root.render(<App router={router} />)
  })
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** A busy machine needs seconds to load and compile a lazy screen. */
const PATIENCE_MS = 10_000

/** Answers and chunks take real time. Each turn lets React show what has come. */
async function until(isSo: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); !isSo() && performance.now() - startedAt < PATIENCE_MS;) await act(turn)
}

async function sees(text: string): Promise<void> {
  await until(() => document.body.textContent.includes(text))
  expect(document.body.textContent).toContain(text)
}

const links = () => [...container.querySelectorAll('nav a')].map((link) => link.textContent)

describe('App', () => {
  it('shows a screen in its frame: landmarks, a way to skip to the content, the current place', async () => {
    await open('/playbooks/runs')
    await sees('No data available')
    expect(container.querySelector('main')?.textContent).toContain('Runs appear here as soon as')
    expect(container.querySelector('header h1')?.textContent).toBe('Playbook runs')
    expect(container.querySelector('a[href="#main"]')?.textContent).toBe('Skip to content')
    expect(container.querySelector('[aria-current="page"]')?.textContent).toBe('Playbooks')
    expect(document.body.textContent).toContain('Hi Ana Ruiz')
    expect(document.title).toBe('Playbook runs – Watchroom')
  })

  it('treats someone whose only role is unknown as a viewer', async () => {
    await open('/playbooks/runs', { roles: ['everyone'] })
    await sees('No data available')
    const parents = ['Playbooks']
    expect(links()).toEqual(['Dashboard', 'Health', 'Incidents', 'Catalog', 'Logs', 'Playbooks', ...parents])
  })

  it('does not show a screen to someone who may not read it, and does not ask for its data', async () => {
    await open('/settings/connections', { roles: ['editor'] })
    await sees('You do not have permission to access this page')
    expect(container.querySelector('h1')?.textContent).toBe('Unauthorized')
    expect(server.requests.filter((line) => line.includes('connections'))).toEqual([])
  })

  it('says which right is missing, who can give it, and words to ask with', async () => {
    const copied: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
    await open('/settings/connections', { roles: ['editor'] })
    await sees('Read connections')
    const facts = [...container.querySelectorAll('dd')].map(({ textContent }) => textContent)
    expect(facts).toEqual(['Read connections', 'editor', 'admin', 'An administrator, in Settings, Users'])
    const button = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy request')
    await act(async () => button?.click())
    expect(copied).toEqual([
      expect.stringMatching(
        /the right to read connections, which the role admin has\. My account is Ana Ruiz, with the role editor\.$/,
      ),
    ])
  })

  it('does not promise a role where the policy of the backend withholds the right', async () => {
    const permissions = [{ object: 'canaries', action: 'read' }]
    server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: 'Ana' }, permissions } }))
    await open('/incidents')
    await sees('which the policy of the backend withholds')
    expect(container.querySelector('dl')?.textContent).toContain('Yours, but the backend’s policy denies it')
  })

  it('shows no more than the backend says that it permits, and a name that only the list of people knows', async () => {
    const permissions = ['canaries', 'playbooks', 'topology'].map((object) => ({ object, action: 'read' }))
    server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: '' }, permissions } }))
    server.on('GET /api/db/people_roles', () => json([{ roles: ['viewer'], name: 'Ana Ruiz' }]))
    await open('/incidents')
    await sees('You do not have permission to access this page')
    expect(links()).not.toContain('Incidents')
    expect(links()).toContain('Playbooks')
    expect(document.body.textContent).toContain('Hi Ana Ruiz')
  })

  it('does not show an area that is switched off', async () => {
    await open('/playbooks', { properties: [{ name: 'playbooks.disable', value: 'true' }] })
    await sees('This area is turned off')
    expect(links()).not.toContain('Playbooks')
    expect(server.requests.filter((line) => line.includes('/db/playbook'))).toEqual([])
  })

  it('shows no screen before it is known what is switched off, and does not ask for its data', async () => {
    let tell: (flags: Response) => void = () => undefined
    server.on('GET /api/properties', () => new Promise<Response>((resolve) => (tell = resolve)))
    await open('/playbooks/runs')
    const asks = (path: string): boolean => server.requests.some((line) => line.startsWith(`GET ${path}`))
    await until(() => asks('/api/properties'))
    // As long as whatever does not wait for the answer would take.
    for (let turns = 0; turns < 20; turns += 1) await act(turn)
    expect(document.body.textContent).not.toContain('No data available')
    expect(asks('/api/db/playbook_runs')).toBe(false)
    tell(json([]))
    await sees('No data available')
    expect(asks('/api/db/playbook_runs')).toBe(true)
  })

  it('does not show a screen that the backend has nothing for, and says why', async () => {
    server.on('GET /gateway/backend', () => json({ changes: 'polled', missing: ['people', 'outbox'] }))
    await open('/settings/users')
    await sees(CAPABILITIES.people)
    expect(links()).not.toContain('Users')
    await act(() => router.navigate({ to: '/settings/outbox' }))
    await sees(CAPABILITIES.outbox)
  })

  it('shows a shared view before it is known what is switched off', async () => {
    server.on('GET /api/properties', () => new Promise(() => undefined))
    await open('/view/topology?id=nonsense')
    await sees('Component not found')
    expect(container.querySelector('nav')).toBeNull()
  })

  it('shows no shared view to who may not read topologies', async () => {
    const permissions = [{ object: 'canaries', action: 'read' }]
    server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: 'Ana' }, permissions } }))
    await open('/view/topology?id=nonsense')
    await sees('You do not have permission to access this page')
    expect(document.body.textContent).not.toContain('Component not found')
  })

  it('says that there is no page at an unknown address, inside the frame', async () => {
    await open('/nowhere')
    await sees('There’s no page at this address')
    expect(links()).toContain('Health')
  })

  it.each([
    ['/', '/topology', {}],
    ['/agents?id=a1', '/settings/agents', { id: 'a1' }],
    ['/settings', '/settings/event-queue-status', {}],
  ])('leads %s to %s, with its query', async (path, target, search) => {
    await open(path)
    await until(() => router.state.location.pathname === target)
    expect(router.state.location).toMatchObject({ pathname: target, search })
  })

  it.each([
    ['/', ''],
    ['/topology?status=unhealthy', ''],
    ['/topology/018f0000-0000-7000-8000-0000000000a1', '018f0000-0000-7000-8000-0000000000a1'],
  ])('asks for the cards of %s before its frame is there', async (path, id) => {
    const before = sockets.length
    server.on('GET /api/db/people_roles', () => new Promise(() => undefined))
    await open(path)
    await until(() => sockets.length > before)
    const socket = sockets.at(-1)
    await act(async () => socket?.onMessage({ type: 'welcome', version: 1, now: Date.now(), beatMs: 60_000 }))
    await until(() => socket?.sent.length === 1)
    expect(socket?.sent).toEqual([expect.objectContaining({ type: 'subscribe', topic: 'topology', params: { id } })])
    expect(container.querySelector('nav')).toBeNull()
  })

  it.each(['/topology?at=2026-01-01T00:00:00Z', '/topology/nonsense', '/playbooks/runs'])(
    'asks for no cards ahead that %s does not show',
    async (path) => {
      const before = sockets.length
      server.on('GET /api/db/people_roles', () => new Promise(() => undefined))
      await open(path)
      await until(() => sockets.length > before)
      const socket = sockets.at(-1)
      await act(async () => socket?.onMessage({ type: 'welcome', version: 1, now: Date.now(), beatMs: 60_000 }))
      // Longer than the page that is loaded by now would take to ask.
      for (let turns = 0; turns < 20; turns += 1) await act(turn)
      expect(socket?.sent).toEqual([])
    },
  )

  it('leads an open page to the sign-in when its socket says that the session has ended, although nobody asks for anything', async () => {
    await open('/playbooks/runs')
    await sees('No data available')
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    await act(async () => sockets.at(-1)?.onRefused({ code: 4401, message: 'Sign in to continue' }))
    await sees('Sign In to your account')
    expect(router.state.location.search).toEqual({ return_to: '/playbooks/runs' })
  })

  it('leads a form with unsaved work there too, and has the work back after the sign-in', async () => {
    await open('/playbooks/new')
    await eventually(titleField)
    await setField(titleField(), 'Half written')
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    await act(async () => sockets.at(-1)?.onRefused({ code: 4401, message: 'Sign in to continue' }))
    await sees('Sign In to your account')
    expect(router.state.location.search).toEqual({ return_to: '/playbooks/new' })
    await act(async () => router.navigate({ to: '/playbooks/new' }))
    await sees('Your unsaved changes are back')
    expect(titleField()).toHaveProperty('value', 'Half written')
  })

  it('leads someone without a session to the sign-in and remembers where they wanted to go', async () => {
    server.on('GET /api/auth/whoami', () => new Response('Unauthorized', { status: 401 }))
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    await open('/incidents?query=disk')
    await sees('Sign In to your account')
    expect(router.state.location.pathname).toBe('/login')
    expect(router.state.location.search).toEqual({ return_to: '/incidents?query=disk' })
    expect(links()).toEqual(['Reset password'])
  })

  it('leads to the sign-in when nothing but the first question, whose answer everything waits for, is refused', async () => {
    let asked = 0
    let refuse: () => void = () => undefined
    server.on('GET /api/auth/whoami', () => {
      const answer = new Response('Unauthorized', { status: 401 })
      asked += 1
      if (asked > 1) return answer
      // When the frame waits for it.
      return new Promise<Response>((resolve) => (refuse = () => resolve(answer)))
    })
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    await open('/incidents?query=disk')
    await until(() => asked === 1)
    for (let turns = 0; turns < 20; turns += 1) await act(turn)
    refuse()
    await sees('Sign In to your account')
    expect(router.state.location.search).toEqual({ return_to: '/incidents?query=disk' })
  })

  it('offers to reload when nobody answers for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    server.on('GET /api/auth/whoami', () => new Promise(() => undefined))
    await open('/playbooks/runs')
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    expect(container.querySelector('[aria-label="Loading Watchroom"]')).not.toBeNull()
    expect(container.querySelector('button')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(container.textContent).toContain('This takes longer than usual.')
    const reload = vi.fn<() => void>()
    vi.stubGlobal('location', { reload })
    await act(async () => container.querySelector('button')?.click())
    expect(reload).toHaveBeenCalledOnce()
  })

  it('goes on when the first answer about who is looking is lost', async () => {
    let asked = 0
    let lose: () => void = () => undefined
    server.on('GET /api/auth/whoami', () => {
      asked += 1
      if (asked > 1) return json({ payload: { user: { id: 'u1', name: 'Ana Ruiz' } } })
      return new Promise<Response>((_, reject) => (lose = () => reject(new TypeError('Failed to fetch'))))
    })
    await open('/playbooks/runs')
    await until(() => asked === 1)
    for (let turns = 0; turns < 20; turns += 1) await act(turn)
    lose()
    await sees('No data available')
    expect(asked).toBe(2)
  })

  it('says that a refusal of roles is an error where nobody signs in, and tries again on demand', async () => {
    const user = { id: '00000000-0000-0000-0000-000000000000', name: '' }
    server.on('GET /api/auth/whoami', () => json({ payload: { user } }))
    server.on('GET /api/db/people_roles', () => new Response('who are you?', { status: 401 }))
    await open('/playbooks/runs')
    await sees('who are you?')
    server.on('GET /api/db/people_roles', () => json([{ roles: ['editor'] }]))
    await act(async () => container.querySelector('button')?.click())
    await sees('No data available')
    expect(document.body.textContent).not.toContain('who are you?')
  })

  it('asks what is switched off while it asks who is looking, and once', async () => {
    let answer: (user: Response) => void = () => undefined
    server.on('GET /api/auth/whoami', () => new Promise<Response>((resolve) => (answer = resolve)))
    await open('/playbooks/runs')
    const asked = (): string[] => server.requests.filter((line) => line.includes('/api/properties'))
    await until(() => server.requests.includes('GET /api/auth/whoami') && asked().length > 0)
    expect(asked()).toHaveLength(1)
    answer(json({ payload: { user: { id: 'u1', name: 'Ana Ruiz' } } }))
    await sees('No data available')
    expect(asked()).toHaveLength(1)
  })

  it('leads to the sign-in once when several answers say that there is no session', async () => {
    const refuse = () => new Response('Unauthorized', { status: 401 })
    server.on('GET /api/auth/whoami', refuse)
    server.on('GET /api/properties', refuse)
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    await open('/incidents?query=disk')
    await sees('Sign In to your account')
    expect(router.state.location.search).toEqual({ return_to: '/incidents?query=disk' })
    expect(server.requests.filter((line) => line.includes('/self-service/login/browser'))).toHaveLength(1)
  })

  it('asks again what is switched off when the first answer failed', async () => {
    let answers = 0
    server.on('GET /api/properties', () => {
      answers += 1
      return answers === 1 ? json({ error: '', message: 'no database' }, 500) : json([])
    })
    await open('/playbooks/runs')
    await sees('No data available')
    expect(answers).toBeGreaterThan(1)
  })

  it('leaves a screen whose session ends while it is open', async () => {
    await open('/playbooks/runs')
    await sees('No data available')
    server.on('GET /api/db/', () => new Response('Session Expired', { status: 401 }))
    server.on('GET /api/db/people_roles', () => new Response('Session Expired', { status: 401 }))
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: 401 } }, 401))
    server.on('GET /api/.ory/self-service/login/browser', () => json(loginFlow()))
    const visited: string[] = []
    router.subscribe('onBeforeNavigate', ({ toLocation: { pathname, searchStr } }) =>
      visited.push(pathname + searchStr),
    )
    await act(async () => container.querySelector<HTMLElement>('button[aria-label="Refresh"]')?.click())
    await sees('Sign In to your account')
    expect(visited[0]).toBe('/auth-state-checker?return_to=%2Fplaybooks%2Fruns')
    expect(router.state.location.search).toEqual({ return_to: '/playbooks/runs' })
  })

  it('stays where nobody signs in: a refusal there is an error like any other', async () => {
    const user = { id: '00000000-0000-0000-0000-000000000000', name: '' }
    const refuse = () => new Response('who are you?', { status: 401 })
    let tellWho: (user: Response) => void = () => undefined
    // The refusal comes first.
    server.on('GET /api/auth/whoami', () => new Promise<Response>((resolve) => (tellWho = resolve)))
    server.on('GET /api/properties', refuse)
    await open('/playbooks/runs', { roles: ['editor'] })
    await until(() => server.requests.includes('GET /api/auth/whoami'))
    tellWho(json({ payload: { user } }))
    await sees('who are you?')
    server.on('GET /api/properties', () => json([]))
    server.on('GET /api/db/', refuse)
    await act(async () => container.querySelector('button')?.click())
    await sees('Playbooks')
    await sees('who are you?')
    expect(router.state.location.pathname).toBe('/playbooks/runs')
    expect(server.requests.filter((line) => line.includes('/.ory/'))).toEqual([])
  })

  it('asks for the roles anew at every screen: what was taken away lives on in no cache', async () => {
    await open('/playbooks/runs')
    await sees('No data available')
    server.on('GET /api/db/people_roles', () => json([{ roles: ['viewer'] }]))
    await act(() => router.navigate({ to: '/settings/connections' }))
    await sees('You do not have permission to access this page')
    expect(container.querySelector('h1')?.textContent).toBe('Unauthorized')
  })

  it('explains a server that fails, and tries again on demand', async () => {
    server.on('GET /api/auth/whoami', () => json({ error: '', message: 'Error fetching user' }, 500))
    await open('/playbooks/runs')
    await sees('Error fetching user')
    server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: 'Ana Ruiz' } } }))
    await act(async () => container.querySelector('button')?.click())
    await sees('No data available')
    expect(document.body.textContent).not.toContain('Error fetching user')
  })

  it('waits for the backend of an organization in hosted mode, and goes on when it is there', async () => {
    server.on('GET /api/auth/whoami', () => json({ error: 'no such instance' }, 404))
    server.on('GET /gateway/hosted/organizations', () =>
      json({ organizations: [{ id: 'acme', name: 'Acme', isChosen: true, isReady: false }] }),
    )
    await open('/playbooks/runs')
    await sees('Please wait, instance provisioning in-progress ...')
    expect(document.body.textContent).not.toContain('no such instance')
    server.on('GET /api/auth/whoami', () => json({ payload: { user: { id: 'u1', name: 'Ana Ruiz' } } }))
    await eventually(() => expect(document.body.textContent).toContain('No data available'))
  })

  it('collapses the sidebar to named icons and remembers it', async () => {
    await open('/playbooks/runs')
    await sees('No data available')
    await act(async () => container.querySelector<HTMLElement>('button[aria-label="Collapse sidebar"]')?.click())
    expect(localStorage.getItem('sidebarCollapsed')).toBe('{"v":1,"value":true}')
    expect(links()).not.toContain('Health')
    expect(container.querySelector('nav a[aria-label="Health"]')).not.toBeNull()
  })
})
