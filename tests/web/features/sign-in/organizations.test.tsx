import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { OrganizationsScreen } from '../../../../web/src/features/sign-in/screens/OrganizationsScreen.tsx'
import { OrganizationSwitchedScreen } from '../../../../web/src/features/sign-in/screens/OrganizationSwitchedScreen.tsx'

const LIST = 'GET /gateway/hosted/organizations'
const CHOOSE = 'POST /gateway/hosted/organization'

const ACME = { id: 'acme', name: 'Acme', isChosen: true, isReady: true }
const GLOBEX = { id: 'globex', name: 'Globex', isChosen: false, isReady: false }

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.restoreAllMocks()
})

async function open(answer: () => Response): Promise<void> {
  server = createFakeServer()
  server.on(LIST, answer)
  screen = await renderScreen(<OrganizationsScreen />, { address: '/organizations?return_to=/incidents' })
}

const text = (): string => screen.container.textContent ?? ''
const button = (name: string) =>
  pageOf(screen.container).find('button', new RegExp(`^${name}`)) as HTMLButtonElement | null

it('lists where someone belongs, and says which is current and which is not ready', async () => {
  await open(() => json({ organizations: [ACME, GLOBEX] }))
  await screen.waitFor(() => expect(button('Acme')?.textContent).toBe('AcmeCurrent'))
  expect(button('Globex')?.textContent).toBe('GlobexBeing set up')
  expect(text()).toContain('Choose an organization')
  expect(text()).toContain('Go back')
})

it('chooses one, and loads a whole new page', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  let sent: unknown
  await open(() => json({ organizations: [ACME, GLOBEX] }))
  server.on(CHOOSE, (_url, init) => {
    sent = init.body
    return new Response(null, { status: 204 })
  })
  await screen.waitFor(() => expect(button('Globex')).not.toBeNull())
  await act(async () => button('Globex')?.click())
  await screen.waitFor(() => expect(assign).toHaveBeenCalledWith('/organizations/orgs-switched?return_to=%2Fincidents'))
  expect(sent).toBe('{"id":"globex"}')
})

it('says why a choice was refused', async () => {
  await open(() => json({ organizations: [ACME, GLOBEX] }))
  server.on(CHOOSE, () => json({ error: 'You do not belong to this organization' }, 403))
  await screen.waitFor(() => expect(button('Globex')).not.toBeNull())
  await act(async () => button('Globex')?.click())
  await screen.waitFor(() => expect(text()).toContain('You do not belong to this organization'))
  expect(button('Globex')?.disabled).toBe(false)
})

it('tells someone without an organization whom to ask', async () => {
  await open(() => json({ organizations: [] }))
  await screen.waitFor(() => expect(text()).toContain('You do not belong to an organization yet'))
})

it.each([
  ['says so', () => json(null)],
  ['knows no organizations', () => json({ error: 'There is nothing here' }, 404)],
])('is no dead end where there is one organization alone: the server %s', async (_what, answer) => {
  await open(answer)
  await screen.waitFor(() => expect(text()).toContain('This installation has one organization.'))
  expect(text()).toContain('Go back')
})

it('explains a failure, and tries again on demand', async () => {
  await open(() => json({ error: 'The database is away' }, 503))
  await screen.waitFor(() => expect(text()).toContain('The database is away'))
  server.on(LIST, () => json({ organizations: [ACME] }))
  await act(async () => button('Try again')?.click())
  await screen.waitFor(() => expect(button('Acme')).not.toBeNull())
})

it('forgets drafts of the former organization before it goes on', async () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined)
  server = createFakeServer()
  sessionStorage.setItem('draft:incident', '{"v":1,"value":"of the former"}')
  screen = await renderScreen(<OrganizationSwitchedScreen />, {
    address: '/organizations/orgs-switched?return_to=//evil.test',
  })
  await screen.waitFor(() => expect(replace).toHaveBeenCalledWith('/'))
  expect(sessionStorage.getItem('draft:incident')).toBeNull()
})
