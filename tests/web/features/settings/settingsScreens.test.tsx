import type { Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { settingsTopic, topicKey } from '@watchroom/shared/protocol'
import type { SettingsResource } from '@watchroom/shared/settings'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { json, refusal } from '#support/web/fakeServer.ts'
import { setField } from '#support/web/setField.ts'

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

/** A table that has everything, with specs that may hold anything. */
const DEFINITION: SettingsResource = {
  table: 'teams',
  resource: 'topologies',
  area: 'settings.topology',
  title: 'Topology',
  noun: 'topology',
  nouns: 'topologies',
  fields: ['namespace', 'icon', 'labels', 'schedule'],
  statusView: 'teams_with_status',
}
const ID = '018f0000-0000-7000-8000-000000000001'
const ROW = {
  id: ID,
  name: 'shop',
  namespace: 'default',
  icon: 'server',
  labels: { team: 'web' },
  schedule: '@hourly',
  spec: { http: { password: '***' } },
  source: 'UI',
  agent_id: NIL_UUID,
  created_by: { id: 'p1', name: 'Robin' },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
}
const THEIRS = { ...ROW, spec: { http: { path: '/theirs' } }, updated_at: '2026-01-03T00:00:00Z' }

let page: SettingsPage
afterEach(async () => {
  await page.screen.close()
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

const LIST = '/settings/teams'
const openList = async (rows: readonly object[], { address = LIST, roles = ['admin'] as readonly Role[] } = {}) => {
  page = await openSettings(DEFINITION, <SettingsListScreen definition={DEFINITION} />, { rows, address, roles })
}
const openNew = async () => {
  page = await openSettings(DEFINITION, <NewSettingsScreen definition={DEFINITION} />, { address: `${LIST}/new` })
  page.onWrite(() => json([ROW], 201))
}
const openRow = async (row: object | null = ROW, { id = ID, roles = ['admin'] as readonly Role[] } = {}) => {
  const rows = row === null ? [] : [row]
  page = await openSettings(DEFINITION, <SettingsById id={id} definition={DEFINITION} />, {
    rows,
    roles,
    address: `${LIST}/${id}`,
  })
  page.onWrite(() => json(rows))
}
/** The editor is there a moment after its field. */
const spec = async (): Promise<HTMLTextAreaElement> => {
  await page.screen.waitFor(() => expect(page.field('Spec')).toHaveProperty('readOnly', false))
  return page.field('Spec') as HTMLTextAreaElement
}
const valueOf = (label: string): string => (page.field(label) as HTMLInputElement).value
const address = (): string => page.screen.path()
/** Someone saved a row: the topic says so. */
const announce = (version: string) =>
  act(async () =>
    page.screen.queryClient.setQueryData(topicKey(settingsTopic, { table: 'teams' as const }), [{ id: ID, version }]),
  )

describe('the list of a settings table', () => {
  it('shows what its rows have, from the view with their last job, newest first, 100 a page', async () => {
    await openList([{ ...ROW, job_status: 'FAILED', last_runtime: ROW.updated_at, agent: null }])
    await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    expect(page.headers()).toEqual([
      'Name',
      'Namespace',
      'Labels',
      'Schedule',
      'Source',
      'Last run',
      'Job status',
      'Last failed',
      'Created by',
      'Created',
      'Updated',
    ])
    const [cells = []] = page.rows()
    expect(cells).toEqual(expect.arrayContaining(['shop', 'team: web', '@hourly', 'UI', 'Failed', 'Robin']))
    expect(page.get('link', 'shop').getAttribute('href')).toBe(`${LIST}/${ID}`)
    expect(page.get('link', 'shop').querySelector('[data-icon="server"]')).not.toBeNull()
    expect(page.server.requests[0]).toBe(
      'GET /api/db/teams_with_status?select=*,created_by(id,name,avatar)&deleted_at=is.null&order=created_at.desc.nullslast&limit=100&offset=0',
    )
  })

  it.each([
    ['FAILED', { errors: ['no such host', 'and more'] }, 'Failedno such host'],
    ['WARNING', { errors: [{ code: 3 }] }, 'Warning{"code":3}'],
    ['SUCCESS', { errors: ['of a part'] }, 'Success'],
    ['FAILED', null, 'Failed'],
    ['FAILED', 'odd', 'Failed'],
  ])('says below the status %s why, where the job of a row tells %j', async (job_status, job_details, said) => {
    await openList([{ ...ROW, job_status, job_details }])
    await page.screen.waitFor(() => expect(page.rows()[0]).toContain(said))
  })

  it.each([
    [{ source: 'ConfigFile' }, 'Local file'],
    [{ source: 'KubernetesCRD' }, 'Kubernetes'],
    [{ source: 'Push' }, 'Pushed'],
    [{ source: 'component/c1' }, 'Component'],
    [{ agent_id: 'a1', agent: { id: 'a1', name: 'edge' } }, 'edge'],
  ])('says where a row of %j is defined', async (origin, word) => {
    await openList([{ ...ROW, ...origin }])
    await page.screen.waitFor(() => expect(page.rows()[0]).toContain(word))
  })

  it('searches by name and filters by source, in the address', async () => {
    await openList([ROW], { address: `${LIST}?query=sh&source=elsewhere&sortBy=name&sortOrder=asc` })
    await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    const [request = ''] = page.server.requests
    expect(request).toContain('&name=ilike.*sh*&source=not.in.(UI,self,demo)&order=name.asc.nullslast')
    await setField(page.field('Source'), 'UI')
    await page.screen.advance(0)
    expect(page.screen.search()).toContain('source=UI')
    await page.screen.waitFor(() =>
      expect(page.server.requests.at(-1)).toContain('&or=(source.is.null,source.in.(UI,self,demo))&'),
    )
  })

  it('finds rows of an agent elsewhere, whatever their source: they are defined there', async () => {
    const definition: SettingsResource = { ...DEFINITION, hasAgent: true }
    const options = { rows: [ROW], roles: ['admin'] as const, address: `${LIST}?source=elsewhere` }
    page = await openSettings(definition, <SettingsListScreen definition={definition} />, options)
    await page.screen.waitFor(() =>
      expect(page.server.requests[0]).toContain(`&or=(agent->>id.neq.${NIL_UUID},source.not.in.(UI,self,demo))&`),
    )
    await setField(page.field('Source'), 'UI')
    await page.screen.waitFor(() =>
      expect(page.server.requests.at(-1)).toContain(
        `&and=(or(agent->>id.is.null,agent->>id.eq.${NIL_UUID}),or(source.is.null,source.in.(UI,self,demo)))&`,
      ),
    )
  })

  it('orders by nothing that it does not show', async () => {
    await openList([ROW], { address: `${LIST}?sortBy=spec` })
    await page.screen.waitFor(() => expect(page.server.requests[0]).toContain('order=created_at.desc'))
  })

  it.each<{ role: Role; adds: number }>([
    { role: 'admin', adds: 2 },
    { role: 'editor', adds: 2 },
    { role: 'commander', adds: 0 },
    { role: 'responder', adds: 0 },
    { role: 'viewer', adds: 0 },
  ])('is empty in so many words, with a way to add for a $role who may', async ({ role, adds }) => {
    await openList([], { roles: [role] })
    await page.screen.waitFor(() => expect(page.text()).toContain('No resources found'))
    expect(page.text()).toContain('Teams own components, are notified about them, and respond to incidents.')
    expect(page.all('button', 'Add topology')).toHaveLength(adds)
  })

  it('says why it cannot be read, and tries again', async () => {
    await openList([])
    page.server.on('GET /api/db/teams', () => json(refusal('X', 'The backend did not answer.'), 500))
    await act(() => page.screen.queryClient.resetQueries())
    await page.screen.waitFor(() => expect(page.text()).toContain('The backend did not answer.'))
    page.server.on('GET /api/db/teams', () => json([ROW]))
    await page.screen.click(page.get('button', 'Try again'))
    await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
  })

  it('is read again when someone saved a row', async () => {
    await openList([ROW])
    await page.screen.waitFor(() => expect(page.text()).toContain('shop'))
    page.server.on('GET /api/db/teams', () => json([{ ...ROW, name: 'front' }]))
    await announce('2')
    await page.screen.waitFor(() => expect(page.text()).toContain('front'))
  })
})

describe('a new settings row', () => {
  it('begins in the namespace default, is saved as of the UI, and leads to the list', async () => {
    await openNew()
    expect(valueOf('Namespace')).toBe('default')
    await setField(page.field('Name'), ' shop ')
    await page.screen.click(page.get('button', 'Add label'))
    await setField(page.field('Label 1, name'), 'team')
    await setField(page.field('Label 1, value'), 'web')
    await setField(page.field('Schedule'), '@hourly')
    await setField(await spec(), '{"http": {"path": "/"}}')
    await page.submit()
    await page.screen.waitFor(() => expect(address()).toBe(LIST))
    expect(page.bodies).toEqual([
      {
        name: 'shop',
        namespace: 'default',
        icon: null,
        labels: { team: 'web' },
        schedule: '@hourly',
        spec: { http: { path: '/' } },
        source: 'UI',
        created_by: 'user-1',
      },
    ])
    expect(page.toasts()).toEqual(['shop added successfully'])
  })

  it('is not saved without a name or with a spec that cannot be read; the faults stand at their fields', async () => {
    await openNew()
    await setField(page.field('Namespace'), ' ')
    await setField(await spec(), 'http:\n  - [')
    await page.submit()
    await page.screen.waitFor(() => expect(page.errorOf(page.field('Name'))).toBe('This field is required'))
    expect(document.activeElement).toBe(page.field('Name'))
    expect(page.errorOf(page.field('Namespace'))).toBe('This field is required')
    expect(page.errorOf(page.field('Spec'))).toMatch(/^Line \d: /)
    expect((page.field('Spec') as HTMLTextAreaElement).value).toBe('http:\n  - [')
    expect(page.bodies).toEqual([])
  })

  it('shows a refusal of the database at the field it names, and keeps what was typed', async () => {
    await openNew()
    const taken = 'Key (agent_id, name, namespace)=(…) already exists.'
    page.onWrite(() => json(refusal('PROXY_BACKEND_REFUSED', 'duplicate key', '23505', taken), 409))
    await setField(page.field('Name'), 'shop')
    await page.submit()
    await page.screen.waitFor(() =>
      expect(page.errorOf(page.field('Name'))).toBe('This name is already used in this namespace'),
    )
    const secret = 'spec.http.password: no secret is stored here that *** could stand for. Enter it.'
    page.onWrite(() => json(refusal('PROXY_BACKEND_REFUSED', secret, '23514'), 400))
    await page.submit()
    await page.screen.waitFor(() => expect(page.errorOf(page.field('Spec'))).toMatch(/^http\.password: no secret/))
    expect(valueOf('Name')).toBe('shop')
    expect(page.toasts()).toEqual([])
  })
})

describe('a settings row', () => {
  it('locks name and namespace, and is saved over exactly the version that was edited', async () => {
    await openRow()
    const text = await spec()
    expect(text.value).toBe('http:\n  password: "***"\n')
    expect(page.field('Name')).toHaveProperty('readOnly', true)
    expect(page.field('Namespace')).toHaveProperty('readOnly', true)
    await setField(page.field(/^Icon/), '')
    await setField(text, `${text.value}  path: /\n`)
    const key = new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true })
    await act(async () => text.dispatchEvent(key))
    await page.screen.waitFor(() => expect(address()).toBe(LIST))
    // What is masked goes back masked: the database keeps it.
    expect(page.bodies).toEqual([
      { icon: null, labels: { team: 'web' }, schedule: '@hourly', spec: { http: { password: '***', path: '/' } } },
    ])
    expect(page.server.requests.find((line) => line.startsWith('PATCH'))).toContain(
      `id=eq.${ID}&deleted_at=is.null&updated_at=eq.${ROW.updated_at}`,
    )
    expect(page.toasts()).toEqual(['shop updated successfully'])
  })

  it('follows what others save while nothing was typed', async () => {
    await openRow()
    await spec()
    page.server.on('GET /api/db/teams', () => json([THEIRS]))
    await announce('2')
    await page.screen.waitFor(() => expect(valueOf('Spec')).toContain('/theirs'))
  })

  it('says that someone else saved it while something was typed, and writes over nothing unseen', async () => {
    await openRow()
    await setField(await spec(), 'http:\n  path: /mine\n')
    page.server.on('GET /api/db/teams', () => json([THEIRS]))
    const version = { id: 2, version: {}, previous: null, saved_at: THEIRS.updated_at, credentials_changed: [] }
    page.server.on('GET /api/db/settings_history', () => json([{ ...version, saved_by: { id: 'p2', name: 'Grace' } }]))
    await announce('2')
    await page.screen.waitFor(() => expect(page.text()).toContain('Grace saved this topology'))
    expect(valueOf('Spec')).toContain('/mine')
    page.onWrite((url) => json(url.searchParams.get('updated_at') === `eq.${THEIRS.updated_at}` ? [THEIRS] : []))
    await page.submit()
    await page.screen.waitFor(() => expect(page.all('button', 'Overwrite with mine')).toHaveLength(1))
    expect(page.text()).toContain('/theirs')
    expect(page.find('dialog', 'Grace saved this topology')).not.toBeNull()
    expect(address()).not.toBe(LIST)
    await page.screen.click(page.get('button', 'Overwrite with mine'))
    await page.screen.waitFor(() => expect(address()).toBe(LIST))
  })

  it('says that someone deleted it meanwhile, and keeps what was typed', async () => {
    await openRow()
    await setField(await spec(), 'a: 1')
    page.onWrite(() => json([]))
    page.server.on('GET /api/db/teams', (url) => json(url.searchParams.has('deleted_at') ? [] : [ROW]))
    await page.submit()
    await page.screen.waitFor(() =>
      expect(page.toasts()).toEqual(['Someone deleted this topology while you were editing it.']),
    )
    expect(valueOf('Spec')).toBe('a: 1')
    expect(address()).not.toBe(LIST)
  })

  it('is deleted softly after asking, whatever was typed, and leads to the list', async () => {
    await openRow()
    await setField(await spec(), 'a: 1')
    await page.screen.click(page.get('button', 'Delete'))
    expect(page.text()).toContain('Delete shop?')
    expect(page.text()).toContain('It no longer owns components or receives notifications.')
    expect(page.bodies).toEqual([])
    await page.screen.click(page.get('button', 'Delete topology'))
    await page.screen.waitFor(() => expect(address()).toBe(LIST))
    expect(page.bodies).toEqual([{ deleted_at: 'now()' }])
    expect(page.toasts()).toEqual(['shop deleted successfully'])
  })

  it.each([
    ['has no row', ID],
    ['cannot be one', 'nonsense'],
  ])('is not found at an address that %s', async (_, id) => {
    await openRow(null, { id })
    await page.screen.waitFor(() => expect(page.text()).toContain('Details not found'))
  })

  it.each<[string, object, Role, string]>([
    ['the role may not write', ROW, 'viewer', 'Your role can view topologies but not change them.'],
    ['it has a source', { ...ROW, source: 'ConfigFile' }, 'admin', 'Linked to local file.'],
    ['it was deleted', { ...ROW, deleted_at: ROW.updated_at }, 'admin', 'This topology was deleted.'],
  ])('is read only where %s, and says so', async (_, row, role, text) => {
    await openRow(row, { roles: [role] })
    await page.screen.waitFor(() => expect(page.text()).toContain(text))
    expect(page.field(/^Icon/)).toHaveProperty('readOnly', true)
    expect(page.find('button', 'Save')).toBeNull()
    expect(page.find('button', 'Delete')).toBeNull()
    await page.submit()
    expect(page.bodies).toEqual([])
  })
})

describe('the history of a row', () => {
  const version = (id: number, spec: object, more: object = {}) => ({
    id,
    version: { name: 'shop', icon: 'server', labels: { team: 'web' }, schedule: '@hourly', spec },
    previous: null,
    saved_at: '2026-01-01T00:00:00Z',
    saved_by: { id: 'p1', name: 'Robin' },
    credentials_changed: [],
    ...more,
  })
  const VERSIONS = [
    version(
      2,
      { path: '/new' },
      { previous: version(1, { path: '/old' }).version, credentials_changed: ['spec.password'] },
    ),
    version(1, { path: '/old' }),
  ]
  const openHistory = async (roles: readonly Role[]) => {
    await openRow(ROW, { roles })
    page.server.on('GET /api/db/settings_history', () => json(VERSIONS))
    await page.screen.waitFor(() => expect(page.get('tab', 'History')).toBeTruthy())
    await page.screen.click(page.get('tab', 'History'))
    await page.screen.waitFor(() => expect(page.text()).toContain('Credentials changed: spec.password'))
  }

  it('says who changed what, of credentials only that they changed, and restores what it was', async () => {
    await openHistory(['admin'])
    expect(page.text()).toMatch(/Robin · (?:Dec 31|Jan 01), \d\d:\d\d:00/)
    expect(page.text()).toContain('path: /old')
    expect(page.text()).toContain('path: /new')
    await page.screen.click(page.get('button', 'Restore'))
    await page.screen.click(page.get('button', 'Restore topology'))
    await page.screen.waitFor(() => expect(page.toasts()).toEqual(['shop restored successfully']))
    expect(page.bodies).toEqual([
      { icon: 'server', labels: { team: 'web' }, schedule: '@hourly', spec: { path: '/old' } },
    ])
  })

  it('is only read by whoever may not write', async () => {
    await openHistory(['viewer'])
    expect(page.find('button', 'Restore')).toBeNull()
  })
})
