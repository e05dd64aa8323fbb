import type { Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { AccessToken } from '@watchroom/shared/people'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dialog, fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { AccessTokensScreen } from '../../../../web/src/features/access-tokens/AccessTokensScreen.tsx'

const DEPLOY: AccessToken = {
  id: 't1',
  name: 'deploy',
  role: null,
  createdAt: '2025-12-01T00:00:00Z',
  expiresAt: null,
  lastUsedAt: '2025-12-31T23:00:00Z',
}

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
let tokens: AccessToken[]
const bodies: unknown[] = []

beforeEach(() => {
  tokens = [DEPLOY]
  toasts.length = 0
  bodies.length = 0
  server = createFakeServer()
  server.on('GET /api/auth/tokens', () => json(tokens))
  server.on('POST /api/auth/tokens', (_url, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    tokens = [...tokens, { ...DEPLOY, id: 't2', name: 'backup' }]
    return json({ id: 't2', access_token: 'wr_shown_once' }, 201)
  })
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(role: Role = 'editor', userId = 'user-1'): Promise<void> {
  screen = await renderScreen(<AccessTokensScreen />, { address: '/settings/access-tokens', roles: [role], userId })
  await screen.waitFor(() => expect(server.requests).toContain('GET /api/auth/tokens'))
}
const said = (): string => document.body.textContent
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].findLast(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const choices = (label: string): (string | null)[] =>
  [...(fieldOf(label)?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)

async function openForm(role?: Role): Promise<void> {
  await open(role)
  await screen.click(button('Create access token'))
  await screen.waitFor(() => expect(fieldOf('Name')).not.toBeNull())
}

describe('access tokens', () => {
  it('are listed with what they may and when they were last used, never with the token', async () => {
    await open()
    await screen.waitFor(() => expect(said()).toContain('deploy'))
    for (const text of ['Name', 'Role', 'Last used', 'Expires', 'Created', 'yours']) expect(said()).toContain(text)
  })

  it('are none at first, and the page says what they are for', async () => {
    tokens = []
    await open('viewer')
    await screen.waitFor(() => expect(said()).toContain('You have no access tokens.'))
    expect(said()).toContain('Scripts sign in with HTTP Basic')
  })

  it('say why they cannot be listed', async () => {
    server.on('GET /api/auth/tokens', () => json({ error: 'no database' }, 500))
    await open()
    await screen.waitFor(() => expect(said()).toContain('no database'))
  })

  it('are nobody’s where nobody signs in', async () => {
    const error = 'This needs an account of your own, and nobody signs in here'
    server.on('GET /api/auth/tokens', () => json({ error, code: 'PROXY_PERSON_REQUIRED' }, 403))
    await open('editor', NIL_UUID)
    await screen.waitFor(() => expect(said()).toContain(error))
    expect(button('Create access token')).toBeNull()
  })

  it('need a name', async () => {
    await openForm()
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('This field is required'))
    expect(bodies).toEqual([])
  })

  it.each<[Role, Role[]]>([
    ['admin', ['admin', 'editor', 'commander', 'responder', 'viewer']],
    ['responder', ['responder', 'viewer']],
    ['viewer', ['viewer']],
  ])('do no more than their owner: a %s chooses among %s', async (role, offered) => {
    await openForm(role)
    expect(choices('Role')).toEqual(offered)
  })

  it('are shown once, when they are made, and stand in the list then', async () => {
    await openForm()
    await setField(fieldOf('Name'), 'backup')
    await submit(screen)
    await screen.waitFor(() => expect(dialog()?.textContent).toContain('wr_shown_once'))
    expect(bodies).toEqual([{ name: 'backup', role: 'editor', days: 90 }])
    await screen.click(button('Done'))
    await screen.waitFor(() => expect(dialog()).toBeNull())
    expect(said()).not.toContain('wr_shown_once')
    await screen.waitFor(() => expect(said()).toContain('backup'))
  })

  it('are made for less than their owner may, and for ever, where that is chosen', async () => {
    await openForm()
    await setField(fieldOf('Name'), 'backup')
    await setField(fieldOf('Role'), 'viewer')
    await setField(fieldOf('Expires after'), 'never')
    await submit(screen)
    await screen.waitFor(() => expect(bodies).toEqual([{ name: 'backup', role: 'viewer', days: null }]))
  })

  it('keep what was typed when they are refused', async () => {
    const reason = 'You have too many access tokens: revoke one first.'
    server.on('POST /api/auth/tokens', () => json({ error: reason }, 409))
    await openForm()
    await setField(fieldOf('Name'), 'deploy')
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual([`error: ${reason}`]))
    const message = 'You have an access token named deploy already.'
    server.on('POST /api/auth/tokens', () => json({ error: message, details: [{ field: 'name', message }] }, 409))
    await submit(screen)
    await screen.waitFor(() => expect(fieldOf('Name')?.getAttribute('aria-invalid')).toBe('true'))
    expect(document.body.textContent).toContain(message)
    expect(toasts).toHaveLength(1)
    expect(fieldOf('Name')).toHaveProperty('value', 'deploy')
  })

  it('are revoked after a question', async () => {
    server.on('DELETE /api/auth/tokens/t1', () => {
      tokens = []
      return json(undefined, 204)
    })
    await open()
    await screen.waitFor(() => expect(button('Actions for deploy')).not.toBeNull())
    await screen.click(button('Actions for deploy'))
    await screen.waitFor(() => expect(button('Revoke')).not.toBeNull())
    await screen.click(button('Revoke'))
    await screen.waitFor(() => expect(said()).toContain('Scripts that use it stop working at once.'))
    await screen.click(button('Revoke token'))
    await screen.waitFor(() => expect(toasts).toEqual(['deploy revoked']))
    await screen.waitFor(() => expect(said()).toContain('You have no access tokens.'))
  })

  it('stay when they cannot be revoked, with the reason', async () => {
    server.on('DELETE /api/auth/tokens/t1', () => json({ error: 'There is no such token' }, 404))
    await open()
    await screen.waitFor(() => expect(button('Actions for deploy')).not.toBeNull())
    await screen.click(button('Actions for deploy'))
    await screen.waitFor(() => expect(button('Revoke')).not.toBeNull())
    await screen.click(button('Revoke'))
    await screen.click(button('Revoke token'))
    await screen.waitFor(() => expect(said()).toContain('There is no such token'))
    expect(toasts).toEqual([])
  })
})
