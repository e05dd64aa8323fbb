// An agent of the real product, as far as its server sees it: the calls of backend reference 14.1 byte for byte, and rows as that
// product's own tables have them. No content type, the nil uuid for "mine", the zero time for "never", nothing for what is empty.
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

import type { PushedKind } from '@watchroom/shared/agents/upstream'
import { NIL_UUID } from '@watchroom/shared/kernel'

import type { TestBackend } from './embeddedBackend.ts'

export interface RealAgentAnswer {
  readonly status: number
  readonly text: string
}

export interface RealAgent {
  /** @param path below `/upstream/`, unless it begins with a slash @param body a text or bytes are sent as they are, everything else as JSON; never with a type */
  call(method: string, path: string, body?: unknown): Promise<RealAgentAnswer>
  push(rows: AgentRows): Promise<RealAgentAnswer>
}

/** Creates it in the product as the gateway does. @param url where the agent finds its server, if not at the backend itself */
export async function generateRealAgent(
  backend: Pick<TestBackend, 'callAsService' | 'url'>,
  name: string,
  url = backend.url,
): Promise<RealAgent> {
  const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name } })
  return createRealAgent(url, name, (made.json() as { access_token: string }).access_token)
}

export type AgentRow = Readonly<Record<string, unknown>>
export type AgentRows = Partial<Record<PushedKind, readonly AgentRow[]>>

/**
 * @param server `unix:{socket path}`, or the address of a gateway
 * @param nextSignal of each call: what cuts its connection
 */
export function createRealAgent(
  server: string,
  name: string,
  token: string,
  nextSignal?: () => AbortSignal | undefined,
): RealAgent {
  const target = server.startsWith('unix:')
    ? { socketPath: server.slice('unix:'.length) }
    : { host: new URL(server).hostname, port: new URL(server).port }
  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`

  const call: RealAgent['call'] = (method, path, body) => {
    const bytes =
      body === undefined
        ? null
        : Buffer.from(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(toWire(body)))
    const query = `${path.includes('?') ? '&' : '?'}agent_name=${encodeURIComponent(name)}`
    const headers = {
      'user-agent': 'Go-http-client/1.1',
      authorization,
      ...(bytes === null ? {} : { 'content-length': String(bytes.length) }),
      'accept-encoding': 'gzip',
    }
    const signal = nextSignal?.()
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...target,
          ...(signal && { signal }),
          method,
          path: `${path.startsWith('/') ? '' : '/upstream/'}${path}${query}`,
          headers,
          agent: false,
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const received = Buffer.concat(chunks)
            const isPacked = answer.headers['content-encoding'] === 'gzip'
            const text = (isPacked ? gunzipSync(received) : received).toString()
            resolve({ status: answer.statusCode ?? 0, text })
          })
        },
      )
      sent.on('error', reject)
      sent.end(bytes)
    })
  }
  return { call, push: (rows) => call('POST', 'push', rows) }
}

/** Columns that go by the names of its program. */
const PROGRAM_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  topologies: { id: 'ID', spec: 'Spec' },
  job_history: {
    id: 'ID',
    name: 'Name',
    success_count: 'SuccessCount',
    error_count: 'ErrorCount',
    hostname: 'Hostname',
    duration_millis: 'DurationMillis',
    resource_type: 'ResourceType',
    resource_id: 'ResourceID',
    details: 'Details',
    status: 'Status',
    time_start: 'TimeStart',
    time_end: 'TimeEnd',
  },
}

const toWire = (body: unknown): unknown =>
  Object.fromEntries(
    Object.entries(body as object).map(([kind, rows]: [string, unknown]) => {
      const names = PROGRAM_NAMES[kind]
      if (names === undefined || !Array.isArray(rows)) return [kind, rows]
      const rename = (row: AgentRow): AgentRow =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]))
      // Two of what it logs for itself, which are no columns.
      const extra = kind === 'job_history' ? { Errors: null, Logger: null } : {}
      return [kind, (rows as AgentRow[]).map((row) => ({ ...rename(row), ...extra }))]
    }),
  )

/** In the order in which an agent sends its tables, each by itself. */
const AGENT_ORDER: readonly PushedKind[] = [
  'topologies',
  'components',
  'component_relationships',
  'config_scrapers',
  'config_items',
  'config_changes',
  'config_analysis',
  'config_relationships',
  'canaries',
  'checks',
  'check_statuses',
  'config_component_relationships',
  'job_history',
  'artifacts',
  'playbook_actions',
]

export interface AgentWorldOptions {
  readonly random: () => number
  /** Rows of each kind that has many. */
  readonly count: number
  /** Actions that the server has given to this agent. */
  readonly actionIds?: readonly string[]
}

/** Rows of every kind, as the tables of an agent hold them, with everything that may refer to something referring to it. */
export function buildAgentRows({ random, count, actionIds = [] }: AgentWorldOptions): Record<PushedKind, AgentRow[]> {
  const uuid = (): string => {
    const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const startedAt = Date.now() - 3_600_000
  const time = (step: number): string => new Date(startedAt + step * 1_000).toISOString().replace('Z', '123Z')
  const many = <Row>(build: (index: number) => Row, of = count): Row[] =>
    Array.from({ length: of }, (_, index) => build(index))
  const few = Math.max(2, Math.ceil(count / 20))
  const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item
  const mine = { agent_id: NIL_UUID, created_at: time(0), updated_at: time(1) }

  const topologies = many(
    (index) => ({
      id: uuid(),
      ...mine,
      name: `topology-${index}`,
      namespace: 'default',
      source: 'KubernetesCRD',
      spec: { type: 'Shop' },
    }),
    2,
  )
  const scrapers = many(
    (index) => ({
      id: uuid(),
      ...mine,
      name: `scraper-${index}`,
      source: 'ConfigFile',
      spec: '{"file": [{"type": "File", "id": "$.name"}]}',
    }),
    2,
  )
  const itemIds = many(uuid)
  const items = itemIds.map((id, index) => ({
    id,
    ...mine,
    scraper_id: pick(scrapers, index).id,
    config_class: 'Pod',
    type: 'Kubernetes::Pod',
    name: `pod-${index}`,
    status: null,
    ready: index % 2 === 0,
    health: pick(['healthy', 'unhealthy', 'warning'], index),
    description: null,
    config: `{"number": 12345678901234567890, "pod": ${index}}`,
    external_id: [`pod/${index}`],
    // Some before the one they belong to.
    ...(index % 5 === 1 ? { parent_id: pick(itemIds, index + 1) } : {}),
    tags: { cluster: 'edge' },
  }))
  const componentIds = many(uuid, few)
  const components = componentIds.map((id, index) => ({
    id,
    ...mine,
    topology_id: pick(topologies, index).id,
    name: `component-${index}`,
    namespace: 'default',
    status: 'healthy',
    description: '',
    status_reason: '',
    type: 'Service',
    is_leaf: index > 0,
    ...(index === 0 ? {} : { parent_id: componentIds[0] }),
    logs: [{ name: 'all' }],
    componentChecks: [{ selector: { labelSelector: 'app=shop' } }],
    checks: { healthy: 2 },
  }))
  const canaries = many(
    (index) => ({
      id: uuid(),
      name: `canary-${index}`,
      namespace: 'default',
      agent_id: NIL_UUID,
      spec: { http: [] },
      source: 'KubernetesCRD',
      created_at: time(0),
      updated_at: null,
    }),
    2,
  )
  const checks = many(
    (index) => ({
      id: uuid(),
      canary_id: pick(canaries, index).id,
      agent_id: NIL_UUID,
      type: 'http',
      name: `check-${index}`,
      namespace: '',
      labels: null,
      status: 'healthy',
      last_runtime: time(5),
      next_runtime: time(500),
    }),
    few,
  )
  return {
    topologies,
    config_scrapers: scrapers,
    config_items: items,
    components,
    component_relationships: many(
      (index) => ({
        component_id: componentIds[0],
        relationship_id: pick(componentIds, index + 1),
        relationship_path: '',
        created_at: time(0),
        updated_at: time(0),
      }),
      few - 1,
    ),
    config_changes: many((index) => ({
      external_change_id: index % 2 === 0 ? `change-${index}` : null,
      id: uuid(),
      config_id: pick(itemIds, index),
      change_type: 'diff',
      severity: 'info',
      source: 'Kubernetes',
      diff: '- a\n+ b',
      patches: '{"a": "b"}',
      details: { number: index },
      created_at: time(index),
      count: 3,
    })),
    config_analysis: many((index) => ({
      id: uuid(),
      config_id: pick(itemIds, index),
      scraper_id: null,
      analyzer: 'trivy',
      message: 'old',
      severity: 'high',
      analysis_type: 'security',
      first_observed: null,
      last_observed: time(index),
    })),
    config_relationships: many((index) => ({
      config_id: pick(itemIds, index),
      related_id: pick(itemIds, index + 2),
      relation: index % 2 === 0 ? 'uses' : '',
      selector_id: `s${index}`,
      created_at: time(0),
      updated_at: time(0),
    })),
    canaries,
    checks,
    check_statuses: many((index) => ({
      check_id: pick(checks, index).id,
      status: index % 3 > 0,
      time: time(index),
      duration: 12,
      created_at: time(index),
    })),
    config_component_relationships: many(
      (index) => ({ component_id: pick(componentIds, index), config_id: pick(itemIds, index), created_at: time(0) }),
      few,
    ),
    job_history: many((index) => ({
      id: uuid(),
      agent_id: NIL_UUID,
      name: 'Scraper',
      success_count: 1,
      error_count: 0,
      details: { index },
      hostname: 'vm',
      duration_millis: 5,
      resource_type: 'config_scraper',
      resource_id: pick(scrapers, index).id,
      status: 'SUCCESS',
      time_start: time(index),
      time_end: null,
      created_at: time(index),
    })),
    artifacts: many(
      (index) => ({
        id: uuid(),
        check_id: pick(checks, index).id,
        check_time: time(index),
        connection_id: uuid(),
        path: `/a/${index}`,
        filename: `${index}.txt`,
        size: 5,
        checksum: '',
        is_pushed: false,
        is_data_pushed: true,
        created_at: '0001-01-01T00:00:00Z',
        updated_at: '0001-01-01T00:00:00Z',
      }),
      few,
    ),
    playbook_actions: actionIds.map((id) => ({
      id,
      name: 'echo',
      playbook_run_id: NIL_UUID,
      status: 'completed',
      scheduled_time: time(0),
      start_time: time(1),
      end_time: time(2),
      result: { stdout: 'hello' },
      is_pushed: false,
      agent_id: NIL_UUID,
    })),
  }
}

/** How an agent names rows that have no id. */
const NAMES: Partial<Record<PushedKind, (row: AgentRow) => string>> = {
  component_relationships: (row) => `${String(row.component_id)},${String(row.relationship_id)},`,
  config_relationships: (row) => `${String(row.related_id)},${String(row.config_id)}${String(row.selector_id)}`,
  config_component_relationships: (row) => `${String(row.component_id)},${String(row.config_id)}`,
  check_statuses: (row) => `${String(row.check_id)}${String(row.time)}`,
}
const nameOf = (kind: PushedKind, row: AgentRow): string => NAMES[kind]?.(row) ?? String(row.id)

/** What an agent keeps of its tables: which rows the server has. */
export interface PushBook {
  /** Sends what the server has not, table by table; what it does not take is left for the next time. @returns whether all is there */
  reconcile(): Promise<boolean>
  /** Rows that were answered with 200, or that a 409 did not name. */
  readonly pushed: ReadonlySet<AgentRow>
}

/** Marks rows as agents do: once they were answered they are never sent again. */
export function createPushBook(agent: RealAgent, rows: AgentRows, batchSize: number): PushBook {
  const pushed = new Set<AgentRow>()
  const pushTable = async (kind: PushedKind): Promise<void> => {
    const unpushed = (rows[kind] ?? []).filter((row) => !pushed.has(row))
    for (let start = 0; start < unpushed.length; start += batchSize) {
      const batch = unpushed.slice(start, start + batchSize)
      const answer = await agent.push({ [kind]: batch }).catch(() => null)
      const isConflict = answer?.status === 409
      const { data = '{"ids":[]}' } = isConflict ? (JSON.parse(answer.text) as { data?: string }) : {}
      const failed = new Set((JSON.parse(data) as { ids: string[] }).ids)
      if (answer?.status === 200 || isConflict) {
        for (const row of batch) if (!failed.has(nameOf(kind, row))) pushed.add(row)
      }
    }
  }
  return {
    pushed,
    reconcile: async () => {
      for (const kind of AGENT_ORDER) await pushTable(kind)
      return AGENT_ORDER.every((kind) => (rows[kind] ?? []).every((row) => pushed.has(row)))
    },
  }
}
