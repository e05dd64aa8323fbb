import type { Role } from '@watchroom/shared/access'
import { configTopic, topicKey } from '@watchroom/shared/protocol'
import type { FeatureArea } from '@watchroom/shared/settings'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import type { EvidenceDraft } from '../../../../web/src/api/incidentCreation.ts'
import { configChangeKeys } from '../../../../web/src/api/queryKeys.ts'
import type { ConfigTab } from '../../../../web/src/features/config-item/configTabs.ts'
import { ConfigItem } from '../../../../web/src/features/config-item/screens/ConfigItemScreen.tsx'

const ID = '018f0000-0000-7000-8000-00000000c001'
const PARENT = '018f0000-0000-7000-8000-00000000c002'
const LINES = Array.from({ length: 12 }, (_, index) => `key${String(index).padStart(2, '0')}`)

const ITEM = {
  id: ID,
  name: 'shop.yaml',
  type: 'File::YAML',
  config_class: 'File',
  health: 'unhealthy',
  status: 'Broken',
  path: `${PARENT}.${ID}`,
  created_at: '2025-12-01T00:00:00Z',
  updated_at: '2025-12-31T23:50:00Z',
  last_scraped_time: '2025-12-31T23:30:00Z',
  cost_total_1d: 2,
  cost_total_7d: 8.5,
  cost_total_30d: 30,
  labels: { team: 'shop' },
  properties: [{ name: 'owner', text: 'Ana' }],
  summary: { relationships: 4, analysis: 2, changes: 1_234, playbook_runs: 3, checks: 2 },
  config_scrapers: { id: 'scraper-1', name: 'Files' },
}

let screen: RenderedScreen
let server: FakeServer
let evidence: EvidenceDraft | undefined
const attach = (draft: EvidenceDraft): ReactNode => {
  evidence = draft
  return null
}
const shown = (): Page => pageOf(screen.container)

beforeEach(() => {
  server = createFakeServer()
  server.on('GET /api/db/incidents_by_config', () => json([]))
  server.on('GET /api/db/config_detail', () => json([ITEM]))
  server.on('GET /api/db/config_items', () =>
    json([{ id: ID, config: Object.fromEntries(LINES.map((key) => [key, 1])) }]),
  )
  server.on('GET /api/db/configs', () =>
    json([
      { id: ID, name: 'shop.yaml', type: 'File::YAML', agent: { id: 'agent-1', name: 'edge' } },
      { id: PARENT, name: 'shop', type: 'File::Folder' },
    ]),
  )
  server.on('GET /api/db/config_component_relationships', () =>
    json([
      { component_id: 'k1', selector_id: 'manual', components: { id: 'k1', name: 'Checkout' } },
      { component_id: 'k2', selector_id: 'abc', components: { id: 'k2', name: 'Payments' } },
    ]),
  )
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

interface Options {
  id?: string
  search?: string
  tab?: ConfigTab
  roles?: Role[]
  disabled?: FeatureArea[]
}

async function open({ id = ID, search = '', tab = 'config', roles = ['admin'], disabled = [] }: Options = {}) {
  const path = `/catalog/${id}`
  screen = await renderScreen(
    <ConfigItem
      id={id}
      tab={tab}
      renderControls={() => <button type="button">Download snapshot</button>}
      renderNotice={() => null}
      renderAttach={attach}
      renderTab={(name) => <p>{`contents of ${name}`}</p>}
    />,
    { address: path + search, roles, disabled },
  )
}

const text = (): string => shown().text()
const item = (changes: object) => server.on('GET /api/db/config_detail', () => json([{ ...ITEM, ...changes }]))
const lines = (): string[] =>
  [...screen.container.querySelectorAll('[role="option"][aria-selected="true"]')].map(({ id }) =>
    id.replace(/^.*-/, ''),
  )

describe('[third specification 2] page of a config item', () => {
  it('neither leads into areas that are switched off nor asks for what they hold', async () => {
    await open({ disabled: ['settings.config_scraper', 'topology'] })
    await screen.waitFor(() => expect(text()).toContain('Files'))
    expect(shown().find('link', 'Files')).toBeNull()
    expect(server.requests.filter((line) => line.includes('config_component_relationships'))).toEqual([])
  })

  it('shows where it belongs, how it is, and what is known of it', async () => {
    await open()
    await screen.waitFor(() => expect(text()).toContain('key00: 1'))
    await screen.waitFor(() => expect(text()).toContain('Checkout'))
    expect(shown().get('link', 'shop').getAttribute('href')).toBe(`/catalog/${PARENT}`)
    expect(shown().get('link', 'Files').getAttribute('href')).toBe('/catalog/scrapers/scraper-1')
    expect(server.requests.some((line) => line.includes('config_component_relationships'))).toBe(true)
    for (const fact of ['Unhealthy', 'Broken', 'Updated 10m ago', 'edge', 'owner', 'Ana', '$8.50', ID]) {
      expect(text(), fact).toContain(fact)
    }
    expect(text()).not.toContain('Last scraped')
    expect(text()).not.toContain('Deleted')
  })

  it('lists the incidents that it is evidence in, those that are open unless an address asks for others', async () => {
    const incident = { id: PARENT, title: 'One replica', status: 'open', severity: 'High', type: 'availability' }
    server.on('GET /api/db/incidents_by_config', () => json([incident]))
    await open()
    const asked = (): string => server.requests.findLast((line) => line.includes('incidents_by_config')) ?? ''
    await screen.waitFor(() => expect(shown().find('link', 'One replica')).not.toBeNull())
    expect(shown().get('link', 'One replica').getAttribute('href')).toBe(`/incidents/${PARENT}`)
    expect(asked()).toContain(`config_id=eq.${ID}`)
    expect(asked()).toContain('status=not.in.(resolved,closed,cancelled)')
    expect(asked()).not.toContain('type=eq')
    server.on('GET /api/db/incidents_by_config', () => json([]))
    await screen.go(`/catalog/${ID}?incidentType=cost&incidentStatus=closed`)
    await screen.waitFor(() => expect(text()).toContain('No incident matches these filters.'))
    expect(asked()).toContain('type=eq.cost')
    expect(asked()).toContain('status=eq.closed')
    await screen.go(`/catalog/${ID}?incidentStatus=all`)
    await screen.waitFor(() => expect(text()).toContain('This item isn’t part of any incident.'))
    expect(asked()).not.toContain('status=')
  })

  it.each<[string, Options]>([
    ['where they are switched off', { disabled: ['incidents'] }],
    ['for someone without a role', { roles: [] }],
  ])('asks for no incidents %s', async (_, options) => {
    await open(options)
    await screen.waitFor(() => expect(text()).toContain('owner'))
    expect(text()).not.toContain('No incident')
    expect(server.requests.filter((line) => line.includes('incidents_by_config'))).toEqual([])
  })

  it('warns from one hour after it was scraped last, unless it was deleted', async () => {
    item({ last_scraped_time: '2025-12-31T23:00:00Z' })
    await open()
    await screen.waitFor(() => expect(text()).toContain('Last scraped 1h ago'))
    await screen.close()
    const gone = { deleted_at: '2025-12-31T22:00:00Z', delete_reason: 'its scraper was deleted' }
    item({ last_scraped_time: '2025-12-31T20:00:00Z', ...gone })
    await open()
    await screen.waitFor(() => expect(text()).toContain('Deleted 2h ago: its scraper was deleted'))
    expect(text()).not.toContain('Last scraped')
    expect(text()).not.toContain('Unhealthy')
  })

  it.each(['not-an-id', '018f0000-0000-7000-8000-00000000dead'])('says that %s is nothing', async (id) => {
    server.on('GET /api/db/config_detail', () => json([]))
    await open({ id })
    await screen.waitFor(() => expect(text()).toContain('Details not found'))
    expect(server.requests.some((line) => line.includes('not-an-id'))).toBe(false)
  })

  it('says why it cannot be read, and tries again', async () => {
    server.on('GET /api/db/config_detail', () => json(refusal('X', 'The backend did not answer.'), 500))
    await open()
    await screen.waitFor(() => expect(text()).toContain('The backend did not answer.'))
    item({})
    await screen.click(shown().get('button', 'Try again'))
    await screen.waitFor(() => expect(text()).toContain('key00: 1'))
  })

  it('counts what its tabs hold, and has none that someone may not open', async () => {
    await open({ disabled: ['playbooks'] })
    await screen.waitFor(() => expect(text()).toContain('key00: 1'))
    expect(shown().get('link', /^Checks/).textContent).toBe('Checks2')
    // The list behind it follows relationships further than they are counted.
    const badge = shown()
      .get('link', /^Relationships/)
      .querySelector('[title]')
    expect(badge?.getAttribute('title')).toBe('4 direct relationships; the list has those behind them, too')
    expect(shown().find('link', /^Playbooks/)).toBeNull()
    await screen.close()
    await open({ disabled: ['playbooks'], tab: 'playbooks' })
    await screen.waitFor(() => expect(text()).toContain('You do not have permission to access this page'))
    expect(text()).not.toContain('contents of playbooks')
  })
})

describe('[third specification 2] page of a config item that changes', () => {
  const tell = (...rows: object[]) =>
    act(async () => void screen.queryClient.setQueryData(topicKey(configTopic, { id: ID }), rows))
  const asked = (table: string): number =>
    server.requests.filter((line) => line.startsWith(`GET /api/db/${table}?`)).length

  it('shows what the gateway tells, and reads again what belongs to it', async () => {
    await open()
    await screen.waitFor(() => expect(text()).toContain('Checkout'))
    await tell(ITEM)
    expect(asked('config_component_relationships')).toBe(1)
    const versions = configChangeKeys.history(ID, 100)
    screen.queryClient.setQueryData(versions, {})
    await tell({ ...ITEM, health: 'healthy', status: 'Running', summary: { ...ITEM.summary, checks: 5 } })
    await screen.waitFor(() => expect(text()).toContain('Running'))
    expect(text()).not.toContain('Broken')
    expect(shown().get('link', /^Checks/).textContent).toBe('Checks5')
    await screen.waitFor(() => expect(asked('config_component_relationships')).toBe(2))
    expect(screen.queryClient.getQueryState(versions)?.isInvalidated).toBe(true)
    expect(asked('config_detail')).toBe(1)
    expect(asked('config_items')).toBe(1)
  })

  it('reads its content again when it was updated', async () => {
    await open()
    await screen.waitFor(() => expect(text()).toContain('key00: 1'))
    server.on('GET /api/db/config_items', () => json([{ id: ID, config: { key00: 2 } }]))
    await tell({ ...ITEM, updated_at: '2025-12-31T23:59:00Z' })
    await screen.waitFor(() => expect(text()).toContain('key00: 2'))
  })
})

describe('[third specification 2] lines of a config item', () => {
  it('come selected with the address, and as evidence with what is around them', async () => {
    await open({ search: '?selected=x,3-4' })
    await screen.waitFor(() => expect(lines()).toEqual(['3', '4']))
    expect(evidence).toMatchObject({
      config_id: ID,
      evidence: { selected_lines: { 3: 'key02: 1', 4: 'key03: 1' }, configType: 'File::YAML' },
    })
    await screen.click(shown().get('button', 'Clear'))
    expect(lines()).toEqual([])
    expect(screen.search()).toBe('')
  })

  it('are selected by keys', async () => {
    await open()
    await screen.waitFor(() => expect(text()).toContain('key00: 1'))
    const list = screen.container.querySelector('[role="listbox"]')
    await screen.press('ArrowDown', list)
    await screen.press('j', list)
    await screen.press('Enter', list)
    expect(screen.search()).toBe('?selected=2')
    await screen.press('j', list)
    await screen.press('J', list)
    expect(lines()).toEqual(['3', '4'])
    await screen.press('Escape', list)
    expect(screen.search()).toBe('')
  })
})

describe('[third specification 4] link to a component', () => {
  it('is deleted after a question, where someone made it by hand', async () => {
    const deleted = vi.fn(() => json(null, 204))
    server.on('DELETE /api/db/config_component_relationships', deleted)
    await open()
    await screen.waitFor(() => expect(text()).toContain('Payments'))
    expect(shown().all('button', /^Delete config link/)).toHaveLength(1)
    await screen.click(shown().get('button', 'Delete config link to Checkout'))
    expect(deleted).not.toHaveBeenCalled()
    const question = pageOf(pageOf().get('dialog', 'Delete config link'))
    await screen.click(question.get('button', 'Delete config link'))
    await screen.waitFor(() => expect(pageOf().text()).toContain('Deleted config link successfully'))
    expect(server.requests.filter((line) => line.startsWith('DELETE'))).toEqual([
      `DELETE /api/db/config_component_relationships?component_id=eq.k1&config_id=eq.${ID}&selector_id=eq.manual`,
    ])
  })

  it('is made by hand', async () => {
    server.on('GET /api/db/components', () => json([{ id: 'k3', name: 'Basket', type: 'Service' }]))
    const linked = vi.fn((_url: URL, _init: RequestInit) => json([], 201))
    server.on('POST /api/db/config_component_relationships', linked)
    await open()
    await screen.waitFor(() => expect(text()).toContain('Payments'))
    await screen.click(shown().get('button', 'Link to…'))
    const dialog = pageOf(pageOf().get('dialog'))
    await screen.waitFor(() => expect(dialog.text()).toContain('Basket'))
    await screen.click(dialog.get('radio', /Basket/))
    await screen.click(dialog.get('button', 'Link'))
    await screen.waitFor(() => expect(pageOf().text()).toContain('config link successful'))
    // Also where a selector linked the two once: that link is taken over.
    expect(linked.mock.calls[0]?.[0].search).toBe('?on_conflict=component_id,config_id')
    expect(linked.mock.calls[0]?.[1]).toMatchObject({
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      body: JSON.stringify({ component_id: 'k3', config_id: ID, selector_id: 'manual', deleted_at: null }),
    })
  })

  it('looks for components 100 ms after the last key', async () => {
    const asked: string[] = []
    server.on('GET /api/db/components', (url) => {
      asked.push(url.search)
      return json([])
    })
    await open()
    await screen.waitFor(() => expect(text()).toContain('Payments'))
    await screen.click(shown().get('button', 'Link to…'))
    await screen.waitFor(() => expect(asked).toHaveLength(1))
    await setField(document.querySelector('[role="dialog"] input[placeholder^="Search for"]'), 'pay')
    await screen.advance(90)
    expect(asked).toHaveLength(1)
    await screen.advance(20)
    await screen.waitFor(() => expect(asked[1]).toContain('pay'))
  })

  it('is only looked at by whoever may not write', async () => {
    await open({ roles: ['viewer'] })
    await screen.waitFor(() => expect(text()).toContain('Payments'))
    expect(shown().find('button', /link/i)).toBeNull()
  })
})
