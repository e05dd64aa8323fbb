import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { ItemChanges } from '../../../../web/src/features/catalog-changes/components/ItemChanges.tsx'

vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => VIEW }))
const VIEW = buildTopicView([])

const CONFIG = '018f0000-0000-7000-8000-000000000007'
const changeAt = (minute: number, from: string, to: string) => ({
  id: `018f0000-0000-7000-8000-0000000001${String(minute).padStart(2, '0')}`,
  change_type: 'diff',
  summary: `${from} to ${to}`,
  created_by: null,
  external_created_by: 'ana',
  created_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.123456+00:00`,
  diff: `@@ -1 +1 @@\n-${from}\n+${to}\n`,
})
const CHANGES = [changeAt(30, 'v3', 'v4'), changeAt(20, 'v2', 'v3'), changeAt(10, 'v1', 'v2')]

let screen: RenderedScreen
let server: FakeServer
let page: Page
let changes: object[]
beforeEach(() => {
  page = pageOf()
  changes = CHANGES
  server = createFakeServer()
  server.on('GET /api/db/people', () => json([]))
  server.on('GET /api/db/config_detail', () => json([{ id: CONFIG, config: { content: 'v4\n', format: 'text' } }]))
  server.on('GET /api/db/config_changes', (url) => json(changes.slice(0, Number(url.searchParams.get('limit')))))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(query = ''): Promise<void> {
  screen = await renderScreen(<ItemChanges configId={CONFIG} renderActions={() => null} />, {
    address: `/catalog/${CONFIG}/changes?view=versions${query}`,
  })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading versions'))
}
const lines = (): string[] => [...document.querySelectorAll('figure code')].map(({ textContent }) => textContent)
const options = (label: string): string[] =>
  [...page.field(label).querySelectorAll('option')].map(({ textContent }) => textContent.replace(/^.*?· /, ''))
async function choose(label: string, text: string): Promise<void> {
  const field = page.field(label) as HTMLSelectElement
  await setField(field, [...field.options].find(({ textContent }) => textContent.includes(text))?.value ?? '')
  await screen.advance(0)
}

describe('the versions of an item', () => {
  it('begin with what the last change did', async () => {
    await open()
    expect(options('Version')).toEqual([
      'v3 to v4 · ana',
      'v2 to v3 · ana',
      'v1 to v2 · ana',
      'Before the first change',
    ])
    expect(lines()).toEqual(['-v3', '+v4'])
  })

  it('are each at an address, from which the same one is opened', async () => {
    await open()
    await screen.click(page.get('button', 'Older version'))
    expect(new URLSearchParams(screen.search()).get('at')).toBe('2026-01-01T00:20:00.123Z')
    expect(lines()).toEqual(['-v2', '+v3'])
    await screen.go(`/catalog/${CONFIG}/changes?view=versions&at=2026-01-01T00:15:00Z`)
    expect(lines()).toEqual(['-v1', '+v2'])
  })

  it('are compared, any two of them', async () => {
    await open()
    await choose('Compared with', 'Before the first change')
    expect(lines()).toEqual(['-v1', '+v4'])
    await choose('Version', 'v2 to v3')
    expect(lines()).toEqual(['-v1', '+v3'])
    await choose('Compared with', 'v2 to v3')
    expect(page.text()).toContain('No differences')
    await choose('Compared with', 'Previous version')
    expect(lines()).toEqual(['-v2', '+v3'])
  })

  it('are shown whole', async () => {
    await open('&at=2026-01-01T00:15:00Z')
    await screen.click(page.get('radio', 'Whole text'))
    expect(lines()).toEqual([' v2'])
  })

  it('end where a change does not fit, and say which', async () => {
    changes = [CHANGES[0] ?? {}, changeAt(20, 'v2', 'other')]
    await open()
    expect(options('Version')).toEqual(['v3 to v4 · ana', 'v2 to other · ana'])
    expect(page.text()).toContain('Earlier versions can’t be rebuilt')
  })

  it('are one where already the last change does not fit, which is not to say that nothing changed', async () => {
    changes = [changeAt(20, 'v2', 'other')]
    await open()
    expect(page.text()).toContain('One version')
    expect(page.text()).toContain('the last change doesn’t match the content')
  })

  it('are read further back when a link leads there', async () => {
    const many = Array.from({ length: 130 }, (_, n) => `v${n}`)
    changes = many
      .slice(1)
      .map((to, n) => ({
        ...changeAt(1, many[n] ?? '', to),
        id: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
        created_at: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 60_000).toISOString(),
      }))
      .toReversed()
    server.on('GET /api/db/config_detail', () => json([{ id: CONFIG, config: { content: 'v129' } }]))
    await open('&at=2026-01-01T00:03:30Z')
    await screen.waitFor(() => expect(lines()).toEqual(['-v3', '+v4']))
    expect(page.find('button', 'Load earlier versions')).toBeNull()
  })

  it.each([
    ['never changed', [{ id: CONFIG, config: { content: 'v4' } }], 'One version'],
    ['is gone', [], 'Details not found'],
  ])('of an item that %s are none', async (_case, rows, text) => {
    changes = []
    server.on('GET /api/db/config_detail', () => json(rows))
    await open()
    expect(page.text()).toContain(text)
  })
})
