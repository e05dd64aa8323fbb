import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { AgentList } from '../../../../web/src/features/agents/components/AgentList.tsx'
import type { TopicState } from '../../../../web/src/live/contract.ts'

const buildAgent = (name: string, overrides: Partial<AgentSummary> = {}): AgentSummary =>
  AgentSummarySchema.parse({ id: name, name, created_at: '2025-12-01T00:00:00Z', ...overrides })

const edge = buildAgent('edge', {
  config_count: 1200,
  checks_count: 3,
  last_seen: '2025-12-31T23:59:30Z',
  last_received: '2025-12-31T23:50:00Z',
  created_by: { id: 'p', name: 'Robin' },
})
const lab = buildAgent('lab', { last_seen: '2025-12-31T23:00:00Z', created_at: '2025-12-30T00:00:00Z' })
const unseen = buildAgent('unseen', { created_at: '2025-11-01T00:00:00Z' })

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(agents: AgentSummary[], address = '/settings/agents', state: TopicState = 'live') {
  screen = await renderScreen(<AgentList topic={buildTopicView(agents, state)} />, { address })
}
const shown = () => pageOf(screen.container)
const table = () => shown().rows()
const text = () => shown().text()

describe('AgentList', () => {
  it('shows the ten columns, newest agent first', async () => {
    await open([edge, lab, unseen])
    expect(shown().headers()).toEqual([
      'Name',
      'Configs',
      'Checks',
      'Scrapers',
      'Playbook Runs',
      'Status',
      'Last Pushed',
      'Created At',
      'Updated At',
      'Created By',
    ])
    expect(table()).toEqual([
      ['lab', '0', '0', '0', '0', 'Offline', '–', '2d ago', '–', '–'],
      ['edge', '1,200', '3', '0', '0', 'Online', '10m ago', '31d ago', '–', 'Robin'],
      ['unseen', '0', '0', '0', '0', 'Never seen', '–', '61d ago', '–', '–'],
    ])
    expect(text()).toContain('1 of 3 online')
  })

  it('shows the server itself as such, and counts it among nobody', async () => {
    const local = buildAgent('local', { id: NIL_UUID, checks_count: 7, created_at: '2025-10-01T00:00:00Z' })
    await open([edge, local])
    expect(table()[1]).toEqual(['local', '0', '7', '0', '0', 'This server', '–', '92d ago', '–', '–'])
    expect(text()).toContain('1 of 1 online')
    await screen.close()
    await open([local])
    expect(text()).not.toContain('online')
    await screen.close()
    await open([local], `/settings/agents?id=${NIL_UUID}`)
    expect(pageOf(document.body).find('button', 'Save')).not.toBeNull()
    for (const name of ['Delete', 'Show installation instructions']) {
      expect(pageOf(document.body).find('button', name)).toBeNull()
    }
  })

  it('says what agents are where there are none, and offers the first', async () => {
    await open([])
    expect(text()).toContain('Agents run checks in other networks and push the results here.')
    await screen.click(shown().all('button', 'Create new agent').at(-1) ?? null)
    expect(screen.search()).toBe('?addAgent=true')
  })

  it('says so, too, where the server itself is the only one', async () => {
    const local = buildAgent('local', { id: NIL_UUID })
    await open([local])
    expect(text()).toContain('No agents yet.')
    await screen.close()
    await open([local, edge])
    expect(text()).not.toContain('No agents yet.')
  })

  it('offers a new agent to those who may write, and to nobody else', async () => {
    await open([edge])
    await screen.click(shown().get('button', 'Create new agent'))
    expect(screen.search()).toBe('?addAgent=true')
    await screen.close()
    screen = await renderScreen(<AgentList topic={buildTopicView([edge])} />, { roles: ['viewer'] })
    expect(shown().find('button', 'Create new agent')).toBeNull()
  })

  it('turns an agent offline 61 s after it was seen, without a message from the server', async () => {
    await open([edge])
    await screen.advance(31_000)
    expect(table()[0]?.[5]).toBe('Online')
    await screen.advance(1_000)
    expect(table()[0]?.[5]).toBe('Offline')
  })

  it("shows the server's judgement, and follows it when it is pushed", async () => {
    // Seen an hour ago by this clock, which may be wrong: the server says otherwise.
    const judged = (status: 'online' | 'offline') => buildAgent('lab', { last_seen: '2025-12-31T23:00:00Z', status })
    await open([judged('online')])
    expect(table()[0]?.[5]).toBe('Online')
    expect(text()).toContain('1 of 1 online')
    await screen.rerender(<AgentList topic={buildTopicView([judged('offline')])} />)
    expect(table()[0]?.[5]).toBe('Offline')
    expect(text()).toContain('0 of 1 online')
  })

  it('offers page sizes of 50, 100 and 200, and keeps the chosen one in the address', async () => {
    await open(
      Array.from({ length: 60 }, (_, at) => buildAgent(`agent-${at}`)),
      '/settings/agents?pageSize=100',
    )
    expect(table()).toHaveLength(60)
    const sizes = shown().within(shown().field('Rows per page')).all('option')
    expect(sizes.map(({ textContent }) => textContent)).toEqual(['50', '100', '200'])
  })

  it('sorts by a column of the address, and turns the order on a click', async () => {
    await open([edge, lab, unseen], '/settings/agents?sortBy=name&sortOrder=asc')
    const names = () => table().map(([name]) => name)
    expect(names()).toEqual(['edge', 'lab', 'unseen'])
    await screen.click(shown().get('button', 'Name'))
    expect(screen.search()).toBe('?sortBy=name')
    expect(names()).toEqual(['unseen', 'lab', 'edge'])
  })

  it('falls back key by key when the address is nonsense, and never leaves the last page', async () => {
    await open([edge], '/settings/agents?sortBy=moon&sortOrder=up&pageIndex=9&pageSize=7')
    expect(table()).toHaveLength(1)
  })

  it('pages from the fifty-first agent on', async () => {
    await open(
      Array.from({ length: 51 }, (_, at) => buildAgent(`agent-${String(at).padStart(2, '0')}`)),
      '/settings/agents?sortBy=name&sortOrder=asc&pageIndex=1',
    )
    expect(table().map(([name]) => name)).toEqual(['agent-50'])
    expect(text()).toContain('Page 2 of 2')
  })

  it.each([
    ['live', 'No data available'],
    ['loading', 'Loading agents'],
    ['failed', 'Could not load agents'],
    ['denied', 'You do not have permission to access this page'],
  ] as const)('says what is the case when there are no rows and the topic is %s', async (state, said) => {
    await open([], '/settings/agents', state)
    expect(text()).toContain(said)
  })
})
