import { ROLES } from '@watchroom/shared/access'
import type { Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { SettingsVersion } from '@watchroom/shared/protocol'
import { type FeatureArea, INTEGRATION_TABLES } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { SETTINGS_PARTS } from '../../../../web/src/app/settingsParts.ts'
import { IntegrationsScreen } from '../../../../web/src/features/integrations/IntegrationsScreen.tsx'

let live: SettingsVersion[] = []
let runs: { id: string; status: string }[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) => buildTopicView<{ id: string }>(name === 'jobs' ? runs : live),
}))
let disabled = new Set<FeatureArea>()
vi.mock('../../../../web/src/api/featureFlags.tsx', async (original) => ({
  ...(await original<object>()),
  useDisabledAreas: () => disabled,
}))
let params: Record<string, string> = {}
vi.mock('@tanstack/react-router', async (original) => ({ ...(await original<object>()), useParams: () => params }))
// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

const ID = '018f0000-0000-7000-8000-0000000000d1'
const ROW = {
  id: ID,
  name: 'cluster',
  namespace: 'monitoring',
  integration_type: 'scrapers',
  source: 'UI',
  agent_id: NIL_UUID,
  agent: null,
  job_status: 'FAILED',
  job_time_start: '2026-01-01T00:00:00Z',
  creator_name: 'Robin',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

let screen: RenderedScreen
let server: FakeServer
let page: Page
let rows: object[]
beforeEach(() => {
  live = []
  runs = []
  disabled = new Set()
  rows = [ROW]
  page = pageOf()
  server = createFakeServer()
  server.on('GET /api/db/integrations_with_status', () => json(rows))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(query = '', role: Role = 'admin'): Promise<void> {
  screen = await renderScreen(<IntegrationsScreen />, { address: `/settings/integrations${query}`, roles: [role] })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading integrations'))
}

describe('the integrations', () => {
  it('are listed with what runs them, newest first', async () => {
    await open()
    expect(page.headers()).toEqual([
      'Name',
      'Namespace',
      'Type',
      'Source',
      'Job',
      'Last run',
      'Created by',
      'Created',
      'Updated',
    ])
    expect(page.rows()[0]?.slice(0, 5)).toEqual(['cluster', 'monitoring', 'Catalog scraper', 'UI', 'Failed'])
    const asked = server.requests.find((line) => line.includes('integrations_with_status')) ?? ''
    expect(asked).toContain('deleted_at=is.null&order=created_at.desc.nullslast&limit=100&offset=0')
  })

  it.each(['scrapers', 'topologies', 'logging_backends'])(
    'of the type %s lead to their row',
    async (integration_type) => {
      rows = [{ ...ROW, integration_type }]
      await open()
      expect(page.get('link', 'cluster').getAttribute('href')).toBe(`/settings/integrations/${integration_type}/${ID}`)
    },
  )

  it('that failed say why', async () => {
    rows = [{ ...ROW, job_details: { errors: ['no such host'] } }]
    await open()
    expect(page.rows()[0]?.[4]).toBe('Failedno such host')
    expect(page.find('button', 'no such host')).not.toBeNull()
  })

  it('of an agent name it', async () => {
    rows = [{ ...ROW, agent_id: ID, agent: { id: ID, name: 'edge' } }]
    await open()
    expect(page.rows()[0]?.[3]).toBe('edge')
  })

  it('are read again when someone saves one', async () => {
    await open()
    rows = [{ ...ROW, name: 'another' }]
    live = [{ id: ID, version: '2' }]
    await screen.rerender(<IntegrationsScreen />)
    await screen.waitFor(() => expect(page.rows()[0]?.[0]).toBe('another'))
  })

  it('are read again when something has run', async () => {
    await open()
    rows = [{ ...ROW, name: 'another' }]
    runs = [{ id: ID, status: 'SUCCESS' }]
    await screen.rerender(<IntegrationsScreen />)
    await screen.waitFor(() => expect(page.rows()[0]?.[0]).toBe('another'))
  })

  it('are none: No resources found', async () => {
    rows = []
    await open()
    expect(page.text()).toContain('No resources found')
    const offered = page.all('button', 'Add Integration')
    expect(offered).toHaveLength(2)
    await screen.click(offered[1] ?? null)
    expect(screen.search()).toBe('?add=true')
  })
})

describe('Add Integration', () => {
  const offered = (): string[] =>
    page
      .within(page.get('dialog'))
      .all('link')
      .map((link) => link.getAttribute('href') ?? '')

  it('leads to the forms of topologies, scrapers and log backends', async () => {
    await open()
    await screen.click(page.get('button', 'Add Integration'))
    await screen.waitFor(() => expect(page.find('dialog')).not.toBeNull())
    expect(screen.search()).toBe('?add=true')
    expect(offered()).toEqual(['/settings/topologies/new', '/catalog/scrapers/new', '/settings/logging_backends/new'])
  })

  it('makes manifests and commands of a chart and its values, and nothing is sent', async () => {
    await open('?add=true')
    await screen.waitFor(() => expect(page.find('dialog')).not.toBeNull())
    const asked = server.requests.length
    const choice = page.all('button').find((button) => button.textContent?.startsWith('Kubernetes'))
    if (choice === undefined) throw new Error('no chart for Kubernetes')
    await screen.click(choice)
    await screen.waitFor(() => expect(screen.search()).toBe('?add=kubernetes'))
    expect(page.text()).toContain('You will need to have Kubernetes chart installed in flux to use this option.')
    expect(page.text()).toContain('kind: HelmRelease')
    expect(page.text()).toContain('chart: mission-control-kubernetes')
    await screen.click(page.get('tab', 'Helm CLI'))
    expect(page.text()).toContain('helm install mission-control-kubernetes flanksource/mission-control-kubernetes')
    expect(page.text()).toContain('--set clusterName=kubernetes')
    expect(server.requests).toHaveLength(asked)
    await screen.click(page.get('button', 'Back'))
    await screen.waitFor(() => expect(screen.search()).toBe('?add=true'))
  })

  it('asks before values that were not copied are lost, by Close, Escape and Back', async () => {
    await open('?add=kubernetes')
    await screen.waitFor(() => expect(page.find('dialog')).not.toBeNull())
    await screen.type(page.field('Namespace'), 'watch')
    const close = page.all('button', 'Close').find((button) => button.textContent === 'Close')
    for (const leave of [
      () => screen.click(close ?? null),
      () => screen.press('Escape', page.get('dialog')),
      () => screen.click(page.get('button', 'Back')),
    ]) {
      await leave()
      await screen.waitFor(() => expect(page.text()).toContain('Discard what you entered?'))
      await screen.click(page.get('button', 'Stay'))
      await screen.waitFor(() => expect(page.text()).not.toContain('Discard what you entered?'))
    }
    expect(screen.search()).toBe('?add=kubernetes')
    expect(page.field('Namespace')).toHaveProperty('value', 'watch')
    await screen.click(close ?? null)
    await screen.waitFor(() => expect(page.find('button', 'Discard')).not.toBeNull())
    await screen.click(page.get('button', 'Discard'))
    await screen.waitFor(() => expect(screen.search()).toBe(''))
  })

  it('offers no log backends where logs are switched off', async () => {
    disabled = new Set<FeatureArea>(['logs'])
    await open('?add=true')
    expect(offered()).not.toContain('/settings/logging_backends/new')
  })

  it.each(ROLES)('is there for a %s who may write, and for nobody else', async (role) => {
    await open('?add=true', role)
    const mayWrite = role === 'admin' || role === 'editor'
    expect(page.find('button', 'Add Integration') !== null).toBe(mayWrite)
    expect(page.find('dialog') !== null).toBe(mayWrite)
  })
})

describe('the page of an integration', () => {
  const openPage = async (type: string, roles?: readonly Role[]): Promise<void> => {
    params = { type, id: ID }
    for (const table of Object.values(INTEGRATION_TABLES)) {
      server.on(`GET /api/db/${table}`, () => json([{ id: ID, name: 'cluster', spec: {}, source: 'UI' }]))
    }
    server.on('GET /api/db/job_histories', () => json([]))
    const { Screen } = await SETTINGS_PARTS['/settings/integrations/$type/$id']()
    screen = await renderScreen(<Screen />, roles ? { roles } : {})
  }

  it.each([
    ['scrapers', 'config_scraper', 'No job has run for this catalog scraper.'],
    ['topologies', 'topology', 'No job has run for this topology.'],
    ['logging_backends', 'logging_backend', 'Log backends are read when someone searches, not on a schedule.'],
  ])('of the type %s is the form of its table, with its jobs in a tab', async (type, resourceType, none) => {
    await openPage(type)
    await screen.waitFor(() => expect(page.field('Name')).toMatchObject({ value: 'cluster', readOnly: true }))
    expect(page.find('tab', 'Spec')).not.toBeNull()
    await screen.click(page.get('tab', 'Job History'))
    await screen.waitFor(() => expect(page.text()).toContain(none))
    expect(server.requests.some((line) => line.includes(`resource_type=eq.${resourceType}&resource_id=eq.${ID}`))).toBe(
      true,
    )
  })

  it.each([
    ['scrapers', true],
    ['topologies', true],
    ['logging_backends', false],
  ])('of the type %s is run and tried as on the page of its own list: %s', async (type, isRun) => {
    await openPage(type, ['admin'])
    await screen.waitFor(() => expect(page.field('Name')).toMatchObject({ value: 'cluster' }))
    expect([page.find('button', 'Run now') !== null, page.find('button', 'Try it') !== null]).toEqual([isRun, isRun])
  })

  it.each(['nonsense', 'constructor'])('of the type %s says Unknown type, and asks for nothing', async (type) => {
    await openPage(type)
    expect(page.text()).toContain('Unknown type')
    expect(server.requests).toEqual([])
  })
})
