// The scraper of Harbour Parcel: where its files are, and what their documents mean.
import type { ScraperSeed } from '../seedScrapers.ts'
import { CLUSTER_FILE, MOVING_FILE, STORE_FILE, WORKLOAD_FILES } from './estateItems.ts'

/** Below `sources` of the data directory. */
export const ESTATE_FOLDER = 'harbour-parcel'

const insight = (analyzer: string, type: string, severity: string, expr: string, words: string) => ({
  analyzer,
  type,
  severity,
  expr,
  message: { expr: `item.name + ' ${words}'` },
})

const of = (type: string, rest: string): string => `item.type == '${type}' && ${rest}`

/** Each kind of file has rules of its own: what a rule is not about is not asked. */
const WORKLOAD_INSIGHTS = [
  insight('crash-loop', 'reliability', 'high', `item.status == 'CrashLoopBackOff'`, 'is started again and again'),
  insight(
    'no-limits',
    'performance',
    'medium',
    of('Kubernetes::Deployment', '!has(config.limits)'),
    'may use up the memory of its neighbours: it has no limits',
  ),
  insight(
    'single-replica',
    'availability',
    'low',
    of('Kubernetes::Deployment', 'config.replicas < 2'),
    'is away while it is deployed: it has one replica',
  ),
]

const CLUSTER_INSIGHTS = [
  insight('idle-node', 'cost', 'info', of('Kubernetes::Node', 'config.used.cpu < 30'), 'is hardly used'),
]

const STORE_INSIGHTS = [
  insight('public-bucket', 'security', 'critical', of('Cloud::Bucket', 'config.public'), 'can be read by everyone'),
  insight(
    'dead-letters',
    'integration',
    'warning',
    of('Cloud::Queue', '!config.deadLetters'),
    'drops what nobody could read',
  ),
  insight(
    'no-persistence',
    'technical_debt',
    'info',
    of('Cloud::Cache', '!config.persistence'),
    'is empty after a restart',
  ),
  insight('no-standby', 'other', 'medium', of('Cloud::Database', `!has(config.standby)`), 'has no standby'),
]

export const DEPOT_INSIGHTS = [
  insight(
    'old-firmware',
    'compliance',
    'blocker',
    of('Depot::Machine', `config.firmware.startsWith('2.0')`),
    'runs a firmware that its maker does not support any more',
  ),
  insight('weekend', 'recommendation', 'info', of('Depot::Site', 'config.gates > 3'), 'could close gates on weekends'),
]

/** Where documents of estates have what every item has. */
export const ITEM_RULES = {
  icon: 'cube',
  watch: true,
  id: '$.id',
  name: '$.name',
  type: '$.type',
  class: '$.class',
  parent: '$.parent',
  status: '$.status',
  health: '$.health',
  labels: { team: '$.team' },
}

/** @param paths below `sources` */
export const toElement = (paths: readonly string[], insights: readonly object[]) => ({
  ...ITEM_RULES,
  format: 'yaml',
  paths,
  tags: { region: '$.region', cluster: '$.cluster', namespace: '$.namespace' },
  properties: [{ name: 'owner', value: '$.team' }],
  costs: { perMinute: '$.cost.minute', total1d: '$.cost.day', total7d: '$.cost.week', total30d: '$.cost.month' },
  relationships: [{ id: '$.uses[*]', relation: 'Uses' }],
  insights,
})

const toPath = (file: string): string => `${ESTATE_FOLDER}/${file}`

export const ESTATE_SOURCES = [
  toElement(WORKLOAD_FILES.map(toPath), WORKLOAD_INSIGHTS),
  toElement([toPath(CLUSTER_FILE)], CLUSTER_INSIGHTS),
  toElement([toPath(STORE_FILE)], STORE_INSIGHTS),
  toElement([toPath(MOVING_FILE)], DEPOT_INSIGHTS),
]

export const ESTATE: ScraperSeed = {
  id: '01980000-0000-7000-8000-000000000002',
  name: 'Harbour Parcel',
  description: 'What the invented courier of the demo runs, from files. Edit one, and see the change arrive.',
  spec: {
    schedule: '@every 10m',
    labels: { demo: 'true' },
    retention: { changes: [{ name: 'diff', age: '30d', count: 2_000 }] },
    file: ESTATE_SOURCES,
  },
}
