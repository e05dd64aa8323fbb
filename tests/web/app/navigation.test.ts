import {
  type Action,
  can,
  type CapabilityName,
  isPermitted,
  type Resource,
  type Role,
  ROLES,
  toPolicy,
} from '@watchroom/shared/access'
import { FEATURE_AREAS, toDisabledAreas } from '@watchroom/shared/settings'
import { describe, expect, it } from 'vitest'

import { grantsOf, isGranted, rightOfRelation, rightOfRoute } from '#support/strictBackend/policy.ts'

import { MAIN_ENTRIES, SETTINGS_ENTRIES, visibleNavigation } from '../../../web/src/app/navigation.ts'
import { RootFrame } from '../../../web/src/app/RootFrame.tsx'
import { createAppRouter } from '../../../web/src/app/routes.tsx'
import { type ScreenEntry, SCREENS, screensAbove } from '../../../web/src/app/screens.ts'

const { routesByPath } = createAppRouter()
const NONE = new Set<never>()
const MAIN = ['Dashboard', 'Health', 'Incidents', 'Catalog', 'Logs', 'Playbooks']
const SETTINGS = [
  'Agents',
  'Connections',
  'Event Queue',
  'Feature Flags',
  'Health Check',
  'Integrations',
  'Jobs History',
  'Log Backends',
  'Notifications',
  'Outbox',
  'Rules',
  'Teams',
  'Topology',
  'Users',
]

/** What each screen of the sidebar asks the backend for first; logs are a call. */
const READS: Readonly<Record<string, string>> = {
  '/topology': 'components',
  '/health': 'checks',
  '/incidents': 'incident_summary',
  '/catalog': 'configs',
  '/playbooks': 'playbooks',
  '/settings/agents': 'agents_summary',
  '/settings/connections': 'connections',
  '/settings/event-queue-status': 'event_queue_summary',
  '/settings/feature-flags': 'properties',
  '/settings/canaries': 'canaries',
  '/settings/integrations': 'integrations_with_status',
  '/settings/jobs': 'job_histories',
  '/settings/logging_backends': 'logging_backends',
  '/settings/notifications': 'notifications_summary',
  '/settings/incident_rules': 'incident_rules',
  '/settings/teams': 'teams',
  '/settings/topologies': 'topologies',
  '/settings/users': 'identities',
}

/** Of the settings, in front of the default server. */
const SETTINGS_THERE: Readonly<Record<Role, readonly string[]>> = {
  admin: SETTINGS.filter((title) => title !== 'Outbox'),
  editor: ['Health Check', 'Teams', 'Topology'],
  commander: ['Health Check', 'Rules', 'Teams', 'Topology'],
  responder: ['Health Check', 'Rules', 'Teams', 'Topology'],
  viewer: [],
}

function titles(
  roles: readonly Role[],
  properties: { name: string; value: string }[] = [],
  missing: readonly CapabilityName[] = [],
) {
  const { main, settings } = visibleNavigation({
    roles,
    can: (action, resource) => can(roles, action, resource),
    disabledAreas: toDisabledAreas(properties),
    missing,
  })
  return { main: main.map(({ title }) => title), settings: settings.map(({ title }) => title) }
}

describe('sidebar', () => {
  const ofAdministrators = new Set(['Connections', 'Outbox', 'Users'])
  const withoutAdministration = SETTINGS.filter((title) => !ofAdministrators.has(title))

  it.each<{ role: Role; settings: string[] }>([
    { role: 'admin', settings: SETTINGS },
    { role: 'editor', settings: withoutAdministration },
    { role: 'commander', settings: withoutAdministration },
    { role: 'responder', settings: withoutAdministration },
    { role: 'viewer', settings: [] },
  ])('shows a $role what they may read, Settings sorted by name and hidden from viewers', ({ role, settings }) => {
    expect(titles([role])).toEqual({ main: MAIN, settings })
  })

  it.each(ROLES)('leads a %s to nothing that the policy of the default server keeps from them', (role) => {
    const permissions = grantsOf([role])
    const visible = visibleNavigation({
      roles: [role],
      can: (action, resource, object) =>
        can([role], action, resource) && isPermitted(permissions, action, resource, object),
      disabledAreas: NONE,
      missing: ['outbox'],
    })
    const refused = [...visible.main, ...visible.settings].filter(({ path }) => {
      const right = path === '/logs' ? rightOfRoute('POST', '/logs') : rightOfRelation('GET', READS[path] ?? '')
      return right === null || typeof right === 'string' || !isGranted([role], right)
    })
    expect(refused.map(({ path }) => path)).toEqual([])
    // Nor is less offered than that.
    expect(visible.main.some(({ path }) => path === '/logs')).toBe(role === 'admin')
    expect(visible.settings.map(({ title }) => title)).toEqual(SETTINGS_THERE[role])
  })

  it('does not lead to what the backend has not', () => {
    expect(titles(['admin'], [], ['logs', 'trials']).main).toEqual(MAIN.filter((title) => title !== 'Logs'))
  })

  it('shows Settings to a viewer who is something else as well', () => {
    expect(titles(['responder', 'viewer']).settings).toEqual(withoutAdministration)
  })

  it.each([
    { flag: 'topology.disable', gone: ['Dashboard', 'Topology'] },
    { flag: 'health.disable', gone: ['Health', 'Health Check', 'Jobs History'] },
    { flag: 'incidents.disable', gone: ['Incidents'] },
    { flag: 'config.disable', gone: ['Catalog'] },
    { flag: 'logs.disable', gone: ['Logs'] },
    { flag: 'playbooks.disable', gone: ['Playbooks'] },
    { flag: 'agents.disable', gone: ['Agents'] },
    { flag: 'settings.health.disable', gone: ['Health Check'] },
    { flag: 'settings.rules.disable', gone: ['Rules'] },
    { flag: 'settings.users.disable', gone: ['Outbox', 'Users'] },
    { flag: 'settings.integrations.disable', gone: ['Integrations'] },
  ])('hides $gone when $flag is true', ({ flag, gone }) => {
    const { main, settings } = titles(['admin'], [{ name: flag, value: 'true' }])
    expect([...MAIN, ...SETTINGS].filter((title) => ![...main, ...settings].includes(title))).toEqual(gone)
  })

  it.each(['false', 'TRUE', '1', ''])('hides nothing when the flag has the value %j', (value) => {
    expect(titles(['admin'], [{ name: 'incidents.disable', value }]).main).toEqual(MAIN)
  })

  it('names only known areas', () => {
    const areas = [...MAIN_ENTRIES, ...SETTINGS_ENTRIES].map(({ area }) => area)
    expect(areas.filter((area) => area === undefined || !FEATURE_AREAS.includes(area))).toEqual([])
  })

  it.each([...MAIN_ENTRIES, ...SETTINGS_ENTRIES])(
    'leads with $title to a screen that asks for the same right',
    (entry) => {
      const route = Object.values(routesByPath).find(({ fullPath }) => fullPath === entry.path)
      expect(route?.options.staticData).toMatchObject({ resource: entry.resource, area: entry.area })
    },
  )
})

describe('breadcrumbs', () => {
  it.each([
    ['/incidents/$id', ['Incidents']],
    ['/settings/canaries/$id', ['Health Check']],
    ['/playbooks/runs/$id', ['Playbooks', 'Playbook runs']],
    ['/incidents', []],
    // Tabs of one thing stand beside each other.
    ['/catalog/$id/checks', ['Catalog']],
    // The wall fills the window: it is no page above the list of walls.
    ['/wall/boards', []],
  ])('of %s are %j', (path, above) => {
    expect(screensAbove(path).map(({ title }) => title)).toEqual(above)
  })
})

describe('routes', () => {
  it('are the screens of the one list, and nothing else but moves', () => {
    const paths = new Set<string>(SCREENS.map(({ path }) => path))
    const others = Object.values(routesByPath).filter(({ fullPath }) => !paths.has(fullPath))
    expect(others.filter(({ options }) => options.beforeLoad === undefined)).toEqual([])
    expect(paths.size).toBe(SCREENS.length)
  })

  it.each([
    '/',
    '/topology',
    '/topology/$id',
    '/health',
    '/agents',
    '/settings/agents',
    '/login',
    '/registration',
    '/recovery',
    '/verification',
    '/profile-settings',
    '/organizations/orgs-switched',
    '/settings/canaries/$id',
    '/playbooks/runs/$id',
    '/catalog/$id',
    '/incidents/$id',
    '/error',
    '/error/$id',
    '/settings/users',
    '/settings/feature-flags',
  ])('have %s of the specification', (path) => {
    expect(Object.keys(routesByPath)).toContain(path)
  })

  /** Pages before sign-in, redirects, what concerns oneself alone, and the page that explains the product. */
  const open = new Set([
    '/',
    '/agents',
    '/settings',
    '/settings/config_scrapers',
    '/settings/logging-backends',
    '/configs',
    '/settings/access-tokens',
    '/docs',
  ])

  it('all declare the right they need, unless they need no session', () => {
    const undeclared = Object.values(routesByPath)
      .filter(({ options }) => options.staticData?.frame !== 'bare' && options.staticData?.resource === undefined)
      .map(({ fullPath }) => fullPath)
    expect(undeclared.filter((path) => !open.has(path))).toEqual([])
  })

  it('stand in the frame that asks for those rights', () => {
    expect(createAppRouter().routeTree.options.component).toBe(RootFrame)
  })

  it('let every role reach at least the health page', () => {
    for (const role of ROLES) {
      const may = { roles: [role], can: (action: Action, resource: Resource) => can([role], action, resource) }
      const { main } = visibleNavigation({ ...may, disabledAreas: NONE, missing: [] })
      expect(main.map(({ path }) => path)).toContain('/health')
    }
  })
})

it.each(ROLES)('no screen is hidden from a %s by the policy that our own backend lists', (role) => {
  const policy = toPolicy([role])
  const screens: readonly ScreenEntry[] = SCREENS
  const hidden = screens.filter(({ path, resource, object }) =>
    (/\/(?:new|silence)$/.test(path) ? (['read', 'write'] as const) : (['read'] as const)).some(
      (action) =>
        resource !== undefined && can([role], action, resource) && !isPermitted(policy, action, resource, object),
    ),
  )
  expect(hidden).toEqual([])
})
