import { NIL_UUID } from '@watchroom/shared/kernel'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { backendFactsKey } from '../../../web/src/api/queryKeys.ts'
import { announceSessionEnded, onSessionEnded } from '../../../web/src/api/sessionEnded.ts'
import { UserPanel } from '../../../web/src/app/UserPanel.tsx'
import { ExactTime } from '../../../web/src/features/incident-room/components/ExactTime.tsx'
import { formatExact } from '../../../web/src/ui/useExactTime.ts'

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const open = async (roles: Parameters<typeof renderScreen>[1] = {}) => {
  screen = await renderScreen(<UserPanel name="Robin" onKubeconfig={() => undefined} />, roles)
}
const versions = () =>
  [...screen.container.querySelectorAll('p')]
    .map(({ textContent }) => textContent)
    .find((text) => text.startsWith('frontend'))

describe('UserPanel', () => {
  it('says which version runs here and which behind it', async () => {
    server.on('GET /api/canary/about', () => json({ Version: 'v1.2.3' }))
    await open()
    await screen.waitFor(() => expect(versions()).toBe('frontend 1.0.782 / backend v1.2.3'))
  })

  it('says NA for a backend that does not tell', async () => {
    server.on('GET /api/canary/about', () => json({}))
    await open()
    await screen.waitFor(() => expect(server.requests).toEqual(['GET /api/canary/about']))
    expect(versions()).toBe('frontend 1.0.782 / backend NA')
  })

  it('changes the zone of every time on the page', async () => {
    const moment = Date.UTC(2026, 2, 1, 8, 30)
    screen = await renderScreen(
      <>
        <UserPanel name="Robin" onKubeconfig={() => undefined} />
        <ExactTime at={new Date(moment).toISOString()} />
      </>,
    )
    const time = () => screen.container.querySelector('time')?.textContent
    const zone = (name: string) => pageOf().get('radio', name)
    expect(time()).toBe(formatExact(moment, 'local'))
    await screen.click(zone('UTC'))
    expect(time()).toBe(formatExact(moment, 'UTC'))
    await screen.click(zone('Local'))
    expect(time()).toBe(formatExact(moment, 'local'))
  })

  it('leads to the other organizations of who signed in with a provider, and out at the provider', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    const end = vi.fn()
    onSessionEnded(end)
    server.on('POST /gateway/hosted/sign-out', () => {
      // As the socket does, which may hear of it before the answer has come.
      announceSessionEnded()
      return json({ location: 'https://id.test/end' })
    })
    await open()
    expect(screen.container.textContent).not.toContain('Switch organization')
    await act(async () =>
      screen.queryClient.setQueryData(backendFactsKey, {
        changes: 'polled',
        missing: [],
        hosted: { organization: 'Acme' },
      }),
    )
    await screen.waitFor(() => expect(screen.container.textContent).toContain('Switch organizationAcme'))
    const items = [...screen.container.querySelectorAll<HTMLElement>('[role="menuitem"], a')]
    await act(async () => items.find(({ textContent }) => textContent === 'Sign out')?.click())
    await screen.waitFor(() => expect(assign).toHaveBeenCalledWith('https://id.test/end'))
    expect(end).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('offers nothing of a person where nobody signs in', async () => {
    const entries = () => [...screen.container.querySelectorAll('[role="menuitem"]')].map((item) => item.textContent)
    await open()
    expect(entries()).toEqual(['Your Profile', 'Access tokens', 'Download kubeconfig', 'Sign out'])
    await screen.close()
    await open({ roles: ['editor'], userId: NIL_UUID })
    expect(versions()).toBeDefined()
    expect(entries()).toEqual([])
  })

  it('shows the highest role of a person with several', async () => {
    await open({ roles: ['viewer', 'responder', 'editor'] })
    expect(screen.container.querySelector('strong')?.parentElement?.textContent).toBe('Robineditor')
  })
})
