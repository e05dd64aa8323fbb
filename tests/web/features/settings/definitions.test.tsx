import { NIL_UUID } from '@watchroom/shared/kernel'
import { jobsTopic, topicKey } from '@watchroom/shared/protocol'
import { placeOf, SETTINGS_RESOURCES, type SettingsTable } from '@watchroom/shared/settings'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { json } from '#support/web/fakeServer.ts'
import { setField } from '#support/web/setField.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { SCREENS } from '../../../../web/src/app/screens.ts'
import { NewSettingsScreen } from '../../../../web/src/features/settings/screens/NewSettingsScreen.tsx'
import { SettingsListScreen } from '../../../../web/src/features/settings/screens/SettingsListScreen.tsx'
import { SettingsById } from '../../../../web/src/features/settings/screens/SettingsScreen.tsx'
import { openSettings, type SettingsPage } from './settingsPage.tsx'

vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: vi.fn<() => void>(),
  showErrorToast: vi.fn<() => void>(),
}))
// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

const ID = '018f0000-0000-7000-8000-000000000001'

let page: SettingsPage
afterEach(async () => {
  await page.screen.close()
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

const OF_JOBS = ['Last run', 'Job status', 'Last failed']
const OF_ALL = ['Created by', 'Created', 'Updated']

describe.each<[SettingsTable, string[]]>([
  ['teams', ['Name', 'Source', ...OF_JOBS, ...OF_ALL]],
  ['incident_rules', ['Name', 'Source', ...OF_ALL]],
  ['config_scrapers', ['Name', 'Source', ...OF_JOBS, ...OF_ALL]],
  ['topologies', ['Name', 'Namespace', 'Labels', 'Schedule', 'Source', ...OF_JOBS, ...OF_ALL]],
  ['canaries', ['Name', 'Namespace', 'Labels', 'Schedule', 'Source', ...OF_JOBS, 'Created by', 'Created']],
  ['logging_backends', ['Name', 'Labels', 'Source', ...OF_ALL]],
])('the list of %s', (table, headers) => {
  const definition = SETTINGS_RESOURCES[table]

  it('has the columns that its rows fill, and leads to each of them', async () => {
    const view = definition.statusView ?? table
    page = await openSettings(definition, <SettingsListScreen definition={definition} />, {
      rows: [{ id: ID, name: 'shop', created_by: { id: 'p1', name: 'Robin' } }],
      address: placeOf(definition),
    })
    await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    expect(page.headers()).toEqual(headers)
    expect(page.get('link', 'shop').getAttribute('href')).toBe(`${placeOf(definition)}/${ID}`)
    const asked = page.server.requests.find((line) => line.includes(`/api/db/${view}?`)) ?? ''
    expect(asked).toContain('deleted_at=is.null&order=created_at.desc.nullslast&limit=100')
  })

  it('is read again when something of it has run, where it shows that', async () => {
    page = await openSettings(definition, <SettingsListScreen definition={definition} />, {
      rows: [{ id: ID, name: 'shop' }],
      address: placeOf(definition),
    })
    await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    const asked = (): number => page.server.requests.filter((line) => line.includes('deleted_at=is.null')).length
    const before = asked()
    await act(async () =>
      page.screen.queryClient.setQueryData(topicKey(jobsTopic, { resourceId: '' }), [{ id: ID, status: 'SUCCESS' }]),
    )
    await page.screen.advance(5_000)
    await page.screen.waitFor(() => expect(asked() > before).toBe(definition.statusView !== undefined))
  })

  it('stands at its address, and asks for its right', () => {
    expect(SCREENS.find(({ path }) => path === placeOf(definition))).toMatchObject({
      title: definition.title,
      resource: definition.resource,
      area: definition.area,
    })
  })
})

describe('the schedule in a list', () => {
  it.each<[SettingsTable, object, string]>([
    ['topologies', { schedule: '@hourly', spec: { schedule: '@every 1m' } }, '@hourly'],
    ['topologies', { schedule: null, spec: { schedule: '@every 1m' } }, '@every 1m'],
    ['topologies', { schedule: null, spec: {} }, '@every 10m'],
    ['canaries', { interval: '30' }, '@every 30s'],
    ['canaries', {}, '@every 60s'],
  ])('of %s with %j is the one that counts', async (table, row, schedule) => {
    const definition = SETTINGS_RESOURCES[table]
    page = await openSettings(definition, <SettingsListScreen definition={definition} />, {
      rows: [{ id: ID, name: 'shop', ...row }],
      address: placeOf(definition),
    })
    await page.screen.waitFor(() => expect(page.rows()[0]).toContain(schedule))
  })
})

const openRow = async (table: SettingsTable, row: object, address = '') => {
  const definition = SETTINGS_RESOURCES[table]
  const tabs = [{ id: 'jobs', title: 'Job History', render: ({ id }: { id: string }) => <p>Jobs of {id}</p> }]
  page = await openSettings(definition, <SettingsById id={ID} definition={definition} tabs={tabs} />, {
    rows: [{ id: ID, name: 'shop', spec: {}, source: 'UI', ...row }],
    address: `${placeOf(definition)}/${ID}${address}`,
  })
  await page.screen.waitFor(() => expect(page.text()).toContain('Spec'))
}

describe('a row', () => {
  it('has its jobs in a tab, in the address', async () => {
    await openRow('topologies', {})
    await page.screen.click(page.get('tab', 'Job History'))
    await page.screen.waitFor(() => expect(page.text()).toContain(`Jobs of ${ID}`))
    expect(page.screen.search()).toBe('?tab=jobs')
  })

  it('opens at the tab that a link names, and at its spec for any other', async () => {
    await openRow('topologies', {}, '?tab=jobs')
    expect(page.text()).toContain(`Jobs of ${ID}`)
    await page.screen.close()
    await openRow('topologies', {}, '?tab=nonsense')
    expect(page.get('tab', 'Spec').getAttribute('aria-selected')).toBe('true')
  })

  it.each([
    [{ schedule: '@every 1m' }, 'As in the spec (@every 1m)'],
    [{}, 'Not set (@every 10m by default)'],
  ])('with the spec %j says when it runs without a choice', async (spec, words) => {
    await openRow('topologies', { spec })
    await page.screen.waitFor(() => expect(page.field('Schedule').textContent).toContain(words))
  })

  it('of an agent is read only, and names the agent', async () => {
    await openRow('config_scrapers', { agent_id: ID, agent: { id: ID, name: 'edge' } })
    expect(page.get('link', 'Linked to edge').getAttribute('href')).toBe(`/settings/agents?id=${ID}`)
    expect(page.find('button', 'Save')).toBeNull()
    expect(page.server.requests.some((line) => line.includes('agent:agents(id,name)'))).toBe(true)
  })

  it('of a scraper shows its source, which nobody edits', async () => {
    await openRow('config_scrapers', { source: 'UI', agent_id: NIL_UUID })
    expect(page.field('Source')).toMatchObject({ value: 'UI', readOnly: true })
  })
})

describe('a new row', () => {
  const openNew = async (table: SettingsTable): Promise<void> => {
    const definition = SETTINGS_RESOURCES[table]
    page = await openSettings(definition, <NewSettingsScreen definition={definition} />, {
      address: `${placeOf(definition)}/new`,
    })
    page.onWrite(() => json([{ id: ID, name: 'shop' }], 201))
    await page.screen.waitFor(() => expect(page.field('Spec')).toHaveProperty('readOnly', false))
    await setField(page.field('Name'), 'shop')
  }

  it.each<[SettingsTable, string, object]>([
    ['teams', 'components: []\n', { icon: null, spec: { components: [] } }],
    ['incident_rules', 'components: [{ name: shop }]\n', { spec: { components: [{ name: 'shop' }] } }],
    ['config_scrapers', 'trivy: [{}]\n', { spec: { trivy: [{}] } }],
    ['topologies', '', { namespace: 'default', labels: {}, schedule: null, spec: {} }],
  ])('of %s is saved with its fields, and leads to the list', async (table, spec, values) => {
    await openNew(table)
    await setField(page.field('Spec'), spec)
    await page.submit()
    await page.screen.waitFor(() => expect(page.screen.path()).toBe(placeOf(SETTINGS_RESOURCES[table])))
    expect(page.bodies).toEqual([{ name: 'shop', ...values, source: 'UI', created_by: 'user-1' }])
    expect(page.toasts()).toEqual(['shop added successfully'])
  })

  it.each<[SettingsTable, string]>([
    ['incident_rules', 'components'],
    ['logging_backends', 'backends'],
    ['topologies', 'components'],
  ])('of %s begins with a spec that can be saved as it is', async (table, key) => {
    await openNew(table)
    await page.submit()
    await page.screen.waitFor(() => expect(page.screen.path()).toBe(placeOf(SETTINGS_RESOURCES[table])))
    expect(page.bodies).toMatchObject([{ name: 'shop', spec: { [key]: [expect.anything()] } }])
  })

  it.each<[SettingsTable, string, string]>([
    ['config_scrapers', 'kubernetes: [{}]\n', 'kubernetes.0.clusterName: This field is required'],
    ['incident_rules', 'filter: {}\n', 'components: This field is required'],
    ['topologies', 'components: [{}]\n', 'components.0.name: This field is required'],
  ])('of %s is not saved while its spec is not one; nothing is lost', async (table, spec, fault) => {
    await openNew(table)
    await setField(page.field('Spec'), spec)
    await page.submit()
    await page.screen.waitFor(() => expect(page.text()).toContain(fault))
    expect(page.bodies).toEqual([])
    expect(page.field('Spec')).toHaveProperty('value', spec)
  })

  it.each<[SettingsTable, string, object, string]>([
    [
      'config_scrapers',
      'gcp: [{ project: shop }]\nlogLevel: debug\n',
      { gcp: [{ project: 'shop' }], logLevel: 'debug' },
      'spec: Unrecognized keys: "gcp", "logLevel"',
    ],
    [
      'incident_rules',
      'filter: { status: [unhealthy] }\n',
      { filter: { status: ['unhealthy'] } },
      'components: This field is required',
    ],
    [
      'topologies',
      'components: [{ name: a, relationships: [] }]\n',
      { components: [{ name: 'a', relationships: [] }] },
      'components.0: Unrecognized key: "relationships"',
    ],
    ['logging_backends', 'kubernetes: [{}]\n', { kubernetes: [{}] }, 'kubernetes'],
  ])('of %s is saved as it is where the backend has schemas of its own', async (table, text, spec, fault) => {
    await openNew(table)
    await act(async () =>
      page.screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['specJudges'] }),
    )
    await setField(page.field('Spec'), text)
    await page.screen.waitFor(() => expect(page.text()).toContain('Not known here'))
    expect(page.text()).toContain(fault)
    expect(page.text()).toContain('. This backend may know more')
    await page.submit()
    await page.screen.waitFor(() => expect(page.bodies).toMatchObject([{ name: 'shop', spec }]))
  })

  it('of config scrapers has to be readable wherever it is saved', async () => {
    await openNew('config_scrapers')
    await act(async () =>
      page.screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['specJudges'] }),
    )
    await setField(page.field('Spec'), 'gcp: [')
    await page.submit()
    await page.screen.waitFor(() => expect(page.text()).toMatch(/Line \d: /))
    expect(page.bodies).toEqual([])
  })

  it('of topologies is saved by a button that is off, and says why, until the spec is one', async () => {
    await openNew('topologies')
    const save = () => page.get('button', 'Save')
    const reason = () => document.getElementById(save().getAttribute('aria-describedby') ?? '')?.textContent
    await setField(page.field('Name'), 'shop')
    await setField(page.field('Spec'), 'components: [{}]\n')
    await page.screen.waitFor(() => expect(reason()).toBe('Spec: components.0.name: This field is required'))
    expect(save().getAttribute('aria-disabled')).toBe('true')
    await setField(page.field('Spec'), 'components: [{name: web}]\n')
    await page.screen.waitFor(() => expect(save().getAttribute('aria-disabled')).toBe('false'))
    expect(reason()).toBeUndefined()
  })
})
