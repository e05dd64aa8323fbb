import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { LoginScreen } from '../../../../web/src/features/sign-in/screens/LoginScreen.tsx'
import { loginFlow, sectionsFlow } from './flows.ts'

const START = 'GET /api/.ory/self-service/login/browser'
const READ = 'GET /api/.ory/self-service/login/flows'
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

const button = (name: string) => pageOf(screen.container).find('button', name)

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

  it.each(['totp', 'lookup_secret'])('means by Enter the method whose field has the focus: %s', async (group) => {
    const sent: unknown[] = []
    await open('/login?aal=aal2', (fake) => {
      fake.on(START, () => json(sectionsFlow(['totp', 'lookup_secret'])))
      fake.on(SUBMIT, (_url, init) => {
        sent.push(bodyOf(init))
        return json(sectionsFlow(['totp', 'lookup_secret']))
      })
    })
    await screen.waitFor(() => expect(field(`field_of_${group}`)).not.toBeNull())
    await screen.type(field(`field_of_${group}`), 'code')
    const first = screen.container.querySelector<HTMLElement>('button[type=submit]')
    await act(async () => {
      field(`field_of_${group}`)?.focus()
      // As browsers do: the first button of the form.
      const submitter = { bubbles: true, cancelable: true, submitter: first }
      screen.container.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', submitter))
    })
    await screen.waitFor(() => expect(sent).toMatchObject([{ method: group, [`field_of_${group}`]: 'code' }]))
  })

  it('offers nothing beside an invitation that was opened', async () => {
    await open('/login', (fake) => fake.on(START, () => json(sectionsFlow(['link']))))
    await screen.waitFor(() => expect(text()).toContain('Save link'))
    expect(text()).not.toContain('Reset password')
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

  it('says that someone may still be signed in, and ends the session with another try', async () => {
    const left: string[] = []
    vi.spyOn(window.location, 'assign').mockImplementation((address) => void left.push(String(address)))
    const logout = 'GET /api/.ory/self-service/logout'
    await open('/login?error_code=SIGN_OUT_FAILED&return_to=%2Fhealth', (fake) => {
      fake.on(`${logout}/browser`, () => json({ error: { message: 'The service is away.' } }, 503))
    })
    expect(text()).toContain('You may still be signed in')
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(text()).toContain('The service is away.'))
    server.on(`${logout}/browser`, () => json({ logout_token: 'lt', logout_url: '/out' }))
    server.on(`${logout}?token=lt`, () => json(undefined, 204))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(left).toEqual(['/login?return_to=%2Fhealth']))
    // A sign-in would lead back into the product at once.
    expect(server.requests.filter((line) => line.startsWith(START))).toEqual([])
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

  it('lets people try as often as they like while the service is away', async () => {
    const away = () => Promise.reject(new TypeError('Failed to fetch'))
    await open('/login', (fake) => fake.on(START, away))
    for (let tries = 1; tries <= 10; tries += 1) {
      await screen.waitFor(() => expect(text()).toContain('Network Error. Please try again.'))
      if (tries === 10) server.on(START, () => json(loginFlow()))
      await screen.click(screen.container.querySelector('button'))
    }
    await screen.waitFor(() => expect(field('identifier')).not.toBeNull())
    expect(server.requests.filter((line) => line.startsWith(START))).toHaveLength(11)
  })

  it('counts the new beginnings of a page that stays open for days, one at a time', async () => {
    await open('/login', (fake) => fake.on(SUBMIT, () => json({ error: { id: 'self_service_flow_expired' } }, 410)))
    await fillIn('ana@harbour.example', 'x')
    for (let times = 1; times <= 10; times += 1) {
      await submit()
      await screen.waitFor(() =>
        expect(server.requests.filter((line) => line.startsWith(START))).toHaveLength(times + 1),
      )
    }
    expect(text()).not.toContain('keeps restarting')
  })

  it('sends the same form again after an answer that was lost, and starts nothing over', async () => {
    const sent: unknown[] = []
    await open('/login', (fake) => {
      fake.on(READ, () => json(loginFlow()))
      fake.on(SUBMIT, (_url, init) => {
        sent.push(bodyOf(init))
        return sent.length === 1
          ? Promise.reject(new TypeError('Failed to fetch'))
          : json(loginFlow({ message: 'Not correct.' }), 400)
      })
    })
    await fillIn('ana@harbour.example', 'x')
    await submit()
    await screen.waitFor(() => expect(text()).toContain('Network Error. Please try again.'))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(text()).toContain('Not correct.'))
    expect(text()).not.toContain('Network Error')
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    expect(server.requests.filter((line) => line.startsWith(START))).toHaveLength(1)
  })

  it('takes where someone was going along to the recovery', async () => {
    await open('/login?return_to=%2Fincidents%2F1')
    await screen.waitFor(() => expect(field('password')).not.toBeNull())
    const link = [...screen.container.querySelectorAll('a')].find((one) => one.textContent === 'Reset password')
    expect(link?.getAttribute('href')).toBe('/recovery?return_to=%2Fincidents%2F1')
  })
})
