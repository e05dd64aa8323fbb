import type { Burst } from '@watchroom/shared/topology'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ComponentDialogs } from '../../../web/src/app/ComponentDialogs.tsx'
import { InsightActions } from '../../../web/src/app/InsightActions.tsx'
import { MakeIncident } from '../../../web/src/app/MakeIncident.tsx'
import type { InsightDetail } from '../../../web/src/features/insights/queries.ts'

const ID = '018f0000-0000-7000-8000-0000000000a1'

let server: FakeServer
let screen: RenderedScreen
let attached: { evidence?: unknown }[]
beforeEach(() => {
  attached = []
  server = createFakeServer()
  const incident = { id: 'i1', incident_id: 'INC-1', title: 'Checkout is down', status: 'open', severity: 'high' }
  server.on('GET /api/db/incidents', () => json([incident]))
  server.on('GET /api/db/hypotheses', () => json([{ id: 'h1', title: 'Disk', type: 'root', status: 'possible' }]))
  for (const table of ['incidents', 'hypotheses']) server.on(`POST /api/db/${table}`, () => json([], 201))
  server.on('POST /api/db/evidences', (_, { body }) => {
    attached.push(JSON.parse(body as string) as object)
    return json([], 201)
  })
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const radio = (id: string) => document.querySelector<HTMLInputElement>(`input[type="radio"][value="${id}"]`)

async function show(part: ReactNode): Promise<void> {
  screen = await renderScreen(part)
}

async function linkToIncident(): Promise<void> {
  for (const id of ['i1', 'h1']) {
    await screen.waitFor(() => expect(radio(id)).not.toBeNull())
    await act(async () => radio(id)?.click())
  }
  await submit(screen)
}

describe('evidence of what has a state', () => {
  const component = { id: ID, name: 'print-api' }
  it.each<[string, ReactNode, object]>([
    [
      'a component',
      <ComponentDialogs
        key="component"
        component={{ ...component, health: 'unhealthy', status: 'error' }}
        open="incident"
        onClose={() => undefined}
      />,
      { id: ID, health: 'unhealthy', status: 'error' },
    ],
    [
      'a component of which nothing is known',
      <ComponentDialogs key="unknown" component={component} open="incident" onClose={() => undefined} />,
      { id: ID },
    ],
  ])('of %s says how it stood when it was linked', async (_, part, evidence) => {
    await show(part)
    await linkToIncident()
    await screen.waitFor(() => expect(attached).toMatchObject([{ type: 'topology', component_id: ID }]))
    expect(attached[0]?.evidence).toEqual(evidence)
  })

  it.each([
    ['open', { status: 'open' }],
    [null, {}],
  ])('of an insight that is %s says just that', async (status, evidence) => {
    const insight = { id: ID, analyzer: 'limits', summary: 'No limits', status } as InsightDetail
    await show(<InsightActions insight={insight} />)
    await screen.click(pageOf().get('button', 'Link to incident'))
    await linkToIncident()
    await screen.waitFor(() => expect(attached).toMatchObject([{ config_analysis_id: ID }]))
    expect(attached[0]?.evidence).toEqual(evidence)
  })

  it('of components that became different together says what each became last', async () => {
    const change = { id: ID, name: 'print-api', from: 'healthy', to: 'warning', at: 0 } as const
    const last = { ...change, from: 'warning', to: 'unhealthy', at: 1 } as const
    const burst: Burst = { id: 'shop', name: 'shop', transitions: [change, last], minutes: 1 }
    await show(<MakeIncident burst={burst} />)
    await screen.click(pageOf().get('button', 'Make incident'))
    await screen.waitFor(() => expect(fieldOf('Title')).not.toBeNull())
    await submit(screen)
    await screen.waitFor(() => expect(attached).toHaveLength(1))
    expect(attached[0]).toMatchObject({ component_id: ID, evidence: { id: ID, health: 'unhealthy' } })
  })
})
