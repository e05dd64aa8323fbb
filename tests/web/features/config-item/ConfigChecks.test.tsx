import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ConfigChecks } from '../../../../web/src/features/config-item/components/ConfigChecks.tsx'

let screen: RenderedScreen
afterEach(async () => {
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
  expect(server.requests.find((line) => line.includes('check_summary_for_config'))).toContain('config_id=eq.018f0000')
  await screen.click(shown.get('link', 'shop answers'))
  await screen.waitFor(() => expect(shown.text()).toContain('Panel of c1'))
})
