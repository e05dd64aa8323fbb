import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FRESH_MS } from '../../../../web/src/api/queryClient.ts'
import { AuthStateChecker } from '../../../../web/src/features/sign-in/screens/AuthStateChecker.tsx'
import { ProfileSettingsScreen } from '../../../../web/src/features/sign-in/screens/ProfileSettingsScreen.tsx'
import { RecoveryScreen } from '../../../../web/src/features/sign-in/screens/RecoveryScreen.tsx'
import { RegistrationScreen } from '../../../../web/src/features/sign-in/screens/RegistrationScreen.tsx'
import { VerificationScreen } from '../../../../web/src/features/sign-in/screens/VerificationScreen.tsx'
import { sectionsFlow } from './flows.ts'

let screen: RenderedScreen
let server: FakeServer
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (content: ReactNode, address: string): Promise<void> => {
  screen = await renderScreen(content, { address })
}
const text = () => screen.container.textContent
const link = (name: string) =>
  [...screen.container.querySelectorAll('a')].find(({ textContent }) => textContent === name)?.getAttribute('href')
function started(kind: string, ...groups: string[]): void {
  server.on(`GET /api/.ory/self-service/${kind}/browser`, () => json(sectionsFlow(groups)))
  server.on('GET /api/.ory/sessions', () => json([]))
}

const button = (name: string) => pageOf(screen.container).find('button', name)

/** Once the service has failed. */
async function tryAgain(): Promise<void> {
  await screen.waitFor(() => expect(text()).toContain('The service is away'))
  await screen.click(button('Try again'))
}

describe('the pages around a flow', () => {
  it.each([
    {
      kind: 'registration',
      content: <RegistrationScreen />,
      title: 'Create account',
      group: 'password',
      leads: 'Sign in',
    },
    { kind: 'recovery', content: <RecoveryScreen />, title: 'Recover account', group: 'code', leads: 'Go back' },
    {
      kind: 'verification',
      content: <VerificationScreen />,
      title: 'Verify your account',
      group: 'code',
      leads: 'Go back',
    },
  ])('$kind is called "$title", and "$leads" leads to the sign-in', async ({ kind, content, title, group, leads }) => {
    started(kind, group)
    await open(content, `/${kind}`)
    await screen.waitFor(() => expect(text()).toContain(`Field of ${group}`))
    expect(screen.container.querySelector('h1')?.textContent).toBe(title)
    expect(link(leads)).toBe('/login')
  })

  it.each([
    { kind: 'registration', content: <RegistrationScreen />, leads: 'Sign in' },
    { kind: 'recovery', content: <RecoveryScreen />, leads: 'Go back' },
  ])('$kind takes where someone was going along to the sign-in', async ({ kind, content, leads }) => {
    started(kind, 'code')
    await open(content, `/${kind}?return_to=%2Fincidents%2F1`)
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    expect(link(leads)).toBe('/login?return_to=%2Fincidents%2F1')
    await screen.close()
    // After a detour by the service's own addresses only its flow remembers.
    server.on(`GET /api/.ory/self-service/${kind}/flows`, () =>
      json({ ...sectionsFlow(['code']), return_to: '/incidents/2' }),
    )
    await open(content, `/${kind}?flow=flow-1`)
    await screen.waitFor(() => expect(link(leads)).toBe('/login?return_to=%2Fincidents%2F2'))
  })

  it.each([
    ['?return_to=%2Fprofile-settings', {}, '/profile-settings'],
    ['?flow=flow-1', { return_to: '/profile-settings' }, '/profile-settings'],
    ['?return_to=https%3A%2F%2Fevil.example', {}, '/'],
    ['', {}, '/login'],
  ])('"Go back" of a verification at "%s" leads to where someone came from', async (address, remembered, target) => {
    started('verification', 'code')
    server.on('GET /api/.ory/self-service/verification/flows', () => json({ ...sectionsFlow(['code']), ...remembered }))
    await open(<VerificationScreen />, `/verification${address}`)
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    expect(link('Go back')).toBe(target)
  })
})

describe('a field that the service fixes', () => {
  it('is read only, says why, and is sent as it is', async () => {
    const REASON = 'Your invitation is for this address.'
    const sent: unknown[] = []
    const form = sectionsFlow(['profile'])
    const [field, button] = form.ui.nodes
    const fixed = {
      ...field,
      attributes: { ...field?.attributes, value: 'ina@harbour.example', disabled: true },
      messages: [{ id: 1, text: REASON, type: 'info' }],
    }
    const flow = { ...form, ui: { ...form.ui, nodes: [fixed, button] } }
    server.on('GET /api/.ory/self-service/registration/browser', () => json(flow))
    server.on('POST /api/.ory/self-service/registration?flow=flow-1', (_url, { body }) => {
      sent.push(JSON.parse(body as string))
      return json(flow)
    })
    await open(<RegistrationScreen />, '/registration?invitation=token')
    await screen.waitFor(() => expect(text()).toContain(REASON))
    const input = screen.container.querySelector('input')
    expect([input?.readOnly, input?.disabled, input?.value]).toEqual([true, false, 'ina@harbour.example'])
    expect(document.getElementById(input?.getAttribute('aria-describedby') ?? '')?.textContent).toBe(REASON)
    await screen.click(screen.container.querySelector('button[type=submit]'))
    await screen.waitFor(() => expect(sent).toEqual([{ field_of_profile: 'ina@harbour.example', method: 'profile' }]))
  })

  it('is in no form that is not offered, which says why there is none', async () => {
    const REASON = 'Accounts are made by administrators here. Ask one of them.'
    const form = sectionsFlow([])
    const flow = { ...form, ui: { ...form.ui, messages: [{ id: 1, text: REASON, type: 'info' }] } }
    server.on('GET /api/.ory/self-service/registration/browser', () => json(flow))
    await open(<RegistrationScreen />, '/registration')
    await screen.waitFor(() => expect(text()).toContain(REASON))
    expect(screen.container.querySelector('button')).toBeNull()
    expect(link('Sign in')).toBe('/login')
  })
})

describe('a form that a mail belongs to', () => {
  const START = 'GET /api/.ory/self-service/recovery/browser'
  const READ = 'GET /api/.ory/self-service/recovery/flows'
  const SUBMIT = 'POST /api/.ory/self-service/recovery?flow=flow-1'
  const asked = (call: string) => server.requests.filter((line) => line.startsWith(call))
  const sentTo = (state: string, group: string) => json({ ...sectionsFlow([group]), state })

  async function askForCode(answer: () => Response | Promise<Response>): Promise<void> {
    server.on(START, () => sentTo('choose_method', 'link'))
    server.on(SUBMIT, answer)
    await open(<RecoveryScreen />, '/recovery?return_to=%2Fincidents%2F1')
    await screen.waitFor(() => expect(text()).toContain('Field of link'))
    expect(screen.search()).toBe('?return_to=%2Fincidents%2F1')
    await screen.click(button('Save link'))
  }

  it('is there again after a reload', async () => {
    await askForCode(() => sentTo('sent_email', 'code'))
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    expect(screen.search()).toBe('?flow=flow-1&return_to=%2Fincidents%2F1')
    // It is in hand: nothing is asked for until the page is opened anew.
    expect(asked(READ)).toEqual([])
    await screen.close()

    server.on(READ, () => sentTo('sent_email', 'code'))
    await open(<RecoveryScreen />, '/recovery?return_to=%2Fincidents%2F1&flow=flow-1')
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    expect(asked(START)).toHaveLength(1)
  })

  it('is where the service left it when the answer was lost', async () => {
    await askForCode(() => Promise.reject(new TypeError('Failed to fetch')))
    await screen.waitFor(() => expect(text()).toContain('Network Error. Please try again.'))
    server.on(READ, () => sentTo('sent_email', 'code'))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    expect(text()).not.toContain('Network Error')
    // Another mail would make the first one worthless, another flow both.
    expect([asked(START).length, asked(SUBMIT).length]).toEqual([1, 1])
    expect(screen.search()).toContain('flow=flow-1')
  })

  it('gives way to the form that the service leads to once its link was used', async () => {
    await askForCode(() => sentTo('sent_email', 'link'))
    await screen.waitFor(() => expect(screen.search()).toContain('flow=flow-1'))
    const { origin } = window.location
    vi.spyOn(window.location, 'href', 'get').mockReturnValue(`${origin}/recovery${screen.search()}`)
    // A redirect to the page, which is there for people alone.
    server.on(SUBMIT, () =>
      Object.defineProperty(json({ error: 'There is nothing here' }, 404), 'url', {
        value: `${origin}/recovery?flow=flow-2`,
      }),
    )
    const said = { text: 'The request was already completed.', type: 'error' } as const
    server.on(`${READ}?id=flow-2`, () => json({ ...sectionsFlow(['link'], said), id: 'flow-2' }))
    await screen.click(button('Save link'))
    await screen.waitFor(() => expect(text()).toContain(said.text))
    expect(text()).not.toContain('There is nothing here')
    expect(screen.search()).toBe('?flow=flow-2&return_to=%2Fincidents%2F1')
    expect(asked(START)).toHaveLength(1)
  })

  it('begins anew once it has expired', async () => {
    await askForCode(() => sentTo('sent_email', 'code'))
    await screen.waitFor(() => expect(text()).toContain('Field of code'))
    server.on(SUBMIT, () => json({ error: { id: 'self_service_flow_expired' } }, 410))
    await screen.click(button('Save code'))
    await screen.waitFor(() => expect(text()).toContain('Your interaction expired'))
    await screen.waitFor(() => expect(text()).toContain('Field of link'))
    expect(screen.search()).toBe('?return_to=%2Fincidents%2F1')
    expect([asked(START).length, asked(READ).length]).toEqual([2, 0])
  })
})

describe('/profile-settings', () => {
  const GROUPS = ['profile', 'password', 'oidc', 'lookup_secret', 'totp', 'webauthn']
  const SECTIONS = [
    'Profile Settings',
    'Change Password',
    'Manage Social Sign In',
    'Manage 2FA Backup Recovery Codes',
    'Manage 2FA TOTP Authenticator App',
    'Manage Hardware Tokens and Biometrics',
  ]
  const headings = () => [...screen.container.querySelectorAll('h2')].map(({ textContent }) => textContent)

  it('leads back to where someone was going before they had to recover', async () => {
    server.on('GET /api/.ory/self-service/settings/flows', () =>
      json({ ...sectionsFlow(['password']), return_to: '/incidents/1' }),
    )
    server.on('GET /api/.ory/sessions', () => json([]))
    await open(<ProfileSettingsScreen />, '/profile-settings?flow=flow-1')
    await screen.waitFor(() => expect(link('Go back')).toBe('/incidents/1'))
  })

  it('has the sections of the specification in their order, without what the service does not offer', async () => {
    started('settings', ...GROUPS, 'passkey')
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(headings()).toEqual([...SECTIONS, 'Your Sessions']))
    const forms = [...screen.container.querySelectorAll('form')].map((form) => form.getAttribute('aria-label'))
    expect(forms).toEqual([...SECTIONS.slice(0, -1), 'Security keys', 'Passkeys'])
    await screen.close()
    started('settings', 'password')
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(headings()).toEqual(['Change Password', 'Your Sessions']))
  })

  it('reads the sessions again when they could not be read', async () => {
    const device = { id: 'd', ip_address: '192.0.2.1', user_agent: 'Firefox/1' }
    const session = { id: 's1', identity: { id: 'p1' }, devices: [device] }
    // First: the path of the other sessions is the beginning of this one.
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { message: 'The service is away' } }, 502))
    started('settings', 'password')
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(text()).toContain('Could not load your sessions'))
    server.on('GET /api/.ory/sessions/whoami', () => json(session))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(text()).toContain('Firefox at 192.0.2.1'))
  })

  it.each([
    { hostname: '127.0.0.1', words: 'Open Watchroom by its name, such as localhost, to use them.' },
    { hostname: '192.0.2.7', words: 'Open Watchroom by its name to use them.' },
  ])('says at $hostname why no keys are offered', async ({ hostname, words }) => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue(hostname)
    started('settings', 'password')
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(headings()).toContain('Manage Hardware Tokens and Biometrics'))
    expect(text()).toContain(words)
  })

  it.each([
    ['/profile-settings?return_to=%2Fhealth%3FcheckId%3D1', '/health?checkId=1'],
    ['/profile-settings?return_to=https%3A%2F%2Fevil.example', '/'],
    ['/profile-settings', '/'],
  ])('"Go back" leads from %s to %s', async (address, target) => {
    started('settings', 'profile')
    await open(<ProfileSettingsScreen />, address)
    expect(link('Go back')).toBe(target)
  })

  it('shows what was saved for ten seconds', async () => {
    started('settings', 'profile')
    server.on('POST /api/.ory/self-service/settings', () =>
      json(sectionsFlow(['profile'], { text: 'Your changes have been saved!', type: 'success' })),
    )
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(text()).toContain('Field of profile'))
    await act(async () => {
      const form = screen.container.querySelector('form')
      form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    await screen.waitFor(() => expect(text()).toContain('Your changes have been saved!'))
    await screen.advance(9_999)
    expect(text()).toContain('Your changes have been saved!')
    await screen.advance(1)
    expect(text()).not.toContain('Your changes have been saved!')
  })

  it('forgets what was typed once it is saved, and keeps what another section holds', async () => {
    started('settings', 'profile', 'password')
    const answers: ('success' | 'error')[] = ['error', 'success']
    server.on('POST /api/.ory/self-service/settings', () =>
      json(sectionsFlow(['profile', 'password'], { text: 'Said.', type: answers.shift() ?? 'error' })),
    )
    await open(<ProfileSettingsScreen />, '/profile-settings')
    const field = (group: string) => screen.container.querySelector<HTMLInputElement>(`[name="field_of_${group}"]`)
    await screen.waitFor(() => expect(field('password')).not.toBeNull())
    await screen.type(field('password'), 'a sentence to remember')
    await screen.type(field('profile'), 'Ada')
    const save = () =>
      act(async () => {
        const form = field('password')?.closest('form')
        form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
      })
    await save()
    await screen.waitFor(() => expect(text()).toContain('Said.'))
    expect(field('password')?.value).toBe('a sentence to remember')
    await save()
    await screen.waitFor(() => expect(field('password')?.value).toBe(''))
    expect(field('profile')?.value).toBe('Ada')
  })

  it('comes back from a confirmation to the same form, and says that the change is not saved yet', async () => {
    started('settings', 'profile')
    server.on('POST /api/.ory/self-service/settings', () =>
      json({ error: { id: 'session_refresh_required', message: 'Too long ago' } }, 403),
    )
    vi.spyOn(window.location, 'href', 'get').mockReturnValue(
      'http://watchroom.test/profile-settings?return_to=%2Fhealth',
    )
    await open(<ProfileSettingsScreen />, '/profile-settings?return_to=%2Fhealth')
    await screen.waitFor(() => expect(text()).toContain('Field of profile'))
    await act(async () => {
      const form = screen.container.querySelector('form')
      form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    const back = '/profile-settings?return_to=%2Fhealth&flow=flow-1&confirmed=true'
    await screen.waitFor(() => expect(screen.path()).toBe('/login'))
    expect(new URLSearchParams(screen.search()).get('return_to')).toBe(back)
    expect(screen.search()).toContain('refresh=true')
    await screen.close()

    server.on('GET /api/.ory/self-service/settings/flows', () => json(sectionsFlow(['profile'])))
    server.on('POST /api/.ory/self-service/settings', () =>
      json(sectionsFlow(['profile'], { text: 'Your changes have been saved!', type: 'success' })),
    )
    await open(<ProfileSettingsScreen />, back)
    await screen.waitFor(() => expect(text()).toContain('Confirmed. Save again to apply your change.'))
    await act(async () => {
      const form = screen.container.querySelector('form')
      form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    await screen.waitFor(() => expect(text()).toContain('Your changes have been saved!'))
    expect(text()).not.toContain('Confirmed.')
    await screen.close()

    server.on('GET /api/.ory/self-service/settings/flows', () =>
      json({ ...sectionsFlow(['profile']), state: 'success' }),
    )
    await open(<ProfileSettingsScreen />, back)
    await screen.waitFor(() => expect(text()).toContain('Field of profile'))
    expect(text()).not.toContain('Confirmed.')
  })

  it.each([
    ['at the first try', 0],
    ['at the second try', 1],
  ])('says which address is not verified, also when it was only just changed, %s', async (_when, failures) => {
    let address = { value: 'ada@example.org', verified: true }
    // First: the path of the other sessions is the beginning of this one.
    server.on('GET /api/.ory/sessions/whoami', () =>
      json({
        id: 's1',
        identity: {
          id: 'p1',
          traits: { email: address.value, name: { first: 'Ada', last: 'Byron' } },
          verifiable_addresses: [{ ...address, id: 'p1', via: 'email', status: '' }],
        },
      }),
    )
    started('settings', 'profile')
    server.on('GET /api/.ory/self-service/settings/flows', () => json(sectionsFlow(['profile'])))
    let tries = 0
    server.on('POST /api/.ory/self-service/settings', () => {
      tries += 1
      if (tries <= failures) return json({ error: { message: 'The service is away' } }, 502)
      address = { value: 'ada@harbour.example', verified: false }
      return json(sectionsFlow(['profile'], { text: 'Your changes have been saved!', type: 'success' }))
    })
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect(text()).toContain('This browser'))
    expect(text()).not.toContain('is not verified yet')
    await act(async () => {
      const form = screen.container.querySelector('form')
      form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    if (failures > 0) await tryAgain()
    await screen.waitFor(() => expect(text()).toContain('ada@harbour.example is not verified yet.'))
    expect(link('Verify this address')).toBe('/verification?return_to=%2Fprofile-settings')
  })

  it('knows on the way back from a verification that the address is verified', async () => {
    const address = { id: 'p1', value: 'ada@example.org', via: 'email', status: '', verified: false }
    server.on('GET /api/.ory/sessions/whoami', () =>
      json({
        id: 's1',
        identity: {
          id: 'p1',
          traits: { email: address.value, name: { first: 'Ada', last: 'Byron' } },
          verifiable_addresses: [address],
        },
      }),
    )
    started('settings', 'profile')
    await open(<ProfileSettingsScreen key="before" />, '/profile-settings')
    await screen.waitFor(() => expect(text()).toContain('is not verified yet'))
    address.verified = true
    // As the product's own client has it: what was read a moment ago counts as fresh.
    screen.queryClient.setDefaultOptions({ queries: { retry: false, staleTime: FRESH_MS.default } })
    await screen.rerender(<ProfileSettingsScreen key="after" />)
    await screen.waitFor(() => expect(text()).toContain('This browser'))
    await screen.waitFor(() => expect(text()).not.toContain('is not verified yet'))
  })

  it.each([
    { id: 'session_inactive', status: 401, search: '?return_to=%2F' },
    { id: 'session_aal2_required', status: 403, search: '?aal=aal2&return_to=%2F' },
  ])('leads to the sign-in when the service answers $id', async ({ id, status, search }) => {
    server.on('GET /api/.ory/self-service/settings/browser', () => json({ error: { id, message: id } }, status))
    await open(<ProfileSettingsScreen />, '/profile-settings')
    await screen.waitFor(() => expect([screen.path(), screen.search()]).toEqual(['/login', search]))
  })
})

describe('/auth-state-checker', () => {
  it.each([
    { status: 401, path: '/login', search: '?return_to=%2Fincidents%3Fquery%3Ddisk' },
    { status: 403, path: '/login', search: '?aal=aal2&return_to=%2Fincidents%3Fquery%3Ddisk' },
    { status: 422, path: '/login', search: '?aal=aal2&return_to=%2Fincidents%3Fquery%3Ddisk' },
  ])('leads on when the session check answers $status', async ({ status, path, search }) => {
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { code: status } }, status))
    await open(<AuthStateChecker />, '/auth-state-checker?return_to=%2Fincidents%3Fquery%3Ddisk')
    await screen.waitFor(() => expect([screen.path(), screen.search()]).toEqual([path, search]))
  })

  it('says why the session cannot be checked, and tries again on demand', async () => {
    server.on('GET /api/.ory/sessions/whoami', () => json({ error: { message: 'The service is away' } }, 502))
    await open(<AuthStateChecker />, '/auth-state-checker?return_to=%2Fincidents')
    await screen.waitFor(() => expect(text()).toContain('The service is away'))
    server.on('GET /api/.ory/sessions/whoami', () => json({}, 401))
    await screen.click(screen.container.querySelector('button'))
    await screen.waitFor(() => expect(screen.path()).toBe('/login'))
  })
})
