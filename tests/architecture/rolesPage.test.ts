import {
  type Action,
  ACTIONS,
  can,
  GATEWAY_ROUTES,
  isPermitted,
  RESOURCES,
  type Resource,
  type Role,
  ROLES,
  ROUTE_ACCESS,
  type RouteAccess,
  type RouteRule,
  TABLE_ACCESS,
} from '@watchroom/shared/access'
import { PRESENCE_PAGES, type TopicName, TOPICS } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { expect, it } from 'vitest'

import { grantsOf, isGranted, rightOfRelation } from '#support/strictBackend/policy.ts'

import { DOCUMENT_KINDS } from '../../gateway/src/app/documentKinds.ts'
import { SCREENS, type ScreenEntry } from '../../web/src/app/screens.ts'
import { controlsOf, needlessLines, unknownGuards } from './guards.ts'
import { ROOT } from './sources.ts'

/** The backend's routes are reached below `/api`. */
const ROUTES: readonly RouteRule[] = [
  ...Object.values(GATEWAY_ROUTES),
  ...ROUTE_ACCESS.map((rule) => ({ ...rule, path: `/api${rule.path}` })),
]

const code = (text: string): string => `\`${text}\``
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  ['<!-- oxfmt-ignore -->', row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const orNothing = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '))

const tablesOf = (action: 'read' | 'write', resource: Resource | 'service' | 'nobody'): string[] =>
  Object.entries(TABLE_ACCESS).flatMap(([name, rule]) =>
    rule[action] === resource && !(action === 'read' && rule.isForWriters) ? [code(name)] : [],
  )

/** What is read by whoever may write a resource. */
const choicesOf = (resource: Resource): string[] =>
  Object.entries(TABLE_ACCESS).flatMap(([name, rule]) =>
    rule.isForWriters && rule.read === resource ? [`${code(name)} (read)`] : [],
  )

const routesOf = (matches: (access: RouteAccess) => boolean): string[] =>
  ROUTES.flatMap(({ method, path, access }) => (matches(access) ? [code(`${method} ${path}`)] : []))

/** By what their parameters name; the right of no other topic depends on its parameters. */
const RIGHTS_BY_PARAMETER: Partial<Record<TopicName, Readonly<Record<string, Resource>>>> = {
  settings: Object.fromEntries(
    Object.values(SETTINGS_RESOURCES).map((settings) => [settings.table, settings.resource]),
  ),
  presence: PRESENCE_PAGES,
}

const topicsOf = (resource: Resource): string[] =>
  (Object.keys(TOPICS) as TopicName[]).flatMap((name) => {
    const rights = RIGHTS_BY_PARAMETER[name]
    if (!rights) return TOPICS[name].resource({} as never) === resource ? [code(name)] : []
    return Object.entries(rights).flatMap(([of, right]) => (right === resource ? [code(`${name} ${of}`)] : []))
  })

const documentsOf = (resource: Resource): string[] =>
  Object.values(DOCUMENT_KINDS).flatMap((kind) => (kind.resource === resource ? [code(kind.name)] : []))

const screensOf = (resource: Resource): string[] =>
  SCREENS.flatMap((screen: ScreenEntry) => (screen.resource === resource ? [code(screen.path)] : []))

const needs = (action: 'read' | 'write', resource: Resource) => (access: RouteAccess) =>
  typeof access === 'object' && 'resource' in access && access.action === action && access.resource === resource

const isOf = (roles: readonly string[]) => (access: RouteAccess) =>
  typeof access === 'object' && 'roles' in access && access.roles.join() === roles.join()

const roleLists = [
  ...new Map(
    ROUTES.flatMap(({ access }) => (typeof access === 'object' && 'roles' in access ? [access.roles] : [])).map(
      (roles) => [roles.join(', '), roles],
    ),
  ),
]

const isAllowed = (role: Role, action: Action, resource: Resource): boolean =>
  can([role], action, resource) && isPermitted(grantsOf([role]), action, resource)

/** Of one table, as its own answer: the method stands for the action. */
const isTableAllowed = (role: Role, action: Action, name: string): boolean => {
  const resource = TABLE_ACCESS[name]?.[action]
  if (resource === undefined || resource === 'nobody' || resource === 'service') return false
  const right = rightOfRelation(action === 'read' ? 'GET' : 'PATCH', name)
  return right !== null && right !== 'nobody' && can([role], action, resource) && isGranted([role], right)
}

const actionsOf = (isOpen: (action: Action) => boolean): string => orNothing(ACTIONS.filter(isOpen))

/** Tables that the same people may do the same with, together; without those that nobody may read. */
const narrowedTables = (): string[][] => {
  const groups = new Map<string, { cells: string[]; names: string[] }>()
  for (const name of Object.keys(TABLE_ACCESS)) {
    const cells = ROLES.map((role) => actionsOf((action) => isTableAllowed(role, action, name)))
    const key = cells.join('|')
    if (cells.every((cell) => cell === orNothing([]))) continue
    const group = groups.get(key) ?? { cells, names: [] }
    group.names.push(code(name))
    groups.set(key, group)
  }
  return [...groups.values()].map(({ cells, names }) => [names.join(', '), ...cells])
}

const PAGE = `# Roles

Who may do what, as the browser, the gateway and the database are told by the one list in \`shared/src/access\`. Written by
\`npx vitest run --project unit tests/architecture/rolesPage.test.ts -u\`; the same test fails when this page says something else.

A person with several roles may do what any of them allows. Without one of these roles someone is a viewer; an agent has none. Where
nobody signs in everyone is an editor. A backend whose own policy is narrower narrows this, and nothing widens it. How it is
held against the running product: [threat model](security.md).

## What each role may

${table(
  ['Resource', ...ROLES],
  RESOURCES.map((resource) => [
    code(resource),
    ...ROLES.map((role) => orNothing(ACTIONS.filter((action) => can([role], action, resource)))),
  ]),
)}

## In front of a backend with a policy of its own

A backend (\`BACKEND_URL\`) that lists in its \`/auth/whoami\` what someone may is followed: screens, controls, topics and documents open
where the table above and that list both allow it. With the default policy of the server this protocol comes from, where only
administrators, commanders and responders see incidents, this remains:

${table(
  ['Resource', ...ROLES],
  RESOURCES.map((resource) => [
    code(resource),
    ...ROLES.map((role) => actionsOf((action) => isAllowed(role, action, resource))),
  ]),
)}

And of the tables below \`/api/db\`, as that backend answers each:

${table(['Tables, views and functions', ...ROLES], narrowedTables())}

## What reading a resource opens

Tables and views are below \`/api/db\`. Topics are what open pages follow, documents what several people edit at once. Controls are
named by the file of \`web/src\` that asks; those of a list or form of many tables stand at each of their resources.

${table(
  ['Resource', 'Tables, views and functions', 'Topics', 'Routes', 'Documents', 'Screens', 'Parts of other screens'],
  RESOURCES.map((resource) => [
    code(resource),
    orNothing(tablesOf('read', resource)),
    orNothing(topicsOf(resource)),
    orNothing(routesOf(needs('read', resource))),
    orNothing(documentsOf(resource)),
    orNothing(screensOf(resource)),
    orNothing(controlsOf('read', resource)),
  ]),
)}

## What writing a resource opens

${table(
  ['Resource', 'Tables', 'Routes', 'Documents', 'Controls'],
  RESOURCES.map((resource) => [
    code(resource),
    orNothing([...tablesOf('write', resource), ...choicesOf(resource)]),
    orNothing(routesOf(needs('write', resource))),
    orNothing(documentsOf(resource)),
    orNothing(controlsOf('write', resource)),
  ]),
)}

Written by triggers and the product alone: ${tablesOf('write', 'service').join(', ')}.

Read by nobody over the API: ${tablesOf('read', 'nobody').join(', ')}.

## Routes that ask for no resource

${table(
  ['Open to', 'Routes'],
  [
    ...roleLists.map(([names, roles]) => [names, orNothing(routesOf(isOf(roles)))]),
    ['whoever is signed in', orNothing(routesOf((access) => access === 'signed-in'))],
    [
      'everyone; they ask for a credential of their own, or tell nothing',
      orNothing(routesOf((access) => access === 'public')),
    ],
  ],
)}
`

it('says in docs/roles.md what each role may', async () => {
  await expect(PAGE).toMatchFileSnapshot(`${ROOT}docs/roles.md`)
})

it('knows of every part of a page which right it asks for', () => {
  expect(unknownGuards(RESOURCES)).toEqual([])
  expect(needlessLines(RESOURCES)).toEqual([])
})
