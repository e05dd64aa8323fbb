// "Harbour Parcel", a courier that does not exist: the estate of the demo profile. All of it is tagged as demo.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { CanarySpec } from '@watchroom/shared/health/check-types'

import type { Behavior, Service } from './behavior.ts'
import type { CanarySeed } from './seedCanaries.ts'
import type { SystemCapabilities } from './systemCapabilities.ts'

interface ServiceDefinition {
  name: string
  usualMs: number
  behavior?: Behavior
  severity?: 'critical' | 'high' | 'medium' | 'low'
  labels?: Record<string, string>
  description?: string
}

interface Group {
  namespace: string
  name: string
  team: string
  tier: 'web' | 'service' | 'data' | 'edge'
  intervalS: number
  services: ServiceDefinition[]
}

const CRITICAL = { critical: 'true' }
const PUBLIC = { public: 'true' }

const GROUPS: readonly Group[] = [
  {
    namespace: 'storefront',
    name: 'web shop',
    team: 'shop',
    tier: 'web',
    intervalS: 10,
    services: [
      { name: 'home page', usualMs: 45, labels: PUBLIC },
      { name: 'price calculator', usualMs: 80, labels: PUBLIC, behavior: 'daily' },
      {
        name: 'parcel search',
        usualMs: 120,
        labels: PUBLIC,
        behavior: 'drift',
        description: 'Slower until its index is rebuilt',
      },
      { name: 'checkout', usualMs: 95, labels: { ...PUBLIC, ...CRITICAL }, severity: 'critical' },
      { name: 'label download', usualMs: 60, labels: PUBLIC },
      { name: 'newsletter form', usualMs: 40, labels: PUBLIC, severity: 'low', behavior: 'flapping' },
    ],
  },
  {
    namespace: 'storefront',
    name: 'customer accounts',
    team: 'shop',
    tier: 'service',
    intervalS: 15,
    services: [
      { name: 'sign-in', usualMs: 55, labels: CRITICAL, severity: 'critical' },
      { name: 'address book', usualMs: 30 },
      { name: 'order history', usualMs: 70 },
      { name: 'invoices', usualMs: 65 },
    ],
  },
  {
    namespace: 'tracking',
    name: 'track and trace',
    team: 'tracking',
    tier: 'service',
    intervalS: 10,
    services: [
      { name: 'public api/lookup', usualMs: 35, labels: { ...PUBLIC, ...CRITICAL }, severity: 'critical' },
      { name: 'public api/webhooks', usualMs: 50, labels: PUBLIC },
      { name: 'scan intake', usualMs: 20, severity: 'high' },
      {
        name: 'eta forecast',
        usualMs: 140,
        severity: 'high',
        behavior: 'recovering',
        description: 'Comes back 40 s after the start of the demo',
      },
      { name: 'map tiles', usualMs: 90 },
      { name: 'push messages', usualMs: 45 },
    ],
  },
  {
    namespace: 'tracking',
    name: 'scan stream',
    team: 'tracking',
    tier: 'data',
    intervalS: 15,
    services: [
      { name: 'consumer lag', usualMs: 12, behavior: 'daily' },
      { name: 'dead letters', usualMs: 10 },
      { name: 'schema registry', usualMs: 18 },
      { name: 'replay worker', usualMs: 25, behavior: 'drift' },
    ],
  },
  {
    namespace: 'payments',
    name: 'payment providers',
    team: 'payments',
    tier: 'service',
    intervalS: 15,
    services: [
      { name: 'cards', usualMs: 180, labels: CRITICAL, severity: 'critical' },
      { name: 'direct debit', usualMs: 210, severity: 'high' },
      {
        name: 'bank transfer north',
        usualMs: 260,
        severity: 'high',
        behavior: 'failing',
        description: 'The bank is down',
      },
      { name: 'wallets', usualMs: 150 },
      { name: 'refunds', usualMs: 170 },
    ],
  },
  {
    namespace: 'payments',
    name: 'ledger',
    team: 'payments',
    tier: 'data',
    intervalS: 15,
    services: [
      { name: 'booking api', usualMs: 40, labels: CRITICAL, severity: 'critical' },
      { name: 'reconciliation', usualMs: 130, behavior: 'drift' },
      { name: 'export', usualMs: 85 },
      { name: 'fraud scoring', usualMs: 110 },
    ],
  },
  {
    namespace: 'platform',
    name: 'shared services',
    team: 'platform',
    tier: 'service',
    intervalS: 15,
    services: [
      { name: 'single sign-on', usualMs: 35, labels: CRITICAL, severity: 'critical' },
      { name: 'feature switches', usualMs: 8 },
      { name: 'mail relay', usualMs: 60 },
      { name: 'image resizer', usualMs: 140, behavior: 'drift' },
      { name: 'geo lookup', usualMs: 15 },
      { name: 'document store', usualMs: 30 },
    ],
  },
  {
    namespace: 'platform',
    name: 'observability',
    team: 'platform',
    tier: 'data',
    intervalS: 30,
    services: [
      { name: 'metrics store', usualMs: 22 },
      { name: 'log store', usualMs: 28 },
      { name: 'alert router', usualMs: 12, severity: 'high' },
      { name: 'dashboards', usualMs: 55, severity: 'low' },
      { name: 'trace collector', usualMs: 16 },
    ],
  },
  {
    namespace: 'edge-eu',
    name: 'depots europe',
    team: 'depots',
    tier: 'edge',
    intervalS: 15,
    services: [
      { name: 'rotterdam/sorter', usualMs: 75, severity: 'critical', labels: CRITICAL },
      {
        name: 'rotterdam/label printers',
        usualMs: 90,
        severity: 'high',
        behavior: 'failing',
        description: 'Prints blank labels',
      },
      { name: 'hamburg/sorter', usualMs: 70 },
      { name: 'hamburg/gate', usualMs: 40, behavior: 'flapping', severity: 'medium' },
      { name: 'gdansk/sorter', usualMs: 85 },
      { name: 'gdansk/handhelds', usualMs: 95, behavior: 'daily' },
    ],
  },
  {
    namespace: 'edge-us',
    name: 'depots america',
    team: 'depots',
    tier: 'edge',
    intervalS: 15,
    services: [
      { name: 'newark/sorter', usualMs: 130 },
      {
        name: 'newark/customs link',
        usualMs: 160,
        severity: 'critical',
        labels: CRITICAL,
        behavior: 'failing-later',
        description: 'Fails 70 s after the start of the demo, for ten minutes of each half hour',
      },
      { name: 'savannah/sorter', usualMs: 125 },
      {
        name: 'savannah/gate',
        usualMs: 110,
        behavior: 'failing',
        severity: 'medium',
        description: 'The gate controller is offline',
      },
      { name: 'oakland/sorter', usualMs: 150, behavior: 'drift' },
      { name: 'oakland/handhelds', usualMs: 145 },
    ],
  },
  {
    namespace: 'edge-us',
    name: 'fleet america',
    team: 'fleet',
    tier: 'edge',
    intervalS: 30,
    services: [
      { name: 'telematics', usualMs: 140 },
      { name: 'fuel cards', usualMs: 190, severity: 'low' },
      { name: 'route sync', usualMs: 120, severity: 'high' },
      { name: 'driver app', usualMs: 100, labels: PUBLIC },
    ],
  },
]

export const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
const pathOf = (group: Group, service: ServiceDefinition): string =>
  `/${slug(group.namespace)}/${slug(group.name)}/${slug(service.name)}`

export const seedOf = (text: string): number =>
  Array.from(text).reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7) >>> 8

/** The services of the estate by the path that the target answers. */
export function estateServices(): Map<string, Service> {
  return new Map(
    GROUPS.flatMap((group) =>
      group.services.map((service) => {
        const path = pathOf(group, service)
        return [path, { behavior: service.behavior ?? 'steady', usualMs: service.usualMs, seed: seedOf(path) }] as const
      }),
    ),
  )
}

/** What runs, for whom, and where: what the checks look at. */
export interface Workload {
  readonly namespace: string
  readonly group: string
  readonly name: string
  readonly team: string
  readonly isCritical: boolean
  readonly isFailing: boolean
}

export const estateWorkloads = (): Workload[] =>
  GROUPS.flatMap(({ namespace, name: group, team, services }) =>
    services.map(({ name, severity, behavior }) => ({
      namespace,
      group,
      name,
      team,
      isCritical: severity === 'critical',
      isFailing: behavior === 'failing',
    })),
  )

function groupSpec(group: Group, targetUrl: string): CanarySpec {
  return {
    interval: group.intervalS,
    http: group.services.map((service) => ({
      name: service.name,
      url: `${targetUrl}${pathOf(group, service)}`,
      severity: service.severity ?? 'medium',
      timeout: '5s',
      ...(service.labels ? { labels: service.labels } : {}),
      ...(service.description ? { description: service.description } : {}),
    })),
  }
}

const toLabels = (team: string, tier: string): Record<string, string> => ({ demo: 'true', team, tier })

/** Checks of other types against the same target and this host; real, like the rest. */
function technicalCanaries(
  target: { host: string; port: number },
  directory: string,
  can: Pick<SystemCapabilities, 'execute'>,
): CanarySeed[] {
  const spool = join(directory, 'spool')
  const backups = join(directory, 'backups')
  for (const folder of [spool, backups]) mkdirSync(folder, { recursive: true })
  const endpoint = `${target.host}:${target.port}`
  return [
    {
      name: 'network',
      namespace: 'platform',
      source: 'demo',
      labels: toLabels('platform', 'edge'),
      spec: {
        interval: 30,
        tcp: [
          { name: 'load balancer', endpoint, timeout: '3s', severity: 'critical' },
          { name: 'message broker', endpoint, timeout: '3s', severity: 'high' },
          { name: 'cache', endpoint, timeout: '3s' },
        ],
      },
    },
    {
      name: 'night jobs',
      namespace: 'platform',
      source: 'demo',
      labels: toLabels('platform', 'data'),
      spec: {
        interval: 60,
        ...(can.execute && {
          exec: [
            { name: 'archive', script: 'echo "214 files archived"', severity: 'low' },
            { name: 'backup', script: 'echo "the last backup is 31 h old" >&2; exit 1', severity: 'high' },
            { name: 'route planning', script: 'echo "1,204 tours planned"' },
          ],
        }),
        folder: [
          { name: 'spool', path: spool, maxCount: 100 },
          // Nothing is ever written there: without scripts the backup still fails as its story says.
          ...(can.execute ? [] : [{ name: 'backup', path: backups, maxAge: '31h', severity: 'high' as const }]),
        ],
      },
    },
  ]
}

/** The one check that a newcomer can break and fix, with two commands or by editing it. */
function breakMe(directory: string): CanarySeed {
  const folder = join(directory, 'break-me')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'broken')
  return {
    name: 'break me',
    namespace: 'platform',
    source: 'demo',
    labels: toLabels('you', 'service'),
    spec: {
      schedule: '@every 2s',
      folder: [
        {
          name: 'break me',
          description: `A check to play with. Break it: touch '${file}'   Fix it: rm '${file}'   Without a shell: edit it and ask for at least one file (Fewest files: 1).`,
          path: folder,
          maxCount: 0,
          severity: 'high',
        },
      ],
    },
  }
}

/** The canaries of the estate. Creates the folders that they look at. */
export function harbourParcel(
  target: { host: string; port: number },
  { dataDirectory, can }: { dataDirectory: string; can: Pick<SystemCapabilities, 'execute'> },
): CanarySeed[] {
  const targetUrl = `http://${target.host}:${target.port}`
  const groups = GROUPS.map((group): CanarySeed => ({
    name: group.name,
    namespace: group.namespace,
    source: 'demo',
    labels: toLabels(group.team, group.tier),
    spec: groupSpec(group, targetUrl),
  }))
  return [...groups, ...technicalCanaries(target, join(dataDirectory, 'demo'), can), breakMe(dataDirectory)]
}
