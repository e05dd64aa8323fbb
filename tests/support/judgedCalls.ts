// What someone is answered besides topics, documents and tables: every other call of the backend that reads, and every route of the
// gateway itself. Which there are derives from the lists of routes: one that is in neither of the lists here fails a test.
import {
  findRoute,
  type GATEWAY_ROUTES,
  ROUTE_ACCESS,
  type RouteRule,
  TABLE_ACCESS,
  TOPOLOGY_HISTORY_ROUTES,
} from '@watchroom/shared/access'

import type { BackendCall, RawAnswer } from './embeddedBackend.ts'
import { type JudgedPerson, type Side, toCall } from './judgedWorld.ts'
import { patientRequest } from './patientFetch.ts'
import { readZip } from './readZip.ts'

const post = (path: string, body: unknown): string => `POST ${path} ${JSON.stringify(body)}`
const each = (ids: readonly string[], toAsked: (id: string) => string): string[] => ids.map(toAsked)

const SINCE = '30d'

/** Functions of the database that read rows, by the parameter that says of what. */
const functionsOf = ({ checks, components, configs }: Side): string[] =>
  [
    ...[
      'check_summary_for_component?id',
      'lookup_analysis_by_component?id',
      'lookup_changes_by_component?id',
      'lookup_component_children?max_depth=5&id',
      'lookup_component_incidents?component_id',
      'lookup_component_relations?component_id',
      'lookup_configs_by_component?id',
    ].flatMap((call) => each(components, (id) => `${call}=${id}`)),
    ...[
      'config_path?config_id',
      'config_relationships_recursive?config_id',
      'get_recursive_path?start',
      'lookup_components_by_config?id',
      'lookup_config_children?max_depth=5&id',
      'lookup_config_relations?config_id',
      'related_changes_recursive?lookup_id',
      'related_config_ids_recursive?config_id',
      'related_configs_recursive?config_id',
    ].flatMap((call) => each(configs, (id) => `${call}=${id}`)),
    ...each(checks, (id) => `lookup_components_by_check?id=${id}`),
    `lookup_component_names?component_id={${components.join()}}`,
    'lookup_component_by_property?property_name=proof&property_text=proof',
  ].map((call) => `/db/rpc/${call}`)

/** Functions that know of no rows. */
const WITHOUT_ROWS: ReadonlySet<string> = new Set([
  'rpc/format_incident_id',
  'rpc/generate_ulid',
  'rpc/mask_sensitive',
  'rpc/severity_rank',
  'rpc/uuid_to_ulid',
])

/** As `toCall` takes them. */
export const readsOf = (side: Side): string[] => [
  ...functionsOf(side),
  '/health',
  '/properties',
  '/auth/whoami',
  '/auth/tokens',
  '/rbac/dump',
  '/mail/outbox',
  '/kubeconfig',
  '/metrics',
  '/schemas/playbook-spec.schema.json',
  '/schemas/topology.spec.schema.json',
  '/canary/about',
  '/canary/health',
  '/canary/api/summary',
  post('/canary/api/summary', {}),
  ...each(side.checks, (id) => `/canary/api/graph?check=${id}&count=10`),
  '/canary/api/topology?noCache=true',
  ...each(side.components, (id) => `/canary/api/topology?id=${id}&noCache=true`),
  '/canary/elsewhere',
  post('/resources/search', {
    checks: [{ search: 'check' }],
    components: [{ search: 'component' }],
    configs: [{ search: 'config' }],
    incidents: [{ search: 'incident' }],
    playbooks: [{ search: 'playbook' }],
    people: [{ search: 'admin' }],
    connections: [{ search: 'connections' }],
  }),
  post('/catalog/summary', { groupBy: ['type'], changes: { since: SINCE }, analysis: { since: SINCE } }),
  post('/catalog/changes', {}),
  ...each(side.configs, (id) => post('/catalog/changes', { catalog_id: id })),
  ...each(side.configs, (id) => `/catalog/changes?id=${id}`),
  ...each(side.configs, (id) => post('/catalog/what-changed', { start: 'config', id, at: toInstant(0) })),
  ...each(side.checks, (id) => `/playbook/list?check_id=${id}`),
  ...each(side.configs, (id) => `/playbook/list?config_id=${id}`),
  ...each(side.components, (id) => `/playbook/list?component_id=${id}`),
  '/playbook/events',
  ...each(side.playbooks, (id) => post(`/playbook/${id}/params`, {})),
  ...side.runs.map(({ id }) => `/playbook/run/${id}`),
  ...each(side.files, (id) => `/artifacts/download/${id}`),
  '/artifacts/list/all',
  ...each(side.components, (id) => post('/logs', { id })),
  '/notification/events',
  '/notification/transitions',
  ...each(side.transitions, (id) => `/notification/transitions/${id}`),
  ...each(side.checks, (id) => post('/notification/silence/preview', { check_id: id })),
  post('/notification/preview', { name: 'proof', events: ['check.failed'], filter: 'true' }),
  ...each(side.components, (id) => `/snapshot/topology/${id}?related=true`),
  ...each(side.incidents, (id) => `/snapshot/incident/${id}`),
  ...each(side.configs, (id) => `/snapshot/config/${id}?related=true`),
]

const NOT_THERE = '018f0000-0000-7000-8000-00000000dead'

/** What changes something, speaks of the caller alone, or belongs to programs and services behind the backend. */
const NO_READS: readonly (readonly [method: string, path: RegExp])[] = [
  ['*', /^\/kratos\//],
  ['*', /^\/upstream\/|^\/push\/|^\/agent\/generate$/],
  ['*', /^\/(?:config|apm|debug|kubeproxy)\//],
  ['POST', /^\/events\//],
  ['POST', /^\/auth\/(?:invite_user|tokens|\{id\}\/\w+)$|^\/rbac\/\{id\}|^\/people\/|^\/mail\//],
  ['DELETE', /^\/auth\/|^\/people\//],
  // Of someone's sessions: no rows of the estate.
  ['GET', /^\/auth\/\{id\}\/sessions$/],
  ['POST', /^\/connection\/test/],
  ['POST', /^\/canary\/(?:run|try|webhook|api\/try)/],
  ['ANY', /^\/canary\/\*$/],
  ['POST', /^\/playbook\/(?:run|webhook)/],
  ['POST', /^\/notification\/(?:silence|rehearse|history\/\{id\}\/resend)$/],
]

/** Routes and functions of the backend that nothing here asks and nothing here names. */
export function findUnasked(side: Side): string[] {
  const asked = new Set<RouteRule>()
  const paths = new Set<string>()
  for (const read of readsOf(side)) {
    const [called, { method = 'GET' }] = toCall(read, {})
    const [path = ''] = called.split('?', 1)
    const match = findRoute(method, path)
    if (match.kind !== 'found') throw new Error(`${read} is no route`)
    asked.add(match.rule)
    paths.add(path)
  }
  const isFunction = (name: string): boolean => name.startsWith('rpc/') && !WITHOUT_ROWS.has(name)
  const functions = Object.keys(TABLE_ACCESS).filter((name) => isFunction(name) && !paths.has(`/db/${name}`))
  const isNamed = ({ method, path }: RouteRule): boolean =>
    NO_READS.some(([of, pattern]) => (of === '*' || of === method) && pattern.test(path))
  const routes = ROUTE_ACCESS.filter((rule) => !asked.has(rule) && !isNamed(rule))
  return [...routes.map(({ method, path }) => `${method} ${path}`), ...functions]
}

export interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
}

/** Calls of people that change something, but for what was listed as read, each about something that is not there. */
export const WRITES: readonly Write[] = ROUTE_ACCESS.flatMap(({ method, path, access, isForAgents }) => {
  const isOfPeople = access !== 'public' && isForAgents !== true && !path.endsWith('*')
  const isWrite =
    method === 'DELETE' || (method === 'POST' && NO_READS.some(([of, pattern]) => of !== 'GET' && pattern.test(path)))
  return isOfPeople && isWrite ? [{ method, path: path.replaceAll(/\{\w+\}/g, NOT_THERE) }] : []
})

export interface Heard {
  readonly status: number
  readonly text: string
}

interface GatewayCall extends BackendCall {
  readonly path: string
}

export function toGatewayCall(asked: string): GatewayCall {
  const [path, call] = toCall(asked, {})
  return { path, ...call }
}

/** A call through the gateway, to where it leads. */
export async function askGateway(
  side: Side,
  person: JudgedPerson,
  { path, method = 'GET', body }: GatewayCall,
): Promise<Heard> {
  const { url } = side.gateway
  const answer = await patientRequest(url + path, {
    method,
    headers: { ...person.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body,
  })
  const { location } = answer.headers
  const isLed = answer.status >= 300 && answer.status < 400 && typeof location === 'string'
  if (isLed) return askGateway(side, person, { path: new URL(location, url).href.slice(url.length) })
  return toHeard(answer)
}

export const askPast = async (side: Side, person: JudgedPerson, asked: string): Promise<Heard> =>
  toHeard(await side.ask(person, asked))

const toHeard = ({ status, headers, bytes }: Pick<RawAnswer, 'status' | 'headers' | 'bytes'>): Heard => ({
  status,
  text: toText(bytes, String(headers['content-type'] ?? '')),
})

/** What stands in an archive, file by file. */
const toText = (bytes: Buffer, type: string): string =>
  type.includes('zip')
    ? readZip(bytes)
        .map(({ name, content }) => `${name}\n${content}`)
        .join('\n')
    : bytes.toString()

/** Says how long it took and when it was. */
const VOLATILE = new Set(['duration', 'Timestamp', 'time', 'asOf', 'took', 'last_login', 'updated_at'])
/** Of a file that brings a token of its own every time. */
const NEW_TOKEN = /^( +password: ).*$/m

/** What two answers must have in common. */
export function toComparable({ status, text }: Heard): unknown {
  try {
    return [status, JSON.parse(text, (key, value: unknown) => (VOLATILE.has(key) ? undefined : value))]
  } catch {
    return [status, text.replace(NEW_TOKEN, '$1…')]
  }
}

type GatewayRoute = keyof typeof GATEWAY_ROUTES

const HOUR_MS = 3_600_000

/** Every route of the gateway's own with what it is asked; null: it changes something, and says nothing beyond what it was told. */
const GATEWAY_READS: { readonly [Name in GatewayRoute]: ((side: Side) => readonly string[]) | null } = {
  isAlive: () => ['/healthz'],
  isReady: () => ['/readyz'],
  metrics: () => ['/metrics'],
  readCredential: () => ['/gateway/credential'],
  readBackend: () => ['/gateway/backend'],
  isServing: () => ['/api/_health'],
  home: () => ['/'],
  release: () => ['/gateway/release'],
  oldCatalog: ({ configs }) => configs.map((id) => `/config/${id}`),
  file: () => ['/health'],
  readDemo: () => [post('/gateway/demo', {})],
  listBoards: () => ['/gateway/wall/boards'],
  createBoard: null,
  changeBoard: null,
  removeBoard: null,
  listLinks: () => ['/gateway/wall/links'],
  createLink: null,
  withdrawLink: null,
  enterDevice: () => [post('/gateway/wall/device', { token: 'made-up' })],
  readDevice: () => ['/gateway/wall/device'],
  page: ({ components }) =>
    ['', ...components.map((id) => `&id=${id}`)].map((more) => `${HISTORY}/page?at=${toInstant(0)}${more}`),
  transitions: () => [`${HISTORY}/transitions?${toRange()}`],
  diff: () => [`${HISTORY}/diff?${toRange()}`],
  bursts: () => [`${HISTORY}/bursts`],
}
const HISTORY = '/gateway/topology-history'
const toInstant = (agoMs: number): string => new Date(Date.now() - agoMs).toISOString()
const toRange = (): string => `from=${toInstant(HOUR_MS)}&to=${toInstant(0)}`

export interface GatewayRead {
  readonly asked: string
  /** Told of what the gateway recorded: to those alone who are shown all of it. */
  readonly isRecord: boolean
}

export const gatewayReadsOf = (side: Side): GatewayRead[] =>
  (Object.keys(GATEWAY_READS) as GatewayRoute[]).flatMap((name) =>
    (GATEWAY_READS[name]?.(side) ?? []).map((asked) => ({ asked, isRecord: name in TOPOLOGY_HISTORY_ROUTES })),
  )
