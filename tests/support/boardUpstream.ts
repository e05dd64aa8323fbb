// The rows of a large estate behind real HTTP: a summary with a cursor, as the embedded backend answers it, and changes on demand.
import { FakeBackend, personOf, sendJson } from './fakeBackend.ts'

const CHECKS_PER_CANARY = 25
const TYPES = ['http', 'tcp', 'dns', 'icmp', 'postgres', 'exec'] as const
const NAMESPACES = ['prod', 'staging', 'edge', 'self'] as const
const TEAMS = ['payments', 'search', 'platform'] as const

/** One in so many checks fails. */
const FAILING_SHARE = 40

interface UpstreamRow {
  id: string
  status: 'healthy' | 'unhealthy'
  latency: { p95: number; p97: number; p99: number; rolling1h: number }
  uptime: { passed: number; failed: number }
  last_runtime: string
  last_transition_time: string
  [field: string]: unknown
}

export interface BoardUpstream {
  readonly backend: FakeBackend
  readonly rows: readonly UpstreamRow[]
  /** Gives that many checks a new result; one in ten of them changes its health. */
  change(count: number): void
  /** Results given so far. */
  changes(): number
}

const toId = (index: number): string => `018f0000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`

function buildRow(index: number, now: number): UpstreamRow {
  const canary = Math.floor(index / CHECKS_PER_CANARY)
  const isFailing = index % FAILING_SHARE === 7
  const latencyMs = 4 + ((index * 7919) % 900)
  return {
    id: toId(index),
    canary_id: toId(1_000_000 + canary),
    canary_name: `service-${String(canary).padStart(3, '0')}`,
    canary_namespace: NAMESPACES[canary % NAMESPACES.length],
    name: `endpoint-${String(index % CHECKS_PER_CANARY).padStart(2, '0')}.service-${canary}`,
    namespace: NAMESPACES[canary % NAMESPACES.length],
    type: TYPES[index % TYPES.length],
    status: isFailing ? 'unhealthy' : 'healthy',
    severity: isFailing ? 'high' : 'low',
    description: `Watches endpoint ${index}`,
    endpoint: `https://service-${canary}.example/${index}`,
    labels: { team: TEAMS[canary % TEAMS.length] },
    uptime: { passed: isFailing ? 41 : 60, failed: isFailing ? 19 : 0 },
    latency: { p95: latencyMs, p97: latencyMs * 1.2, p99: latencyMs * 2, rolling1h: 0 },
    last_runtime: new Date(now - (index % 60) * 1_000).toISOString(),
    next_runtime: new Date(now + 60_000).toISOString(),
    last_transition_time: new Date(now - (index % 500) * 60_000).toISOString(),
    created_at: new Date(now - 86_400_000).toISOString(),
    updated_at: new Date(now).toISOString(),
  }
}

export async function startBoardUpstream(count: number): Promise<BoardUpstream> {
  const backend = await FakeBackend.start()
  const rows = Array.from({ length: count }, (_, index) => buildRow(index, Date.now()))
  /** Revision at which a row last changed, by its index. */
  const changedAt = rows.map(() => 0)
  let revision = 1
  let next = 0
  let given = 0

  backend.on('GET /canary/api/summary', (request, response) => {
    const since = Number(new URL(request.url, backend.url).searchParams.get('since') ?? Number.NaN)
    const isPartial = Number.isInteger(since) && since <= revision
    const checks_summary = isPartial ? rows.filter((_, index) => (changedAt[index] ?? 0) > since) : rows
    sendJson(response, 200, {
      runnerName: 'bench',
      checks_summary,
      cursor: String(revision),
      partial: isPartial,
      removed: [],
    })
  })
  const { id, email } = personOf('admin')
  backend.json('GET /auth/whoami', { message: 'success', payload: { user: { id, name: 'Robin', email } } })
  backend.json('GET /db/people_roles', [{ id, roles: ['admin'] }])
  backend.json('GET /db/agents_summary', [])
  backend.json('GET /db/properties', [])
  backend.json('GET /properties', [])

  return {
    backend,
    rows,
    changes: () => given,
    change: (changes) => {
      revision += 1
      given += changes
      const now = new Date().toISOString()
      for (let at = 0; at < changes; at += 1) {
        // A stride that is prime to the number of rows visits all of them, far apart.
        next = (next + 7_919) % count
        const row = rows[next]
        if (row === undefined) continue
        const isTransition = at % 10 === 0
        const status = isTransition ? (row.status === 'healthy' ? 'unhealthy' : 'healthy') : row.status
        const p95 = 4 + ((row.latency.p95 * 31 + revision) % 900)
        rows[next] = {
          ...row,
          status,
          latency: { ...row.latency, p95 },
          uptime: { passed: row.uptime.passed + 1, failed: row.uptime.failed },
          last_runtime: now,
          ...(isTransition ? { last_transition_time: now } : {}),
        }
        changedAt[next] = revision
      }
    },
  }
}
