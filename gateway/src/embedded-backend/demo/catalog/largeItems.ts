// The catalog of the profile `large`: 50,000 items on five levels, each namespace as large as a group of its checks, and what happened to
// them in a month. A pure function of time, so that the past that is made up at the start and the files say the same.
import type { ItemChange } from '../../catalog/item.ts'
import { noise } from '../behavior.ts'
import { seedOf } from '../harbourParcel.ts'
import { LARGE_CANARIES, LARGE_GROUP_AREAS, LARGE_TEAMS, largeArea } from '../largeCanaries.ts'
import { DAY_MS } from './estateItems.ts'
import { PAST_DAYS } from './runPast.ts'

export const LARGE_ITEMS = 50_000
/** Told of each deployment, besides its releases. Of all items they would be events that those of checks wait behind for long. */
const TOLD_PER_DEPLOYMENT = 10

/** A document of a file. Where its fields are is said by the spec of its scraper. */
export interface LargeItem {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class: string
  readonly parent?: string
  readonly status: string
  readonly health: string
  readonly team: string
  readonly cluster: string
  readonly namespace: string
  readonly [field: string]: unknown
}

const DEPLOYMENT = 'Kubernetes::Deployment'

interface Level {
  readonly kind: string
  readonly type: string
  readonly count: number
}

/** Each count is a multiple of the one before: what is below an area has its number, whatever level it is on. */
const LEVELS: readonly Level[] = [
  { kind: 'region', type: 'Cloud::Region', count: 1 },
  { kind: 'cluster', type: 'Kubernetes::Cluster', count: LARGE_GROUP_AREAS },
  { kind: 'namespace', type: 'Kubernetes::Namespace', count: LARGE_CANARIES },
  { kind: 'deployment', type: DEPLOYMENT, count: LARGE_CANARIES * 10 },
  { kind: 'pod', type: 'Kubernetes::Pod', count: Infinity },
]
/** Each item is edited so often, at a time of its own. */
export const LARGE_EDIT_DAYS = 3
/** A deployment has a new release so often. */
const RELEASE_DAYS = 15
const HEALTHS = [
  'healthy',
  'healthy',
  'healthy',
  'healthy',
  'healthy',
  'healthy',
  'unhealthy',
  'warning',
  'unknown',
] as const
const TOLD = [
  ['Pulled', 'info'],
  ['Scheduled', 'info'],
  ['Killing', 'low'],
  ['ScalingReplicaSet', 'info'],
  ['FailedMount', 'high'],
  ['BackOff', 'medium'],
] as const

// Never behind the last: noise is below 1.
const pick = <Choice>(choices: readonly Choice[], seed: number, slot: number): Choice =>
  choices[Math.floor(noise(seed, slot) * choices.length)] as Choice

const idOf = ({ kind }: Level, index: number): string => `${kind}/${index}`

/** @param at milliseconds since the epoch */
export function largeItems(count: number, at: number): LargeItem[] {
  const items: LargeItem[] = []
  for (const [depth, level] of LEVELS.entries()) {
    const above = LEVELS[depth - 1]
    for (let index = 0; index < level.count && items.length < count; index++) {
      items.push(toItem(level, index, above && idOf(above, index % above.count), at))
    }
  }
  return items
}

function toItem(level: Level, index: number, parent: string | undefined, at: number): LargeItem {
  const { kind, type } = level
  const seed = seedOf(idOf(level, index))
  const namespace = `group-${String(index % LARGE_CANARIES).padStart(3, '0')}`
  return {
    id: idOf(level, index),
    name: kind === 'cluster' ? largeArea(index) : kind === 'namespace' ? namespace : `${kind}-${index}`,
    type,
    class: type.slice(type.indexOf(':') + 2),
    ...(parent !== undefined && { parent }),
    status: 'Running',
    health: pick(HEALTHS, seed, 0),
    team: pick(LARGE_TEAMS, seed, 1),
    cluster: largeArea(index),
    namespace,
    generation: largeEdit(idOf(level, index), at).generation,
    spec:
      kind === 'deployment'
        ? { replicas: 1 + (seed % 4), image: `registry.example/service-${index}:1.${releaseOf(seed, at)}` }
        : { cpu: `${100 + (seed % 9) * 50}m`, memory: `${128 << (seed % 4)}Mi` },
  }
}

/** The last edit of an item before a moment. */
export function largeEdit(id: string, at: number): { readonly generation: number; readonly editedAt: Date } {
  const [kind = '', index] = id.split('/')
  // By its number: ids next to each other have one seed.
  const aheadDays = noise(seedOf(kind), Number(index)) * LARGE_EDIT_DAYS
  const generation = Math.floor((at / DAY_MS + aheadDays) / LARGE_EDIT_DAYS)
  return { generation, editedAt: new Date((generation * LARGE_EDIT_DAYS - aheadDays) * DAY_MS) }
}

const releaseOf = (seed: number, at: number): number => Math.floor((at / DAY_MS + (seed % RELEASE_DAYS)) / RELEASE_DAYS)

/** What happened to an item after a moment and up to another one. */
export function largeChanges({ id, type }: LargeItem, since: number, after: number, at: number): ItemChange[] {
  if (type !== DEPLOYMENT) return []
  const seed = seedOf(id)
  return Array.from({ length: TOLD_PER_DEPLOYMENT }, (_, slot): ItemChange & { readonly createdAt: Date } => {
    const [change, severity] = pick(TOLD, seed, slot + 2)
    const share = (slot + noise(seed, slot + 20)) / TOLD_PER_DEPLOYMENT
    return {
      id: `${id}/${slot}`,
      type: change,
      severity,
      source: 'kubernetes',
      summary: `${change} ${id}`,
      createdAt: new Date(since + share * PAST_DAYS * DAY_MS),
    }
  }).filter(({ createdAt }) => createdAt.getTime() > after && createdAt.getTime() <= at)
}

/** A file for each namespace, and one for what is above them. */
export const largeFileOf = ({ type, namespace }: Pick<LargeItem, 'type' | 'namespace'>): string =>
  type === 'Cloud::Region' || type === 'Kubernetes::Cluster' ? 'clusters.json' : `${namespace}.json`
