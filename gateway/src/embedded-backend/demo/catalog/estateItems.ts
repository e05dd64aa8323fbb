// What Harbour Parcel runs, as its documents say it at a moment: a pure function of time, so that the past that is made up at the
// start and the files that people find afterwards are one story.
import { noise } from '../behavior.ts'
import { estateWorkloads, seedOf, slug, type Workload } from '../harbourParcel.ts'

/** A document of a file. Where its fields are is said by the spec of its scraper. */
export interface EstateItem {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class: string
  readonly parent?: string
  readonly status?: string
  readonly health?: 'healthy' | 'warning' | 'unhealthy' | 'unknown'
  readonly team: string
  readonly region?: string
  readonly cluster?: string
  readonly namespace?: string
  /** Items that it could not do without. */
  readonly uses?: readonly string[]
  /** In dollars: a minute, and the last 1, 7 and 30 days. */
  readonly cost?: { readonly minute: number; readonly day: number; readonly week: number; readonly month: number }
  readonly [field: string]: unknown
}

export const DAY_MS = 86_400_000
/** How likely a service is deployed on a day. */
const DEPLOYS_A_DAY = 0.12
const REGIONS = ['eu', 'us'] as const
const NODES_PER_CLUSTER = 3
/** Of costs, per type: what a day costs, and how much dearer the last day was than the month before. */
const COSTS: ReadonlyMap<string, readonly [perDay: number, trend: number]> = new Map([
  ['Kubernetes::Node', [11.4, 1]],
  ['Cloud::Database', [38.2, 1.22]],
  ['Cloud::Bucket', [4.1, 1.35]],
  ['Cloud::Queue', [1.9, 0.8]],
  ['Cloud::LoadBalancer', [0.9, 1.03]],
])

export const CLUSTER_FILE = 'clusters.yaml'
export const STORE_FILE = 'stores.yaml'
/** The one that goes on telling something new. */
export const MOVING_FILE = 'depots.yaml'
/** One machine after the other. */
export const REPORT_MS = 20_000

/** What stands in a depot. */
export type Machine = Pick<Workload, 'name' | 'namespace' | 'isFailing'>

/** Which file tells of an item. */
export function fileOf({ id, namespace }: Pick<EstateItem, 'id' | 'namespace'>): string {
  const [kind] = id.split('/')
  if (kind === 'depot' || kind === 'machine') return MOVING_FILE
  if (namespace !== undefined) return `${namespace}.yaml`
  return kind === 'region' || kind === 'cluster' || kind === 'node' ? CLUSTER_FILE : STORE_FILE
}

/** The name of what runs a service, in the cluster and in its files. */
export const workloadId = ({ namespace, name }: Pick<Workload, 'namespace' | 'name'>): string =>
  `deployment/${namespace}/${slug(name)}`

const isEdge = ({ namespace }: Workload): boolean => namespace.startsWith('edge-')
export const WORKLOAD_FILES = [
  ...new Set(
    estateWorkloads()
      .filter((workload) => !isEdge(workload))
      .map(({ namespace }) => `${namespace}.yaml`),
  ),
]
const regionOf = ({ namespace }: Machine): string => (namespace === 'edge-us' ? 'us' : 'eu')

/** Days (since the epoch) on which a service was deployed, up to a moment; the first release is as old as the estate. */
export function deployDays(workload: Workload, since: number, at: number): number[] {
  const seed = seedOf(workloadId(workload))
  const first = Math.floor(since / DAY_MS)
  return Array.from({ length: Math.floor(at / DAY_MS) - first + 1 }, (_, index) => first + index).filter(
    (day) => noise(seed, day) < DEPLOYS_A_DAY && deployMoment(seed, day) <= at && deployMoment(seed, day) >= since,
  )
}

/** During working hours. */
export const deployMoment = (seed: number, day: number): number =>
  day * DAY_MS + (9 + noise(seed + 1, day) * 8) * 3_600_000

function withCost(item: EstateItem): EstateItem {
  const known = COSTS.get(item.type)
  if (known === undefined) return item
  const [perDay, trend] = known
  const day = perDay * (0.8 + 0.4 * noise(seedOf(item.id), 1))
  const round = (amount: number): number => Math.round(amount * 100) / 100
  const cost = {
    minute: Math.round((day / 1_440) * 10_000) / 10_000,
    day: round(day * trend),
    week: round(day * 7),
    month: round(day * 30),
  }
  return { ...item, cost }
}

/** @param since when the story begins @param at milliseconds since the epoch, like it */
export function estateItems(since: number, at: number): EstateItem[] {
  const workloads = estateWorkloads().filter((workload) => !isEdge(workload))
  const depots = estateWorkloads().filter((workload) => isEdge(workload) && workload.name.includes('/'))
  const namespaces = [...new Set(workloads.map(({ namespace }) => namespace))]
  return [
    ...REGIONS.flatMap(toRegion),
    ...namespaces.map(toNamespace),
    ...workloads.flatMap((workload) => toDeployment(workload, since, at)),
    ...STORES.map(([id, type, name, team, uses]) => toStore(id, type, name, team, uses)),
    ...depotItems(depots, at),
  ].map(withCost)
}

function toRegion(region: string): EstateItem[] {
  const id = `region/${region}`
  const cluster = `cluster/${region}-1`
  const place = { team: 'platform', region, cluster: `${region}-1` }
  return [
    { id, name: region, type: 'Cloud::Region', class: 'Region', team: 'platform', region, health: 'healthy' },
    {
      id: cluster,
      name: `${region}-1`,
      type: 'Kubernetes::Cluster',
      class: 'Cluster',
      parent: id,
      ...place,
      status: 'Running',
      health: 'healthy',
      version: '1.33.4',
      network: { pods: '10.8.0.0/14', services: '10.12.0.0/20' },
    },
    ...Array.from({ length: NODES_PER_CLUSTER }, (_, index) => ({
      id: `node/${region}-1/${index}`,
      name: `${region}-1-node-${index}`,
      type: 'Kubernetes::Node',
      class: 'Node',
      parent: cluster,
      ...place,
      status: index === 2 && region === 'us' ? 'Cordoned' : 'Ready',
      health: index === 2 && region === 'us' ? ('warning' as const) : ('healthy' as const),
      machine: { cpus: 8, memory: '32Gi', image: 'flat-linux 42.3' },
      used: { cpu: 18 + index * 31, memory: 41 + index * 20 },
    })),
  ]
}

const toNamespace = (namespace: string): EstateItem => ({
  id: `namespace/${namespace}`,
  name: namespace,
  type: 'Kubernetes::Namespace',
  class: 'Namespace',
  parent: 'cluster/eu-1',
  team: 'platform',
  region: 'eu',
  cluster: 'eu-1',
  namespace,
  status: 'Active',
  health: 'healthy',
  quota: { pods: 60, memory: '64Gi' },
})

function toDeployment(workload: Workload, since: number, at: number): EstateItem[] {
  const { namespace, team, isCritical, isFailing, name } = workload
  const id = workloadId(workload)
  const seed = seedOf(id)
  const deploys = deployDays(workload, since, at)
  const replicas = isCritical ? 2 : 1
  const place = { team, region: 'eu', cluster: 'eu-1', namespace }
  const health = isFailing ? ('unhealthy' as const) : ('healthy' as const)
  const version = `4.${seed % 9}.${deploys.length}`
  const stores = STORES.filter(([, , , owner]) => owner === team).map(([store]) => store)
  return [
    {
      id,
      name: slug(name),
      type: 'Kubernetes::Deployment',
      class: 'Deployment',
      parent: `namespace/${namespace}`,
      ...place,
      status: isFailing ? 'Degraded' : 'Available',
      health,
      uses: stores,
      image: `registry.harbour.example/${team}/${slug(name)}:${version}`,
      replicas,
      // Those without limits are what an insight is about.
      ...(seed % 5 === 0 ? {} : { limits: { cpu: `${250 + (seed % 4) * 250}m`, memory: `${256 << (seed % 3)}Mi` } }),
      strategy: { type: 'RollingUpdate', maxSurge: 1 },
    },
    ...Array.from({ length: replicas }, (_, index): EstateItem => ({
      id: `pod/${namespace}/${slug(name)}/${recentDeploy(deploys, at)}${index}`,
      name: `${slug(name)}-${version.replaceAll('.', '')}-${index}`,
      type: 'Kubernetes::Pod',
      class: 'Pod',
      parent: id,
      ...place,
      status: isFailing && index === 0 ? 'CrashLoopBackOff' : 'Running',
      health,
      uses: [`node/eu-1/${(seed + index) % NODES_PER_CLUSTER}`],
      restarts: isFailing ? 17 : 0,
    })),
  ]
}

/** A deployment replaces pods; those of long ago are not told apart any more. */
function recentDeploy(deploys: readonly number[], at: number): string {
  const last = deploys.at(-1)
  return last === undefined || at - last * DAY_MS > 2 * DAY_MS ? '' : `${last}-`
}

const STORES: readonly (readonly [id: string, type: string, name: string, team: string, uses: readonly string[]])[] = [
  ['database/orders', 'Cloud::Database', 'orders', 'shop', ['bucket/backups']],
  ['database/parcels', 'Cloud::Database', 'parcels', 'tracking', ['bucket/backups']],
  ['database/ledger', 'Cloud::Database', 'ledger', 'payments', ['bucket/backups']],
  ['database/metrics', 'Cloud::Database', 'metrics', 'platform', []],
  ['cache/sessions', 'Cloud::Cache', 'sessions', 'shop', []],
  ['queue/scans', 'Cloud::Queue', 'scans', 'tracking', []],
  ['queue/payouts', 'Cloud::Queue', 'payouts', 'payments', []],
  ['queue/label-prints', 'Cloud::Queue', 'label prints', 'depots', []],
  ['bucket/backups', 'Cloud::Bucket', 'backups', 'platform', []],
  ['bucket/labels', 'Cloud::Bucket', 'labels', 'depots', []],
  ['balancer/public', 'Cloud::LoadBalancer', 'public', 'platform', ['namespace/storefront', 'namespace/tracking']],
  ['certificate/shop', 'Cloud::Certificate', 'shop.harbour.example', 'platform', ['balancer/public']],
]

const DETAILS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<
  string,
  Readonly<Record<string, unknown>>
>([
  ['Cloud::Database', { engine: 'postgresql', version: '17.5', size: 'db.medium', storage: '200Gi', encrypted: true }],
  ['Cloud::Cache', { engine: 'valkey', version: '8.1', memory: '4Gi', persistence: false }],
  ['Cloud::Queue', { retention: '72h', partitions: 6, deadLetters: true }],
  ['Cloud::Bucket', { versioning: true, public: false, lifecycle: '90d' }],
  ['Cloud::LoadBalancer', { scheme: 'internet-facing', listeners: [443] }],
  ['Cloud::Certificate', { issuer: 'Example CA', keyType: 'EC P-256', renew: 'automatic' }],
])

const toStore = (id: string, type: string, name: string, team: string, uses: readonly string[]): EstateItem => ({
  id,
  name,
  type,
  class: type.split('::')[1] ?? type,
  parent: 'region/eu',
  team,
  region: 'eu',
  status: 'Available',
  health: 'healthy',
  uses,
  ...DETAILS.get(type),
  ...(id === 'bucket/labels' && { public: true }),
  ...(id === 'queue/scans' && { deadLetters: false }),
})

/** Of the printer of a machine, in percent: they report in turn, and are filled up when they are low. */
function paperOf(index: number, machines: number, at: number): number {
  const slot = Math.floor(at / REPORT_MS)
  const reported = slot - ((((slot - index) % machines) + machines) % machines)
  return 100 - ((reported * 7) % 91)
}

/** Depots and the machines in them. */
export function depotItems(machines: readonly Machine[], at: number): EstateItem[] {
  const depots = new Map(machines.map((machine) => [machine.name.split('/')[0] ?? '', machine]))
  return [
    ...[...depots].map(([name, machine]): EstateItem => ({
      id: `depot/${name}`,
      name,
      type: 'Depot::Site',
      class: 'Site',
      parent: `region/${regionOf(machine)}`,
      team: 'depots',
      region: regionOf(machine),
      health: 'healthy',
      gates: 4,
      open: '05:00-23:00',
    })),
    ...machines.map(({ name, namespace, isFailing }, index): EstateItem => ({
      id: `machine/${slug(name)}`,
      name: name.replace('/', ' '),
      type: 'Depot::Machine',
      class: 'Machine',
      parent: `depot/${name.split('/')[0]}`,
      team: 'depots',
      region: namespace === 'edge-us' ? 'us' : 'eu',
      namespace,
      status: isFailing ? 'Fault' : 'Online',
      health: isFailing ? 'unhealthy' : 'healthy',
      uses: ['queue/label-prints'],
      firmware: `2.${seedOf(name) % 7}.${seedOf(name) % 4}`,
      paper: paperOf(index, machines.length, at),
      controller: { address: `10.40.${seedOf(name) % 200}.10`, heartbeat: '5s' },
    })),
  ]
}
