import type { Role } from '@watchroom/shared/access'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { ConnectionsScreen } from '../../../../web/src/features/connections/screens/ConnectionsScreen.tsx'
import { showErrorToast, showToast } from '../../../../web/src/ui/toaster.ts'

vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: vi.fn<() => void>(),
  showErrorToast: vi.fn<() => void>(),
}))
const NO_ROWS: { id: string }[] = []
let peers: { id: string; userId: string; name: string }[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) => buildTopicView<{ id: string }>(name === 'presence' ? peers : NO_ROWS),
}))
// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

const ID = '00000000-0000-4000-8000-000000000001'
const ROW = {
  id: ID,
  name: 'shop',
  namespace: 'prod',
  type: 'http',
  url: 'https://shop.example',
  username: '***',
  password: '***',
  insecure_tls: false,
  properties: null,
  source: 'UI',
  created_by: { id: 'p', name: 'Robin' },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  used_by: [{ kind: 'check', id: 'c', name: 'shop is up' }],
  credentials: [{ place: 'password', set_at: '2026-01-01T00:00:00Z', set_by: 'Ada' }],
  tested_at: '2026-01-02T00:00:00Z',
  test_outcome: 'failed',
  test_message: 'connection refused',
}

let screen: RenderedScreen
let server: FakeServer
let page: Page
const bodies: unknown[] = []

async function open(
  address: string,
  options: { roles?: readonly Role[]; rows?: readonly object[] } = {},
): Promise<void> {
  const { roles = ['admin'], rows = [ROW] } = options
  server = createFakeServer()
  bodies.length = 0
  server.on('GET /api/db/connections_with_status', () => json(rows))
  screen = await renderScreen(<ConnectionsScreen />, { address: `/settings/connections${address}`, roles })
  page = pageOf()
}
afterEach(async () => {
  await screen.close()
  peers = []
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

function onSend(start: string, answer: () => Response): void {
  server.on(start, (_, init) => {
    bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null)
    return answer()
  })
}

const whenShown = (name: string): Promise<void> =>
  screen.waitFor(() => expect(page.find('dialog', name)).not.toBeNull())

async function submit(): Promise<void> {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await screen.advance(0)
}

const toasts = (): string[] =>
  [...vi.mocked(showToast).mock.calls, ...vi.mocked(showErrorToast).mock.calls].map(([text]) => text)

describe('the list of connections', () => {
  it('has the columns of the third specification and says what is broken', async () => {
    await open('')
    await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    expect(page.headers()).toEqual([
      'Name',
      'Namespace',
      'Type',
      'Used by',
      'Last test',
      'Source',
      'Created by',
      'Created',
      'Updated',
    ])
    const text = page.rows()[0]?.join(' ') ?? ''
    for (const part of ['shop', 'prod', 'HTTP', 'shop is up', 'Failed', 'UI', 'Robin']) expect(text).toContain(part)
    // Why the test failed is read by everyone, not only with a pointer.
    expect(page.find('button', 'connection refused')).not.toBeNull()
  })

  it('says what connections are for when there are none, and offers to add one', async () => {
    await open('', { rows: [] })
    await screen.waitFor(() => expect(page.text()).toContain('No connections yet'))
    await screen.click(page.all('button', 'Add connection').at(-1) ?? null)
    expect(screen.search()).toContain('new=pick')
  })
})

describe('adding a connection', () => {
  it('begins with one of 41 types in six groups, which a search narrows', async () => {
    await open('?new=pick')
    await whenShown('Add connection')
    const dialog = page.within(page.get('dialog'))
    expect(dialog.all('region')).toHaveLength(6)
    expect(dialog.all('listitem')).toHaveLength(41)
    await setField(dialog.get('searchbox'), 'postg')
    await screen.advance(500)
    await screen.waitFor(() =>
      expect(dialog.all('listitem').map(({ textContent }) => textContent)).toEqual(['Postgres']),
    )
  })

  it('leads back from the form to the types', async () => {
    await open('?new=http')
    await whenShown('Add HTTP connection')
    await screen.click(page.get('button', 'Back'))
    await whenShown('Add connection')
    expect(screen.search()).toContain('new=pick')
  })

  it.each(['?new=nonsense', '?new=jmeter', '?new=constructor', '?id=nonsense'])(
    'opens nothing for %s',
    async (address) => {
      await open(address)
      await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
      expect(page.find('dialog')).toBeNull()
    },
  )

  it('opens no form for whoever may not write', async () => {
    await open('?new=http', { roles: ['viewer'] })
    await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    expect(page.find('dialog')).toBeNull()
  })

  it('saves name, namespace, type and fields, and says so', async () => {
    await open('?new=http')
    onSend('POST /api/db/connections', () => json([{ ...ROW, id: 'b' }], 201))
    await whenShown('Add HTTP connection')
    await setField(page.field('Name'), 'shop')
    await setField(page.field(/^URL/), 'https://shop.example')
    await setField(page.field('Username'), 'ada')
    await setField(page.field('Password'), 'right')
    await submit()
    await screen.waitFor(() => expect(toasts()).toEqual(['Connection added successfully']))
    expect(bodies).toEqual([
      {
        name: 'shop',
        namespace: 'default',
        type: 'http',
        url: 'https://shop.example',
        username: 'ada',
        password: 'right',
        insecure_tls: false,
        properties: null,
        source: 'UI',
        created_by: 'user-1',
      },
    ])
    expect(page.find('dialog')).toBeNull()
  })

  it('sends nothing while something required is missing, and keeps what was typed', async () => {
    await open('?new=http')
    onSend('POST /api/db/connections', () => json([], 201))
    await whenShown('Add HTTP connection')
    await setField(page.field('Name'), 'shop')
    await submit()
    await screen.waitFor(() => expect(page.text()).toContain('This field is required'))
    expect(bodies).toEqual([])
    expect(page.field('Name')).toHaveProperty('value', 'shop')
  })
})

describe('a test', () => {
  it.each([
    [200, { message: 'ok' }, 'The connection works'],
    [400, { error: 'connection refused' }, 'connection refused'],
    [400, { error: '{"why":"no"}' }, '{\n  "why": "no"\n}'],
    [400, { error: '' }, 'Testing connection failed!'],
    [501, { error: 'not implemented' }, 'We currently do not support testing this connection type'],
  ])('shows %s %j as it is specified', async (status, answer, text) => {
    await open(`?id=${ID}`)
    onSend('POST /api/connection/test', () => json(answer, status))
    await whenShown('shop')
    await screen.click(page.get('button', 'Test'))
    await screen.waitFor(() => expect(page.all('status').map((one) => one.textContent)).toContain(text))
    expect(server.requests.at(-1)).toBe(`POST /api/connection/test/${ID}`)
  })

  it('takes what is entered and not saved, and *** for what is stored', async () => {
    await open(`?id=${ID}`)
    onSend('POST /api/connection/test', () => json({ message: 'ok' }))
    await whenShown('shop')
    await setField(page.field(/^URL/), 'https://other.example')
    await screen.click(page.get('button', 'Test'))
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ id: ID, type: 'http', url: 'https://other.example', password: '***' })
  })

  it('is announced where it sends a message', async () => {
    await open('?new=slack')
    await whenShown('Add Slack connection')
    expect(page.get('button', 'Send test message')).toBeTruthy()
    expect(page.text()).toContain('Sends one message, marked as a test.')
  })
})

describe('a test by the clock', () => {
  it('is chosen in the form of what is connected to, and kept with its properties', async () => {
    await open(`?id=${ID}`, { rows: [{ ...ROW, properties: { region: 'eu' } }] })
    onSend('PATCH /api/db/connections', () => json([ROW]))
    await whenShown('shop')
    expect(page.field(/^Test regularly/)).toHaveProperty('value', '')
    await setField(page.field(/^Test regularly/), '15m')
    await submit()
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies).toMatchObject([{ properties: { region: 'eu', testEvery: '15m' } }])
  })

  it('is not offered for what sends a message', async () => {
    await open('?new=slack')
    await whenShown('Add Slack connection')
    expect(page.text()).not.toContain('Test regularly')
  })

  it.each([
    ['failed', 'Failed', /every 15m/],
    [null, 'Not yet, every 15m', /./],
  ])('shows in the list how often it is made: %s', async (test_outcome, word, rhythm) => {
    await open('', { rows: [{ ...ROW, test_outcome, properties: { testEvery: '15m' } }] })
    await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
    const text = page.rows()[0]?.join(' ') ?? ''
    expect(text).toContain(word)
    expect(text).toMatch(rhythm)
  })
})

describe('a stored connection', () => {
  it('says when and by whom a credential was set, and replaces it on demand alone', async () => {
    await open(`?id=${ID}`)
    onSend('PATCH /api/db/connections', () => json([ROW]))
    await whenShown('shop')
    expect(page.text()).toMatch(/Set .+ by Ada/)
    expect(document.querySelector('input[type="password"]')).toBeNull()
    await screen.click(page.get('button', 'Replace Password'))
    await setField(page.field('Password'), 'new')
    await submit()
    await screen.waitFor(() => expect(toasts()).toEqual(['Connection updated successfully']))
    expect(bodies[0]).toMatchObject({ username: '***', password: 'new' })
    expect(server.requests.find((line) => line.startsWith('PATCH'))).toContain('updated_at=eq.2026-01-01T00:00:00Z')
  })

  it('of two administrators, one offline, is overwritten by neither unseen', async () => {
    await open(`?id=${ID}`)
    await whenShown('shop')
    await setField(page.field(/^URL/), 'https://mine.example')
    // Back online: the row is not the version that was edited any more.
    const theirs = { ...ROW, url: 'https://theirs.example', updated_at: '2026-01-03T00:00:00Z' }
    server.on('GET /api/db/connections_with_status', () => json([theirs]))
    server.on('PATCH /api/db/connections', (url, init) => {
      if (url.searchParams.get('updated_at') !== `eq.${theirs.updated_at}`) return json([])
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null)
      return json([theirs])
    })
    await submit()
    await screen.waitFor(() => expect(page.text()).toContain('https://theirs.example'))
    expect(page.field(/^URL/)).toHaveProperty('value', 'https://mine.example')
    expect([bodies, toasts()]).toEqual([[], []])
    await screen.click(page.get('button', 'Overwrite with mine'))
    await screen.waitFor(() => expect(toasts()).toEqual(['Connection updated successfully']))
    expect(bodies).toMatchObject([{ url: 'https://mine.example', password: '***' }])
  })

  it('has no way back to the types', async () => {
    await open(`?id=${ID}`)
    await whenShown('shop')
    expect(page.find('button', 'Back')).toBeNull()
    expect(page.field('Name')).toHaveProperty('readOnly', true)
  })

  it('says what breaks before it is deleted', async () => {
    await open(`?id=${ID}`)
    onSend('PATCH /api/db/connections', () => json([{ id: ID }]))
    await whenShown('shop')
    await screen.click(page.get('button', 'Delete'))
    await whenShown('Delete shop?')
    expect(page.text()).toContain('shop is up (check)')
    await screen.click(page.get('button', 'Delete connection'))
    await screen.waitFor(() => expect(toasts()).toEqual(['Connection deleted successfully']))
  })

  it('is shown as YAML when nobody here knows its type', async () => {
    await open(`?id=${ID}`, { rows: [{ ...ROW, type: 'of-tomorrow' }] })
    await whenShown('shop (of-tomorrow)')
    await screen.waitFor(() => expect(page.field('Connection')).toHaveProperty('value'))
    expect((page.field('Connection') as HTMLTextAreaElement).value).toContain('url: https://shop.example')
  })

  it.each([
    ['http', { source: 'ConfigFile' }, 'Linked to local file'],
    ['http', { source: 'KubernetesCRD' }, 'comes from a resource in Kubernetes'],
    ['of-tomorrow', { source: 'KubernetesCRD' }, 'comes from a resource in Kubernetes'],
    ['of-tomorrow', { deleted_at: '2026-01-02T00:00:00Z' }, 'This connection was deleted.'],
  ])('of the type %s is read-only with %j', async (type, columns, reason) => {
    await open(`?id=${ID}`, { rows: [{ ...ROW, type, ...columns }] })
    await whenShown(type === 'http' ? 'shop' : 'shop (of-tomorrow)')
    expect(page.text()).toContain(reason)
    expect(page.find('button', 'Save')).toBeNull()
    expect(page.find('button', 'Delete')).toBeNull()
  })
})

it.each(['http', 'of-tomorrow'])('a connection of the type %s shows who else has it open', async (type) => {
  peers = [{ id: '1', userId: 'p2', name: 'Grace Hopper' }]
  await open(`?id=${ID}`, { rows: [{ ...ROW, type }] })
  await whenShown(type === 'http' ? 'shop' : 'shop (of-tomorrow)')
  await screen.waitFor(() => expect(page.find('list', '1 other here')).not.toBeNull())
})

describe('the history of a connection', () => {
  const version = (id: number, values: object, previous: object | null = null) => ({
    id,
    version: { name: 'shop', namespace: 'prod', type: 'http', username: '***', password: '***', ...values },
    previous,
    saved_at: '2026-01-01T00:00:00Z',
    saved_by: { id: 'p', name: 'Robin' },
    credentials_changed: [],
  })
  const OLD = version(1, { url: 'https://old.example' })

  async function openHistory(roles: readonly Role[] = ['admin'], row: object = ROW): Promise<void> {
    await open(`?id=${ID}`, { roles, rows: [row] })
    server.on('GET /api/db/settings_history', () => json([version(2, { url: ROW.url }, OLD.version), OLD]))
    await whenShown('shop')
    await screen.click(page.get('button', 'History'))
    await screen.waitFor(() => expect(page.text()).toContain('url: https://old.example'))
  }
  async function restore(): Promise<void> {
    await screen.click(page.get('button', 'Restore'))
    await screen.click(page.get('button', 'Restore connection'))
  }

  it('restores what it was over the version that is shown', async () => {
    await openHistory()
    onSend('PATCH /api/db/connections', () => json([ROW]))
    await restore()
    await screen.waitFor(() => expect(toasts()).toEqual(['Connection updated successfully']))
    expect(bodies).toMatchObject([{ url: 'https://old.example', username: '***', password: '***' }])
    expect(server.requests.find((line) => line.startsWith('PATCH'))).toContain(`updated_at=eq.${ROW.updated_at}`)
  })

  const GONE = 'no secret is stored here that *** could stand for. Enter it.'
  const faultOfPassword = (): string =>
    [...document.querySelectorAll('fieldset')].find((group) => group.textContent.startsWith('Password'))?.textContent ??
    ''

  it('shows the refusal of a credential that is gone at its field', async () => {
    await openHistory()
    onSend('PATCH /api/db/connections', () => json(refusal('BAD_REQUEST', `password: ${GONE}`, '23514'), 400))
    await restore()
    await screen.waitFor(() => expect(faultOfPassword()).toContain(GONE))
    expect(page.find('dialog', 'Restore shop?')).toBeNull()
    expect(toasts()).toEqual([])
  })

  it('does not restore a credential of a column that is empty by now', async () => {
    await openHistory(['admin'], { ...ROW, password: null, credentials: [] })
    onSend('PATCH /api/db/connections', () => json([ROW]))
    await restore()
    await screen.waitFor(() => expect(faultOfPassword()).toContain(GONE))
    expect(bodies).toEqual([])
  })
})
