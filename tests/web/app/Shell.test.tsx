import { can, type Role, ROLES } from '@watchroom/shared/access'
import type { WaitingRun } from '@watchroom/shared/protocol'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { Shell } from '../../../web/src/app/Shell.tsx'
import { PageHeader } from '../../../web/src/ui/PageHeader.tsx'
import { RegionErrorBoundary } from '../../../web/src/ui/RegionErrorBoundary.tsx'

let screen: RenderedScreen
let server: FakeServer

beforeEach(() => {
  server = createFakeServer()
  server.on('GET /gateway/backend', () => json({}, 404))
  server.on('GET /api/canary/about', () => json({ Version: 'v1.2.3' }))
})
afterEach(async () => {
  await screen.close()
  setWidth(1024)
  vi.unstubAllGlobals()
})

function setWidth(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
  happyDOM.setViewport({ width })
}

let waiting: WaitingRun[] = []
vi.mock('../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) => buildTopicView(name === 'waitingRuns' ? waiting : []),
}))

async function open(
  content: ReactNode,
  width = 1280,
  { roles = ['editor'], areas = [] }: { roles?: readonly Role[]; areas?: readonly FeatureArea[] } = {},
): Promise<void> {
  setWidth(width)
  screen = await renderScreen(<Shell>{content}</Shell>, { address: '/health?query=disk', roles, disabled: areas })
}
const named = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (element) => element.getAttribute('aria-label') === name || element.textContent === name,
  ) ?? null
const sidebar = () => screen.container.querySelector('[data-collapsed]')?.getAttribute('data-collapsed')

describe('the sidebar', () => {
  it.each([
    { width: 1280, isCollapsed: 'false' },
    { width: 1024, isCollapsed: 'false' },
    { width: 1023, isCollapsed: 'true' },
    { width: 700, isCollapsed: 'true' },
  ])('collapses by itself under 1024 px: $width', async ({ width, isCollapsed }) => {
    await open(null, width)
    expect(sidebar()).toBe(isCollapsed)
  })
})

describe('the inbox of approvals', () => {
  const RUN: WaitingRun = {
    id: 'r1',
    created_at: '2026-01-01T00:00:00Z',
    playbooks: { name: 'fail-over', title: null },
    people: null,
    without: [],
    unable: [],
  }
  afterEach(() => {
    waiting = []
  })

  it.each(ROLES)('counts for a %s on every screen what waits for people, where they may approve it', async (role) => {
    waiting = [RUN]
    await open(<PageHeader title="Health" />, 1280, { roles: [role] })
    // Its part is loaded by then, for whomever it is.
    await import('../../../web/src/features/playbooks/components/ApprovalsInbox.tsx')
    await screen.advance(100)
    const may = can([role], 'write', 'playbook_runs')
    await screen.waitFor(() => expect(named('1 needs approval') !== null).toBe(may))
  })

  it('is not there where playbooks are switched off', async () => {
    waiting = [RUN]
    await open(<PageHeader title="Health" />, 1280, { areas: ['playbooks'] })
    await screen.advance(100)
    expect(named('1 needs approval')).toBeNull()
  })
})

describe('the top bar', () => {
  it('has title, extra controls, a refresh button, help and the user, in this order', async () => {
    await open(<PageHeader title="Playbooks" controls={<button type="button">Extra</button>} />)
    const bar = screen.container.querySelector('header')
    const parts = [...(bar?.querySelectorAll('h1, button') ?? [])].map(
      (part) => part.getAttribute('aria-label') ?? part.textContent,
    )
    expect(parts).toEqual([
      'Playbooks',
      'Extra',
      'Refresh',
      'Search or run a command (Ctrl K)',
      'Help',
      'Hi Robin, user menu',
    ])
  })

  it.each([
    { device: 'at a desk', width: 1280, text: 'New page' },
    { device: 'on a phone', width: 390, text: '' },
  ])('has what most people come for beside the title, $device as "$text"', async ({ width, text }) => {
    await open(<PageHeader title="Playbooks" action={{ text: 'New page', icon: <svg />, onClick: vi.fn() }} />, width)
    await screen.waitFor(() => expect(named('New page')?.textContent).toBe(text))
  })

  it('has a refresh button that spins while something is loading', async () => {
    let isLoading = true
    const content = () => <PageHeader title="Playbooks" refresh={{ onRefresh: () => undefined, isLoading }} />
    await open(content())
    expect(named('Refresh')?.querySelector('.wr-spin')).not.toBeNull()
    expect(named('Refresh')?.getAttribute('aria-busy')).toBe('true')
    isLoading = false
    await screen.rerender(<Shell>{content()}</Shell>)
    expect(named('Refresh')?.querySelector('.wr-spin')).toBeNull()
  })

  it('has a help menu with a link to the docs', async () => {
    await open(null)
    await screen.click(named('Help'))
    await screen.waitFor(() => expect(named('Docs')?.getAttribute('href')).toBe('/docs'))
  })
})

describe('the user menu', () => {
  it('greets, and leads to the profile, which leads back', async () => {
    await open(null)
    expect(named('Hi Robin, user menu')?.textContent).toContain('Hi Robin')
    await screen.click(named('Hi Robin, user menu'))
    await screen.waitFor(() => expect(named('Your Profile')).not.toBeNull())
    for (const entry of ['Download kubeconfig', 'Sign out']) expect(named(entry), entry).not.toBeNull()
    await screen.click(named('Your Profile'))
    expect(screen.path()).toBe('/profile-settings')
    expect(screen.search()).toContain('return_to=')
  })

  it('signs out on the server, and comes back to this page afterwards', async () => {
    const left: string[] = []
    vi.spyOn(window.location, 'assign').mockImplementation((address) => void left.push(String(address)))
    server.on('GET /api/.ory/self-service/logout/browser', () => json({ logout_token: 'lt', logout_url: '/out' }))
    server.on('GET /api/.ory/self-service/logout?token=lt', () => json(undefined, 204))
    await open(null)
    await screen.click(named('Hi Robin, user menu'))
    await screen.waitFor(() => expect(named('Sign out')).not.toBeNull())
    const here = `${window.location.pathname}${window.location.search}`
    await screen.click(named('Sign out'))
    await screen.waitFor(() => expect(left).toEqual([`/login?${new URLSearchParams({ return_to: here }).toString()}`]))
    expect(server.requests).toContain('GET /api/.ory/self-service/logout?token=lt')
  })

  it.each([
    { status: 503, query: { error_code: 'SIGN_OUT_FAILED' } },
    // Nobody is signed in any more.
    { status: 401, query: {} },
  ])('leaves this page when signing out ends with $status: $query', async ({ status, query }) => {
    const left: string[] = []
    vi.spyOn(window.location, 'assign').mockImplementation((address) => void left.push(String(address)))
    server.on('GET /api/.ory/self-service/logout/browser', () => json({ error: { message: 'no' } }, status))
    await open(null)
    await screen.click(named('Hi Robin, user menu'))
    await screen.waitFor(() => expect(named('Sign out')).not.toBeNull())
    const here = `${window.location.pathname}${window.location.search}`
    await screen.click(named('Sign out'))
    const next = new URLSearchParams({ ...query, return_to: here }).toString()
    await screen.waitFor(() => expect(left).toEqual([`/login?${next}`]))
  })
})

describe('the kubeconfig dialog', () => {
  it('has the file, then the command that uses it, a way to learn more and a way out', async () => {
    await open(null)
    await screen.click(named('Hi Robin, user menu'))
    await screen.waitFor(() => expect(named('Download kubeconfig')).not.toBeNull())
    await screen.click(named('Download kubeconfig'))
    const dialog = () => document.querySelector('[role="dialog"]')
    const file = () => dialog()?.querySelector<HTMLAnchorElement>('a[href="/api/kubeconfig"]') ?? null
    await screen.waitFor(() => expect(file()).not.toBeNull())
    expect(dialog()?.textContent).not.toContain('get canaries')
    expect(named('Learn more')?.getAttribute('href')).toMatch(/^https:/)
    // A download that nobody answers here.
    file()?.addEventListener('click', (event) => event.preventDefault())
    await screen.click(file())
    await screen.waitFor(() => expect(dialog()?.textContent).toMatch(/kubectl --kubeconfig .* get canaries/))
    await screen.click([...(dialog()?.querySelectorAll('button') ?? [])].at(-1) ?? null)
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })
})

describe('a screen that cannot be drawn', () => {
  it('is replaced by an error and another try, and the frame stays', async () => {
    let isBroken = true
    const Fragile = () => {
      if (isBroken) throw new Error('the screen broke')
      return <p>fixed</p>
    }
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await open(
      <RegionErrorBoundary resetKey="/health">
        <Fragile />
      </RegionErrorBoundary>,
    )
    expect(screen.container.textContent).toContain('Sorry.. there was an error')
    expect(named('Help')).not.toBeNull()
    isBroken = false
    await screen.click(named('Try again'))
    await screen.waitFor(() => expect(screen.container.textContent).toContain('fixed'))
  })
})
