import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { LoginScreen } from '../../../../web/src/features/sign-in/screens/LoginScreen.tsx'
import { loginFlow } from './flows.ts'

const START = 'GET /api/.ory/self-service/login/browser'
const SUBMIT = 'POST /api/.ory/self-service/login?flow='

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function open(address: string, prepare: (server: FakeServer) => void = () => undefined): Promise<void> {
  server = createFakeServer()
  server.on(START, () => json(loginFlow()))
  prepare(server)
  screen = await renderScreen(<LoginScreen />, { address })
}

const field = (name: string) => screen.container.querySelector<HTMLInputElement>(`input[name="${name}"]`)
const text = () => screen.container.textContent

/** The client always sends JSON text. */
const bodyOf = (init: RequestInit): unknown => JSON.parse(typeof init.body === 'string' ? init.body : '')

async function submit(): Promise<void> {
  await act(async () => {
    const form = screen.container.querySelector('form')
    form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  })
}

async function fillIn(identifier: string, password: string): Promise<void> {
  await screen.waitFor(() => expect(field('identifier')).not.toBeNull())
  await screen.type(field('identifier'), identifier)
  await screen.type(field('password'), password)
}

describe('LoginScreen', () => {
  it('shows what the service asks for, in inputs that password managers know', async () => {
    await open('/login')
    await screen.waitFor(() => expect(field('password')).not.toBeNull())
    expect(text()).toContain('Sign In to your account')
    expect(field('identifier')?.autocomplete).toBe('username')
    expect(field('password')?.type).toBe('password')
    expect(field('password')?.autocomplete).toBe('current-password')
    expect(field('csrf_token')).toBeNull()
  })

  it('sends the values of all inputs and the pressed method', async () => {
    let sent: unknown
    await open('/login', (fake) =>
      fake.on(SUBMIT, (_url, init) => {
        sent = bodyOf(init)
        return json({ session: {} })
      }),
    )
    await fillIn('ana@harbour.example', 'secret')
    await submit()
    await screen.waitFor(() =>
      expect(sent).toEqual({
        csrf_token: 'csrf-of-flow-1',
        identifier: 'ana@harbour.example',
        password: 'secret',
        method: 'password',
      }),
    )
  })

  it('offers an account elsewhere in a form of its own, which asks for nothing twice', async () => {
    let sent: unknown
    server = createFakeServer()
    server.on(START, () => json(loginFlow({ provider: 'corp' })))
    server.on(SUBMIT, (_url, init) => {
      sent = bodyOf(init)
      return json(loginFlow({ provider: 'corp', message: 'corp does not answer.' }), 400)
    })
    screen = await renderScreen(<LoginScreen />, { address: '/login' })
    await screen.waitFor(() => expect(screen.container.querySelectorAll('form')).toHaveLength(2))
    expect(screen.container.querySelectorAll('input')).toHaveLength(2)
    await screen.click(screen.container.querySelector('form[aria-label="Other ways to sign in"] button'))
    await screen.waitFor(() => expect(text()).toContain('corp does not answer.'))
    expect(sent).toEqual({ csrf_token: 'csrf-of-flow-1', provider: 'corp' })
  })

  it('says at an IP address why no key stands in for the second factor', async () => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue('192.0.2.7')
    await open('/login?aal=aal2')
    expect(text()).toContain('Security keys and passkeys need a host name')
  })

  it('keeps what was typed when the form comes back with remarks, and moves the focus to them', async () => {
    await open('/login', (fake) =>
      fake.on(SUBMIT, () => json(loginFlow({ message: 'Not correct.', passwordError: 'Too short.' }), 400)),
    )
    await fillIn('ana@harbour.example', 'x')
    await submit()
    await screen.waitFor(() => expect(screen.container.querySelector('[role="alert"]')).not.toBeNull())
    const alert = screen.container.querySelector('[role="alert"]')
    expect(alert?.textContent).toContain('Not correct.')
    expect(alert?.textContent).toContain('Password: Too short.')
    expect(document.activeElement).toBe(alert)
    expect(field('identifier')?.value).toBe('ana@harbour.example')
    expect(field('password')?.value).toBe('x')
    expect(field('password')?.getAttribute('aria-invalid')).toBe('true')
    const described = field('password')?.getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('Too short.')
  })

  it('begins again when the form has expired, says so, and keeps what was typed', async () => {
    await open('/login', (fake) => fake.on(SUBMIT, () => json({ error: { id: 'self_service_flow_expired' } }, 410)))
    await fillIn('ana@harbour.example', 'x')
    server.on(START, () => json(loginFlow({ id: 'flow-2' })))
    await submit()
    await screen.waitFor(() => expect(text()).toContain('Your interaction expired, please fill out the form again.'))
    expect(server.requests.filter((line) => line.startsWith(START))).toHaveLength(2)
    expect(field('identifier')?.value).toBe('ana@harbour.example')
  })

  it('offers to reset the password from the start, but not to whoever is half signed in', async () => {
    await open('/login')
    await screen.waitFor(() => expect(field('password')).not.toBeNull())
    expect(screen.container.querySelector('a[href="/recovery"]')?.textContent).toBe('Reset password')
    expect(server.requests.join()).not.toContain('recovery')
    for (const address of ['/login?aal=aal2', '/login?refresh=true']) {
      await screen.close()
      await open(address)
      expect(text()).not.toContain('Reset password')
    }
  })

  it.each([
    { address: '/login?aal=aal2', title: 'Two-Factor Authentication' },
    { address: '/login?refresh=true', title: 'Confirm Action' },
  ])('is called $title at $address', async ({ address, title }) => {
    await open(address)
    expect(text()).toContain(title)
    expect(server.requests[0]).toContain(address.split('?')[1])
  })

  it('signs in by itself with a name and password from the address, once, and takes them out of it', async () => {
    const bodies: unknown[] = []
    await open('/login?username=ana&password=secret', (fake) =>
      fake.on(SUBMIT, (_url, init) => {
        bodies.push(bodyOf(init))
        return json(loginFlow({ message: 'Not correct.' }), 400)
      }),
    )
    await screen.waitFor(() => expect(text()).toContain('Not correct.'))
    expect(bodies).toEqual([
      { csrf_token: 'csrf-of-flow-1', identifier: 'ana', password: 'secret', method: 'password' },
    ])
    expect(screen.search()).toBe('')
  })

  it('stops asking a service that always wants to start again', async () => {
    await open('/login', (fake) => fake.on(START, () => json({ error: { id: 'security_csrf_violation' } }, 403)))
    await screen.waitFor(() => expect(text()).toContain('keeps restarting'))
    const asked = server.requests.length
    await screen.advance(60_000)
    expect(server.requests.length).toBe(asked)
    expect(asked).toBeLessThan(12)
  })

  it('says what is wrong and offers another try when the service does not answer', async () => {
    await open('/login', (fake) => fake.on(START, () => Promise.reject(new TypeError('Failed to fetch'))))
    await screen.waitFor(() => expect(text()).toContain('Network Error. Please try again.'))
    server.on(START, () => json(loginFlow()))
    await screen.click(screen.container.querySelector('button'))
    await screen.waitFor(() => expect(field('identifier')).not.toBeNull())
    expect(text()).not.toContain('Network Error')
  })
})
