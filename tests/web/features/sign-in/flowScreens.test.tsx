import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

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
