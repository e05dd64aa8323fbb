import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { IntegrationsScreen } from '../../../../web/src/features/integrations/IntegrationsScreen.tsx'

const LIST = 'GET /api/db/integrations_with_status'
const TOTAL = 13

let screen: RenderedScreen
let shown: Page
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

function page(url: URL): Response {
  const offset = Number(url.searchParams.get('offset'))
  const limit = Number(url.searchParams.get('limit'))
  const rows = Array.from({ length: Math.max(0, Math.min(limit, TOTAL - offset)) }, (_, index) => ({
    id: `id-${offset + index}`,
    name: `Rule ${offset + index}`,
    integration_type: 'scrapers',
    source: 'UI',
    created_at: '2026-01-01T00:00:00Z',
  }))
  return new Response(JSON.stringify(rows), {
    headers: { 'content-range': `${offset}-${offset + limit - 1}/${TOTAL}` },
  })
}

async function open(address: string, answer: (url: URL) => Response | Promise<Response> = page): Promise<void> {
  server = createFakeServer()
  server.on(LIST, answer)
  screen = await renderScreen(<IntegrationsScreen />, { address })
  shown = pageOf(screen.container)
}

const text = () => shown.text()

describe('a list of pages', () => {
  it('shows a page, its place and the total', async () => {
    await open('/settings/integrations?pageSize=5')
    await screen.waitFor(() => expect(text()).toContain('Page 1 of 3'))
    expect(text()).toContain('Rule 0')
    expect(text()).toContain('13 total')
    const moves = screen.container.querySelectorAll('nav[aria-label="Pages"] button')
    expect([...moves].map(({ textContent }) => textContent)).toEqual(['<<', 'Previous', 'Next', '>>'])
  })

  it('turns pages in the address, and Back undoes it', async () => {
    await open('/settings/integrations?pageSize=5')
    await screen.waitFor(() => expect(text()).toContain('Page 1 of 3'))
    await screen.click(shown.get('button', 'Next'))
    await screen.waitFor(() => expect(text()).toContain('Rule 5'))
    expect(screen.search()).toBe('?pageIndex=1&pageSize=5')
    await screen.click(shown.get('button', 'Last page'))
    await screen.waitFor(() => expect(text()).toContain('Page 3 of 3'))
    expect(shown.get('button', 'Next')).toHaveProperty('disabled', true)
    await screen.back()
    await screen.waitFor(() => expect(text()).toContain('Page 2 of 3'))
  })

  it('brings a page number beyond the end back to the last page', async () => {
    await open('/settings/integrations?pageSize=5')
    await screen.waitFor(() => expect(text()).toContain('Page 1 of 3'))
    const field = shown.field('Go to page')
    await screen.type(field, '99')
    await act(async () => {
      field.closest('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    await screen.waitFor(() => expect(text()).toContain('Page 3 of 3'))
  })

  it('goes to the first page when the address names one that does not exist', async () => {
    await open('/settings/integrations?pageSize=5&pageIndex=90', (url) =>
      url.searchParams.get('offset') === '0' ? page(url) : json({ code: 'PGRST103', message: 'no such range' }, 416),
    )
    await screen.waitFor(() => expect(text()).toContain('Page 1 of 3'))
    expect(screen.search()).toBe('?pageSize=5')
  })

  it('searches 400 ms after the last key, from the first page', async () => {
    await open('/settings/integrations?pageSize=5&pageIndex=2')
    await screen.waitFor(() => expect(text()).toContain('Page 3 of 3'))
    await screen.type(shown.field('Search integrations'), 'label')
    await screen.advance(399)
    expect(screen.search()).toBe('?pageIndex=2&pageSize=5')
    await screen.advance(1)
    await screen.waitFor(() => expect(screen.search()).toBe('?pageSize=5&query=label'))
    await screen.waitFor(() => expect(server.requests.at(-1)).toContain('name=ilike.*label*'))
  })

  it('says that there is nothing, and offers to clear a search that finds nothing', async () => {
    await open('/settings/integrations?query=zzz', () => json([]))
    await screen.waitFor(() => expect(text()).toContain('No resources found'))
    expect(text()).toContain('No integration matches this name.')
    await screen.click(shown.find('button', 'Clear filters'))
    await screen.waitFor(() => expect(text()).toContain('Integrations connect'))
    expect(screen.search()).toBe('')
  })

  it('says why it failed and tries again on demand', async () => {
    await open('/settings/integrations', () => json(refusal('X', 'The backend did not answer.'), 500))
    await screen.waitFor(() => expect(text()).toContain('The backend did not answer.'))
    server.on(LIST, page)
    await screen.click(shown.get('button', 'Try again'))
    await screen.waitFor(() => expect(text()).toContain('Rule 0'))
    expect(text()).not.toContain('did not answer')
  })

  it('keeps what it has when it cannot be read again, and says that it may be old', async () => {
    await open('/settings/integrations')
    await screen.waitFor(() => expect(text()).toContain('Rule 0'))
    server.on(LIST, () => json(refusal('X', 'The backend did not answer.'), 500))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(text()).toContain('What is shown may be old: The backend did not answer.'))
    expect(text()).toContain('Rule 0')
    server.on(LIST, page)
    await screen.click(shown.get('button', 'Try again'))
    await screen.waitFor(() => expect(text()).not.toContain('may be old'))
    expect(text()).toContain('Rule 0')
  })

  it('sorts by a column and turns the order around', async () => {
    await open('/settings/integrations?pageSize=5')
    await screen.waitFor(() => expect(text()).toContain('Rule 0'))
    await screen.click(shown.get('button', 'Name'))
    await screen.waitFor(() => expect(server.requests.at(-1)).toContain('order=name.asc'))
    expect(shown.get('columnheader', 'Name').getAttribute('aria-sort')).toBe('ascending')
    await screen.click(shown.get('button', 'Name'))
    await screen.waitFor(() => expect(server.requests.at(-1)).toContain('order=name.desc'))
    expect(screen.search()).toBe('?pageSize=5&sortBy=name')
  })
})
