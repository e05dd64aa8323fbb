// Every role on every screen: what is read, and what is offered, has to be what the matrix says, once by itself and once narrowed by
// another backend's policy. The tables, topics, routes and documents are asked by tests/security/matrix.integration.test.ts.
import { createMemoryHistory } from '@tanstack/react-router'
import {
  type Action,
  can,
  isPermitted,
  mayUseRoute,
  OBJECTS,
  type Permission,
  type PolicyObject,
  RESOURCES,
  type Resource,
  type Role,
  ROLES,
} from '@watchroom/shared/access'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { ANA } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld } from '#support/incidentWorld.ts'
import { shareOf } from '#support/share.ts'
import { grantsOf } from '#support/strictBackend/policy.ts'
import {
  type Control,
  ID,
  PUSHED_ID,
  READ_ELSEWHERE,
  READ_PARTS,
  ROUTE_CONTROLS,
  WRITE_CONTROLS,
} from '#support/web/controls.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'

import { App } from '../../../web/src/app/App.tsx'
import { type AppRouter, createAppRouter } from '../../../web/src/app/routes.tsx'
import { type ScreenEntry, SCREENS } from '../../../web/src/app/screens.ts'
import type { OpenIncidentOptions } from '../../../web/src/collab/openIncidents.ts'
import type { OpenSocket } from '../../../web/src/live/contract.ts'

/** What stands behind the page, set by each test. */
const behind = vi.hoisted(() => ({
  rowsOf: (_topic: string, _params: { readonly id?: string }): readonly object[] => [],
  connect: (_options: OpenIncidentOptions): unknown => undefined,
}))
// A gateway that answers at once, and says nothing afterwards.
vi.mock('../../../web/src/live/openSocket.ts', () => ({
  createOpenSocket: (): OpenSocket => (handlers) => {
    const tell = (message: object): void => queueMicrotask(() => handlers.onMessage(message))
    tell({ type: 'welcome', version: 1, now: Date.now(), beatMs: 60_000 })
    return {
      send: (message) => {
        if (message.type !== 'subscribe') return
        const now = Date.now()
        const position = { epoch: 'one', offset: 0, asOf: now, now, freshForMs: 60_000, page: 0, pages: 1 }
        tell({ type: 'snapshot', id: message.id, ...position, rows: behind.rowsOf(message.topic, message.params) })
      },
      close: () => undefined,
    }
  },
  inflateRaw: () => '',
}))
// The room of an incident is one in memory.
vi.mock('../../../web/src/collab/openIncidents.ts', () => ({
  openIncidents: {
    open: (options: OpenIncidentOptions) => ({ connection: behind.connect(options), release: () => undefined }),
  },
}))
// The editor draws nothing without a real browser.
vi.mock('../../../web/src/editor/YamlEditor.tsx', () => ({ YamlEditor: () => null }))

const AT = '2026-01-01T00:00:00Z'
const NEVER = '9999-01-01T00:00:00Z'
const ROW = { id: ID, name: 'shop', namespace: 'default', spec: {}, source: 'UI', created_at: AT, updated_at: AT }
const RULE = { ...ROW, title: 'shop', events: ['check.failed'], pending: 0, sent: 0, failed: 0 }
/** What happened to an item before this week is not kept. */
const NOW = new Date().toISOString()
const RUN = {
  kind: 'run',
  id: ID,
  playbook_id: ID,
  status: 'pending',
  created_at: NOW,
  start_time: NOW,
  config_id: ID,
  config: { id: ID, name: 'shop' },
  playbooks: { id: ID, name: 'shop', spec: { approval: { approvers: { people: ['ana@example.test'] } } } },
}

const STEP = {
  kind: 'action',
  id: '018f0000-0000-7000-8000-0000000000a3',
  name: 'restart',
  status: 'completed',
  start_time: NOW,
  end_time: NOW,
}

/** One row of each, by what their address begins with; the first one counts. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'GET /gateway/backend': { changes: 'announced', missing: [] },
  'GET /gateway/wall/': [],
  'GET /api/properties': [],
  'GET /api/db/teams': [ROW],
  [`GET /api/db/incident_rules?select=id,name&id=eq.${ID}`]: [{ id: ID, name: 'rule of shop' }],
  'GET /api/db/incident_rules': [ROW],
  [`GET /api/db/incidents?id=eq.${ID}`]: [{ ...ROW, incident_id: 'INC-1', incident_rule_id: ID }],
  'GET /api/db/canaries': [{ ...ROW, spec: { interval: 30, http: [{ name: 'shop', url: 'https://shop.example' }] } }],
  [`GET /api/db/topologies?id=eq.${ID}&select=name`]: [{ name: 'estate of shop' }],
  'GET /api/db/topologies': [ROW],
  'GET /api/db/config_scrapers': [ROW],
  'GET /api/db/logging_backends': [ROW],
  'GET /api/db/connections_with_status': [
    { ...ROW, type: 'http', url: 'https://shop.example', used_by: [], credentials: [] },
  ],
  'GET /api/db/notifications': [RULE],
  'GET /api/db/notification_send_history_summary': [
    {
      ...ROW,
      source_event: 'check.failed',
      resource_id: ID,
      recipient: 'Ana',
      status: 'error',
      count: 1,
      attempts: 1,
    },
  ],
  'GET /api/db/properties': [{ name: 'shop.limit', value: '1', created_at: AT, updated_at: AT }],
  'GET /api/db/event_queue?': [
    { id: ID, name: 'check.failed', error: 'no route to host', attempts: 1, properties: {} },
  ],
  'GET /api/db/playbooks': [ROW],
  'GET /api/db/config_detail': [
    {
      ...ROW,
      type: 'File::YAML',
      config_class: 'File',
      config_scrapers: { id: ID, name: 'files of shop' },
      summary: { playbook_runs: 2 },
    },
  ],
  [`GET /api/db/config_items?id=eq.${ID}&select=name`]: [{ name: 'web of shop' }],
  'GET /api/db/components?': [{ id: ID, name: 'shop' }],
  'GET /api/db/agents?': [{ id: ID, name: 'edge' }],
  'GET /api/db/artifacts?': [{ id: ID, filename: 'report.txt', size: 1 }],
  'GET /api/db/config_component_relationships': [
    {
      config_id: ID,
      component_id: ID,
      selector_id: 'manual',
      components: { id: ID, name: 'shop' },
      configs: { id: ID, name: 'shop' },
    },
  ],
  'GET /api/db/checks?': [
    { ...ROW, canary_id: ID, type: 'http', status: 'healthy', canaries: { id: ID, name: 'shop', source: 'UI' } },
  ],
  'GET /api/db/people?': [{ id: ANA, name: 'Ana Ash', email: 'ana@example.test' }],
  'GET /api/db/': [],
}

const TOPICS: Readonly<Record<string, readonly object[]>> = {
  agents: [{ id: ID, name: 'edge', created_at: AT }],
  checks: [buildCheck({ id: ID, canary_id: ID, name: 'shop' })],
  config: [{ ...ROW, type: 'File::YAML', config_class: 'File' }],
  featureFlags: [{ name: 'shop.limit', value: '1', source: 'db', description: '' }],
  people: [
    {
      id: ID,
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.org',
      role: 'editor',
      state: 'active',
      createdAt: AT,
      lastSeenAt: AT,
      invitedUntil: null,
      sessions: 2,
      providerDecides: 'nothing',
      isAddressUnproved: false,
    },
  ],
  playbooks: [ROW],
  playbookRun: [RUN, STEP],
  silences: [
    { id: ID, version: '1', from: AT, until: NEVER, description: null, about: null, isRecursive: false, covers: [ID] },
  ],
  topology: [
    { id: ID, name: 'shop', health: 'healthy', is_top: true, shown: [], topology_id: ID, config_id: ID },
    { id: PUSHED_ID, name: 'stall', health: 'healthy', is_top: true, shown: [], agent_id: ID },
  ],
  waitingRuns: [{ id: ID, people: null, without: [], unable: [] }],
}

let server: FakeServer
let room: IncidentWorld
let root: Root | undefined
let router: AppRouter
const container = document.createElement('div')

beforeEach(async () => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  localStorage.clear()
  document.body.replaceChildren(container)
  const size = (pixels: number): PropertyDescriptor => ({ configurable: true, get: () => pixels })
  // Happy-dom lays nothing out, and virtual lists show what has room.
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: size(600),
    offsetWidth: size(1_200),
    clientHeight: size(600),
  })
  room = await createIncidentWorld()
  behind.rowsOf = (topic, { id = '' }) => {
    const rows = TOPICS[topic] ?? []
    // The page of a component is about that one.
    return topic === 'topology' && id !== '' ? rows.filter((row) => 'id' in row && row.id === id) : rows
  }
  behind.connect = ({ user, canWrite, isModerator }) => room.connect({ userId: user.id, canWrite, isModerator })
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
  await room.close()
  vi.unstubAllGlobals()
})

interface AskedControl {
  readonly action: Action
  readonly resource: Resource
  readonly control: Control
}
const CONTROLS: readonly AskedControl[] = RESOURCES.flatMap((resource) => {
  const controls = WRITE_CONTROLS[resource]
  return [
    ...('none' in controls ? [] : controls).map((control) => ({ action: 'write' as const, resource, control })),
    ...(READ_PARTS[resource] ?? []).map((control) => ({ action: 'read' as const, resource, control })),
  ]
})

/** Of another backend's policy, by which it says who may read a part. */
const objectOf = ({ resource, control }: AskedControl): string | null => control.object ?? OBJECTS[resource].read

const KEPT = [...new Set(CONTROLS.filter(({ action }) => action === 'read').map(objectOf))].filter(
  (object) => object !== null,
)

interface Walk {
  readonly role: Role
  readonly policy: string
  readonly permissions?: readonly Permission[]
  /** The pages that are visited. Default: all. */
  readonly visits?: (at: string) => boolean
}
const WALKS: readonly Walk[] = [
  ...ROLES.flatMap((role) => [
    { role, policy: 'of the matrix alone' },
    { role, policy: 'of a stricter backend', permissions: grantsOf([role]) },
  ]),
  // Those who may not read one thing are elsewhere refused the page as well.
  ...KEPT.map((kept) => ({
    role: 'admin' as const,
    policy: `of a backend that keeps "${kept}" from them`,
    permissions: [
      { object: kept, action: '*', deny: true },
      { object: '*', action: '*' },
    ],
    visits: (at: string) => CONTROLS.some((each) => each.control.at === at && objectOf(each) === kept),
  })),
]

const may = ({ role, permissions }: Walk, action: Action, resource: Resource, object?: PolicyObject): boolean =>
  can([role], action, resource) && isPermitted(permissions, action, resource, object)

async function signIn(walk: Walk): Promise<void> {
  server = createFakeServer()
  const user = { id: ANA, name: 'Ana Ash', email: 'ana@example.test' }
  const { permissions } = walk
  server.on('GET /api/auth/whoami', () => json({ payload: { user, ...(permissions ? { permissions } : {}) } }))
  server.on('GET /api/db/people_roles', () => json([{ roles: [walk.role] }]))
  for (const [start, answer] of Object.entries(ANSWERS)) server.on(start, () => json(answer))
  router = createAppRouter(createMemoryHistory({ initialEntries: ['/settings/access-tokens'] }))
  await act(async () => {
    root = createRoot(container)
    root.render(<App router={router} />)
  })
  await until(() => pageOf().find('heading', 'Access tokens') !== null)
}

/** A busy machine needs seconds to load and compile a lazy screen. */
const PATIENCE_MS = 10_000
/** Longer than what follows an answer takes to be shown. */
const QUIET_TURNS = 6

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const onward = (): Promise<void> =>
  act(async () => {
    await room.settle()
    await turn()
  })

async function until(isSo: () => boolean): Promise<boolean> {
  const startedAt = performance.now()
  while (!isSo()) {
    if (performance.now() - startedAt > PATIENCE_MS) return false
    await onward()
  }
  return true
}

/** Until nothing is loaded or asked for any more. */
async function untilQuiet(): Promise<void> {
  let seen = ''
  let turns = 0
  await until(() => {
    const now = `${server.requests.length} ${document.body.textContent}`
    const isBusy = router.state.status === 'pending' || document.querySelector('[aria-busy="true"]') !== null
    turns = now === seen && !isBusy ? turns + 1 : 0
    seen = now
    return turns >= QUIET_TURNS
  })
}

async function press(button: HTMLElement | null): Promise<void> {
  await act(async () => button?.click())
}

const find = ({ name, as = 'button' }: Control): HTMLElement | null => {
  const page = pageOf()
  if (as !== 'field') return page.find(as, name)
  try {
    return page.field(name)
  } catch {
    return null
  }
}

const isOn = (element: HTMLElement | null): boolean =>
  element !== null &&
  element.getAttribute('aria-disabled') !== 'true' &&
  !element.hasAttribute('disabled') &&
  !element.hasAttribute('readonly')

const isThere = (control: Control): boolean => isOn(find(control))

/** How the page differs from what it has to be; null when it does not. */
async function findSurprise(control: Control, isOffered: boolean): Promise<string | null> {
  const page = pageOf()
  if (control.behind !== undefined && page.find('menuitem') === null) await press(page.find('button', control.behind))
  if (isOffered) return (await until(() => isThere(control))) ? null : `${control.at}: no ${String(control.name)}`
  if (control.behind !== undefined) await untilQuiet()
  if (isThere(control)) return `${control.at}: ${String(control.name)} is offered`
  if (control.refusal === undefined)
    return find(control) === null ? null : `${control.at}: ${String(control.name)} is shown`
  return page.text().includes(control.refusal)
    ? null
    : `${control.at}: ${String(control.name)} is refused without a word`
}

const READ: readonly ScreenEntry[] = SCREENS.filter((screen: ScreenEntry) => screen.resource !== undefined)
const ADDRESSES = [
  ...new Set([
    ...READ.map(({ path }) => path.replace('$type', 'scrapers').replace('$id', ID)),
    ...CONTROLS.map(({ control }) => control.at),
    ...ROUTE_CONTROLS.map(({ at }) => at),
  ]),
]

const REFUSED = 'You do not have permission to access this page'
const isRefused = (): boolean => pageOf().text().includes(REFUSED)

async function visit(walk: Walk, at: string): Promise<string[]> {
  await act(async () => router.history.push(at))
  await untilQuiet()
  const route = router.state.matches.at(-1)?.fullPath
  const screen = READ.find(({ path }) => path === route)
  if (screen?.resource === undefined) return [`${at}: no such screen`]
  const isReadable = may(walk, 'read', screen.resource, screen.object)
  const surprises = isRefused() === isReadable ? [`${at}: ${isReadable ? 'refused' : 'shown'}`] : []
  const asked = [
    ...CONTROLS.map(({ action, resource, control }) => ({
      control,
      isAllowed: may(walk, action, resource, control.object),
    })),
    ...ROUTE_CONTROLS.map((control) => ({ control, isAllowed: mayUseRoute(control.access, [walk.role]) })),
  ]
  for (const { control, isAllowed } of asked.filter((each) => each.control.at === at)) {
    const isOffered = isReadable && isAllowed
    const surprise = await findSurprise(isReadable ? control : { ...control, refusal: REFUSED }, isOffered)
    if (surprise !== null) surprises.push(surprise)
  }
  return surprises
}

const [FIRST, ...OTHERS] = WALKS
// An administrator opens all there is first: what is loaded late could seem not to be offered to the others.
it.each([...(FIRST ? [FIRST] : []), ...shareOf(OTHERS, 4)])(
  'shows $role exactly the screens and controls $policy',
  async (walk) => {
    await signIn(walk)
    const surprises: string[] = []
    for (const at of ADDRESSES.filter(walk.visits ?? (() => true))) surprises.push(...(await visit(walk, at)))
    expect(surprises).toEqual([])
  },
  180_000,
)

it('knows of each resource by which screen it is read, or why by none', () => {
  const read = new Set<Resource>(READ.flatMap(({ resource }) => resource ?? []))
  expect(RESOURCES.filter((resource) => !read.has(resource))).toEqual(Object.keys(READ_ELSEWHERE))
})
