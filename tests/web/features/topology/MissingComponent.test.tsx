import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { MissingComponent } from '../../../../web/src/features/topology/components/MissingComponent.tsx'

const ID = '018f0000-0000-7000-8000-0000000000a1'
const ROWS = 'GET /api/db/components?'

let server: FakeServer
let screen: RenderedScreen
let shown: Page
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(answer: () => Response): Promise<void> {
  server = createFakeServer()
  server.on(ROWS, answer)
  screen = await renderScreen(<MissingComponent id={ID} />, { address: `/topology/${ID}` })
  shown = pageOf(screen.container)
}

describe('a component that is not there', () => {
  it('shows what is known of one that was deleted, read-only, and leads to how it was', async () => {
    const row = {
      id: ID,
      name: 'shop',
      type: 'Application',
      owner: 'ada',
      health: 'unhealthy',
      status_reason: 'front does not answer',
      properties: [{ name: 'git/branch', text: 'main' }],
      deleted_at: '2026-01-01T12:00:00Z',
    }
    await open(() => json([row]))
    await screen.waitFor(() => expect(shown.text()).toContain('front does not answer'))
    for (const text of ['shop was deleted', 'ada', 'Application', 'main', ID]) expect(shown.text()).toContain(text)
    expect(shown.get('link', 'As it was before').getAttribute('href')).toBe(
      `/topology/${ID}?at=${encodeURIComponent('2026-01-01T11:59:59.000Z')}`,
    )
  })

  it('cannot be read, or never was: these are two things', async () => {
    await open(() => json(refusal('UPSTREAM_FAILED', 'the database is away'), 500))
    await screen.waitFor(() => expect(shown.text()).toContain('the database is away'))
    expect(shown.text()).not.toContain('Component not found')
    server.on(ROWS, () => json([]))
    await screen.click(shown.get('button', 'Try again'))
    await screen.waitFor(() => expect(shown.text()).toContain('Component not found'))
  })
})
