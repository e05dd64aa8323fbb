import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { RunTopology } from '../../../../web/src/features/topologies/RunTopology.tsx'
import { TryTopology } from '../../../../web/src/features/topologies/TryTopology.tsx'

const TRY = 'POST /api/canary/try/topology'
const ID = '018f0000-0000-7000-8000-0000000000b1'
const RUN = `POST /api/canary/run/topology/${ID}`
const tried = (name: string, parent: number | null, more: object = {}) => ({
  id: null,
  parent,
  name,
  type: 'Service',
  text: null,
  icon: null,
  hidden: false,
  change: 'new',
  checks: 0,
  configs: 0,
  ...more,
})

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})
const text = (): string => pageOf(screen.container).text()

it('shows the tree that a sync would make, what becomes of each, and what would be deleted', async () => {
  server = createFakeServer()
  screen = await renderScreen(<TryTopology specText="components: []" topologyId={ID} />)
  let body: unknown
  server.on(TRY, (_url, init) => {
    body = JSON.parse(init.body as string)
    return json({
      total: 2_025,
      counts: { new: 1_000, unchanged: 1_024, changed: 0, moved: 1, returned: 0 },
      components: [
        tried('Shop', null, { change: 'unchanged', id: ID }),
        tried('Web', 0, { change: 'moved', id: ID, checks: 2, configs: 1, hidden: true }),
        tried('Store', 0, { text: 'The store' }),
      ],
      deleted: { total: 1, components: [{ id: ID, name: 'Old', type: null }] },
      problems: ['Web: http.0: it answered 500'],
    })
  })
  await screen.click(pageOf(screen.container).get('button', 'Try it'))
  await screen.waitFor(() => expect(text()).toContain('2,025 components: 1,000 new, 0 changed, 1 moved, 1 deleted.'))
  for (const shown of [
    'and 2,022 more',
    'The store',
    '2 checks, 1 config item, hidden',
    'Deleted: 1',
    'Old',
    'it answered 500',
  ]) {
    expect(text()).toContain(shown)
  }
  expect(screen.container.querySelectorAll('ul ul li')).toHaveLength(2)
  expect(body).toEqual({ spec: { components: [] }, topology_id: ID })
})

it('says why nothing was tried', async () => {
  server = createFakeServer()
  screen = await renderScreen(<TryTopology specText="components: []" topologyId={null} />)
  server.on(TRY, () => json(refusal('X', 'spec.components.0.name: This field is required'), 400))
  await screen.click(pageOf(screen.container).get('button', 'Try it'))
  await screen.waitFor(() => expect(text()).toContain('This field is required'))
})

const row = (agent: string = NIL_UUID) => ({ id: ID, name: 'Harbour', agent_id: agent })

it.each([
  [{ status: 'ok', count: '34', errors: [] }, 'Harbour: 34 components'],
  [{ status: 'ok', count: '1', errors: ['Pods: http.0: it answered 500'] }, 'Harbour: Pods: http.0: it answered 500'],
  [{ status: 'ok', count: '5' }, 'Harbour: 5 components'],
])('says what the sync %j did', async (answer, said) => {
  server = createFakeServer()
  screen = await renderScreen(<RunTopology row={row()} />)
  server.on(RUN, () => json(answer))
  await screen.click(pageOf(screen.container).get('button', 'Run now'))
  await screen.waitFor(() => expect(document.body.textContent).toContain(said))
})

it('is not run from here where its agent has it', async () => {
  server = createFakeServer()
  screen = await renderScreen(<RunTopology row={row(ID)} />)
  await screen.click(pageOf(screen.container).get('button', 'Run now'))
  expect(server.requests).toEqual([])
})
