import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { pressEnter } from '#support/web/pressEnter.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ConfigRelationships } from '../../../../web/src/features/relationships/components/ConfigRelationships.tsx'
import { layOut, type LayoutAsk } from '../../../../web/src/features/relationships/graph/layout.ts'

/** By the name of the topic. */
let live: Record<string, object[]> = {}
const NO_ROWS: never[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) => buildTopicView(live[name] ?? NO_ROWS),
}))

const RELATED = 'GET /api/db/rpc/related_configs_recursive'
const ROWS = [
  { id: 'root', name: 'shop', type: 'Node', related_ids: ['pod1', 'pod2', 'disk', 'old'], health: 'healthy' },
  {
    id: 'pod1',
    name: 'zeta',
    type: 'Pod',
    health: 'unhealthy',
    status: 'Broken',
    tags: { cluster: 'eu', namespace: 'a' },
    changes: [{ total: 700 }],
  },
  { id: 'old', name: 'alpha', type: 'Pod', deleted_at: '2025-12-01T00:00:00Z' },
  { id: 'pod2', name: 'beta', type: 'Pod', health: 'healthy', tags: { cluster: 'us' } },
  { id: 'disk', name: 'sda', type: 'Disk' },
]

let screen: RenderedScreen
let server: FakeServer
const shown = (): Page => pageOf(screen.container)
const text = (): string => shown().text()
const names = (): string[] =>
  shown()
    .all('rowheader')
    .map(({ textContent }) => textContent ?? '')
const lastAsk = (): string => server.requests.findLast((line) => line.startsWith(RELATED)) ?? ''
const toggle = (label: string) => shown().field(label) as HTMLInputElement

beforeEach(() => {
  live = {}
  server = createFakeServer()
  server.on(RELATED, () => json(ROWS))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const open = async (search = ''): Promise<void> => {
  screen = await renderScreen(<ConfigRelationships configId="root" />, { address: `/catalog/root${search}` })
}

describe('[third specification 2] relationships of an item', () => {
  it('are a table by type, deleted ones last, each leading to its page', async () => {
    await open()
    await screen.waitFor(() => expect(names()).toEqual(['sda', 'beta', 'zeta', 'alpha (deleted)']))
    expect(shown().get('link', 'beta').getAttribute('href')).toBe('/catalog/pod2')
    expect(text()).toContain('Broken')
    expect(text()).toContain('4 items, at any distance')
  })

  it('ask for what goes out first, soft links too, as the switches show', async () => {
    await open()
    await screen.waitFor(() => expect(names()).toContain('beta'))
    expect(lastAsk()).toBe(
      `${RELATED}?config_id=root&include_deleted_configs=false&max_depth=10&type_filter=outgoing&outgoing_relation=both`,
    )
    expect([toggle('Outgoing').checked, toggle('Incoming').checked, toggle('Soft').checked]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('have Outgoing off only while Incoming is on, and on again when Incoming goes', async () => {
    await open()
    await screen.waitFor(() => expect(names()).toContain('beta'))
    expect(toggle('Outgoing').disabled).toBe(true)
    await screen.click(toggle('Incoming'))
    expect(screen.search()).toBe('?incoming=true')
    await screen.waitFor(() =>
      expect(lastAsk()).toContain('type_filter=all&incoming_relation=both&outgoing_relation=both'),
    )
    await screen.click(toggle('Outgoing'))
    await screen.click(toggle('Soft'))
    await screen.waitFor(() => expect(lastAsk()).toMatch(/type_filter=incoming&incoming_relation=hard$/))
    await screen.click(toggle('Incoming'))
    expect(screen.search()).toBe('?soft=false')
    expect(toggle('Outgoing').checked).toBe(true)
  })

  it('take nothing at all in the address as the default, and nonsense for that key alone', async () => {
    await open('?outgoing=false&soft=maybe&health=unhealthy:1')
    await screen.waitFor(() => expect(names()).toContain('beta'))
    expect(lastAsk()).toContain('type_filter=outgoing&outgoing_relation=both&health.filter=unhealthy')
  })

  it('are filtered by the backend, and by tags here', async () => {
    await open('?configTypes=K8s__Pod:1&status=Broken:-1&tags=cluster____eu:-1')
    await screen.waitFor(() => expect(names()).toContain('beta'))
    expect(lastAsk()).toContain('type.filter=K8s::Pod&status.filter=!Broken')
    expect(names()).not.toContain('zeta')
    await screen.click(shown().get('button', 'Clear filters'))
    await screen.waitFor(() => expect(names()).toContain('zeta'))
  })

  it('show deleted items when asked to', async () => {
    await open()
    await screen.waitFor(() => expect(names()).toContain('beta'))
    await screen.click(toggle('Hide Deleted Catalog'))
    await screen.waitFor(() => expect(lastAsk()).toContain('include_deleted_configs=true'))
  })

  it('are read again when one of them is related, parted or changed, and by nothing else', async () => {
    live = { configRelationships: [{ config_id: 'pod1', at: '1' }], configs: [{ id: 'disk', updated_at: '1' }] }
    await open()
    await screen.waitFor(() => expect(names()).toContain('beta'))
    const asked = () => server.requests.filter((line) => line.startsWith(RELATED)).length
    const before = asked()
    const tell = async (rows: Record<string, object[]>): Promise<void> => {
      live = { ...live, ...rows }
      await screen.rerender(<ConfigRelationships configId="root" />)
      await screen.advance(1_000)
    }
    await tell({ configs: [{ id: 'another', updated_at: '9' }] })
    await tell({ configRelationships: [{ config_id: 'pod1', at: '1' }] })
    expect(asked()).toBe(before)
    await tell({ configRelationships: [{ config_id: 'pod1', at: '2' }] })
    expect(asked()).toBe(before + 1)
    await tell({ configs: [{ id: 'disk', updated_at: '2' }] })
    expect(asked()).toBe(before + 2)
  })

  it('say why they cannot be read', async () => {
    server.on(RELATED, () => json(refusal('X', 'The backend did not answer.'), 500))
    await open()
    await screen.waitFor(() => expect(text()).toContain('The backend did not answer.'))
  })
})

/** Lays out as the worker does, which the tests have none of. */
class FakeWorker extends EventTarget {
  postMessage(ask: LayoutAsk): void {
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: layOut(ask) })))
  }
  terminate(): void {
    // Nothing runs on.
  }
}

describe('[third specification 2] graph of relationships', () => {
  beforeEach(() => vi.stubGlobal('Worker', FakeWorker))
  const card = (name: RegExp): HTMLElement => shown().get('link', name)

  async function openGraph(): Promise<void> {
    await open()
    await screen.waitFor(() => expect(names()).toContain('beta'))
    await screen.click(shown().get('radio', 'Graph'))
    await screen.waitFor(() => expect(text()).toContain('zeta'))
  }

  it('has cards with name, status, type, changes, namespace and cluster, and is remembered', async () => {
    await openGraph()
    for (const fact of ['Broken', '700 changes', 'Pod', 'a · eu']) expect(card(/zeta/).textContent).toContain(fact)
    expect(card(/shop/).getAttribute('aria-current')).toBe('true')
    await screen.rerender(null)
    await screen.rerender(<ConfigRelationships configId="root" />)
    await screen.waitFor(() => expect(card(/zeta/)).toBeTruthy())
  })

  it('opens groups of three, and closes them on a click', async () => {
    await openGraph()
    const group = shown().get('button', /^3\s*Pod/)
    expect(group.getAttribute('aria-expanded')).toBe('true')
    await screen.click(group)
    await screen.waitFor(() => expect(shown().find('link', /zeta/)).toBeNull())
    expect(card(/sda/)).toBeTruthy()
  })

  it('has one card that the keyboard begins at, also when the one that it was at is gone', async () => {
    await openGraph()
    const begins = () => [...document.querySelectorAll<HTMLElement>('[data-node][tabindex="0"]')]
    await act(async () => card(/zeta/).focus())
    expect(begins().map(({ dataset }) => dataset['node'])).toEqual(['pod1'])
    await screen.go('/catalog/root?tags=cluster____eu:-1')
    await screen.waitFor(() => expect(shown().find('link', /zeta/)).toBeNull())
    expect(begins().map(({ dataset }) => dataset['node'])).toEqual(['root'])
  })

  it('finds what a closed group hides', async () => {
    await openGraph()
    await screen.click(shown().get('button', /^3\s*Pod/))
    await screen.waitFor(() => expect(shown().find('link', /zeta/)).toBeNull())
    await screen.type(shown().field('Search in the graph'), 'zet')
    await screen.advance(200)
    await screen.waitFor(() => expect(text()).toContain('1 found'))
    await screen.click(shown().get('button', 'Show next match'))
    await screen.waitFor(() => expect(card(/zeta/).dataset['found']).toBe('true'))
  })

  it('shows the next match by Enter in the search', async () => {
    await openGraph()
    await screen.click(shown().get('button', /^3\s*Pod/))
    await screen.waitFor(() => expect(shown().find('link', /zeta/)).toBeNull())
    const search = shown().field('Search in the graph')
    await screen.type(search, 'zet')
    await screen.advance(200)
    await screen.waitFor(() => expect(text()).toContain('1 found'))
    await pressEnter(search instanceof HTMLInputElement ? search : null)
    await screen.waitFor(() => expect(card(/zeta/).dataset['found']).toBe('true'))
  })
})
