import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ConfigChecks } from '../../../../web/src/features/config-item/components/ConfigChecks.tsx'

let live: readonly object[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

let screen: RenderedScreen
afterEach(async () => {
  live = []
  await screen.close()
  vi.unstubAllGlobals()
})

it('has the checks of an item with how they are and did, and opens one over the list', async () => {
  const server = createFakeServer()
  server.on('GET /api/db/check_summary_for_config?', () =>
    json([
      {
        id: 'c1',
        name: 'shop answers',
        type: 'http',
        status: 'unhealthy',
        uptime: { passed: 3, failed: 1, last_pass: null },
        latency: { p95: 140 },
      },
      { id: 'c2', name: 'never ran', type: 'tcp', uptime: { passed: 0, failed: 0 }, latency: null },
    ]),
  )
  screen = await renderScreen(
    <ConfigChecks
      configId="018f0000-0000-7000-8000-000000000001"
      renderPanel={({ checkId }) => <p>Panel of {checkId}</p>}
    />,
    { address: '/catalog/018f0000-0000-7000-8000-000000000001/checks' },
  )
  const shown = pageOf(screen.container)
  await screen.waitFor(() => expect(shown.text()).toContain('shop answers'))
  expect(shown.text()).toContain('75.00%')
  expect(shown.text()).toContain('140ms')
  const asked = server.requests.find((line) => line.includes('check_summary_for_config'))
  expect(asked).toContain('config_id=eq.018f0000')
  expect(asked).toContain('order=status.desc.nullslast,name.asc')
  await screen.click(shown.get('link', 'shop answers'))
  await screen.waitFor(() => expect(shown.text()).toContain('Panel of c1'))
})

it('keeps failing checks first as they change', async () => {
  const check = (id: string, status: string) => ({ id, name: `check ${id}`, type: 'http', status })
  createFakeServer().on('GET /api/db/check_summary_for_config?', () =>
    json([check('c3', 'unhealthy'), check('c1', 'healthy'), check('c2', 'healthy')]),
  )
  live = [check('c2', 'unhealthy'), check('c3', 'healthy')]
  screen = await renderScreen(<ConfigChecks configId="018f0000-0000-7000-8000-000000000001" renderPanel={() => null} />)
  const shown = pageOf(screen.container)
  await screen.waitFor(() =>
    expect(shown.all('link').map(({ textContent }) => textContent)).toEqual(['check c2', 'check c1', 'check c3']),
  )
})
