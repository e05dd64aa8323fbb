import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { SilencedResource } from '../../../web/src/app/SilencedResource.tsx'

const ID = '018f0000-0000-7000-8000-000000000001'
const ABOVE = '018f0000-0000-7000-8000-000000000002'

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

it('says that a component is silenced, by itself or by what is above it, until when, and leads to the silence', async () => {
  const server = createFakeServer()
  screen = await renderScreen(<div />)
  const at = (minutes: number): string => new Date(screen.clock.now() + minutes * 60_000).toISOString()
  const silence = (id: string, from: number, until: number) => ({ id, from: at(from), until: at(until) })
  const coming = { ...silence('s0', 10, 30), description: 'next week' }
  const active = { ...silence('s1', -10, 20), description: 'planned work' }
  server.on('GET /api/db/notification_silences', () => json([coming, active]))
  await screen.rerender(<SilencedResource column="component_id" id={ID} path={`${ABOVE}.${ID}`} />)
  await screen.waitFor(() => expect(document.body.textContent).toContain('Notifications are silenced. planned work.'))
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/settings/notifications/silence?id=s1')
  const about = `or=(component_id.eq.${ID},and(recursive.is.true,component_id.in.(${ABOVE})))`
  expect(server.requests).toEqual([expect.stringContaining(about)])
})

it('says nothing where no silence holds', async () => {
  const server = createFakeServer()
  server.on('GET /api/db/notification_silences', () => json([]))
  screen = await renderScreen(<SilencedResource column="config_id" id={ID} path={null} />)
  await screen.waitFor(() => expect(server.requests).toHaveLength(1))
  expect(server.requests[0]).toContain(`or=(config_id.eq.${ID})`)
  expect(screen.container.textContent).toBe('')
})
