import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ConfigRuns } from '../../../../../web/src/features/playbooks/components/ConfigRuns.tsx'
// Loaded when it is wanted; here beforehand, so that no test waits for it.
import '../../../../../web/src/ui/table/Pagination.tsx'

let live: readonly object[] = []
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

const CONFIG = '018f0000-0000-7000-8000-000000000001'
const TOTAL = 450
const run = (id: string, status: string) => ({
  id,
  status,
  created_at: '2026-01-01T00:00:00Z',
  playbook_id: '018f0000-0000-7000-8000-0000000000a1',
  playbooks: { id: '018f0000-0000-7000-8000-0000000000a1', name: 'restart', title: 'Restart it' },
})

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  live = []
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(search = '') {
  server = createFakeServer()
  server.on('GET /api/db/playbook_runs?', () => {
    const body = JSON.stringify([run('r1', 'running'), run('r2', 'completed')])
    return new Response(body, { headers: { 'content-range': `0-1/${TOTAL}` } })
  })
  screen = await renderScreen(<ConfigRuns configId={CONFIG} />, { address: `/catalog/${CONFIG}/playbooks${search}` })
  return pageOf(screen.container)
}
const asked = () => server.requests.findLast((line) => line.includes('playbook_runs'))

it('are the runs on an item, newest first, 200 a page, each leading to its page', async () => {
  const shown = await open()
  await screen.waitFor(() => expect(shown.all('link').length).toBeGreaterThan(0))
  for (const part of [`config_id=eq.${CONFIG}`, 'order=created_at.desc', 'limit=200&offset=0']) {
    expect(asked()).toContain(part)
  }
  expect(shown.all('link')[0]?.getAttribute('href')).toBe('/playbooks/runs/r1')
  await screen.waitFor(() => expect(shown.text()).toContain('Page 1 of 3'))
  await screen.click(shown.get('button', 'Next'))
  await screen.waitFor(() => expect(asked()).toContain('limit=200&offset=200'))
  expect(screen.search()).toContain('pageIndex=1')
})

it('are followed: the topic knows better how a run stands', async () => {
  live = [run('r1', 'failed')]
  const shown = await open()
  await screen.waitFor(() => expect(shown.text()).toContain('Failed'))
  expect(shown.text()).not.toContain('Running')
})
