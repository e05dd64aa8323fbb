// Harbour Parcel as components: 34 on four levels, each as its own checks are. Five teams answer for a part of it each.
import type { Pool } from 'pg'

import { logSelectorsOf } from './seedLogs.ts'
import { seedTopology, type TopologySeed } from './seedTopologies.ts'

type Part = Readonly<Record<string, unknown>> & { readonly name: string; readonly components?: readonly Part[] }

export const HARBOUR_TOPOLOGY_ID = '01980000-0000-7000-8000-000000000012'

const TEAMS = {
  shop: 'Shop',
  tracking: 'Tracking',
  payments: 'Payments',
  depots: 'Depots',
  platform: 'Platform',
} as const
type Team = keyof typeof TEAMS

const check = (namespace: string, name: string) => ({ selector: { namespace, name } })
const service = (name: string, namespace: string, ...names: readonly string[]): Part => ({
  name,
  type: 'Service',
  icon: 'service',
  checks: names.map((each) => check(namespace, each)),
})
const group = (name: string, components: readonly Part[], more: object = {}): Part => ({
  name,
  type: 'System',
  icon: 'group',
  ...more,
  components,
})
const headline = (name: string, namespace: string, of: string, measure: 'uptime' | 'latency') => ({
  name,
  headline: true,
  check: { ...check(namespace, of), measure },
})

/** What fails there is a nuisance, and stops no parcel. */
const MILD = `self.health == "unhealthy" ? "warning" : self.health`

const STOREFRONT: readonly Part[] = [
  group('Web shop', [
    {
      ...service('Checkout', 'storefront', 'checkout'),
      properties: [headline('latency', 'storefront', 'checkout', 'latency')],
    },
    service('Price calculator', 'storefront', 'price calculator'),
    service('Parcel search', 'storefront', 'parcel search'),
  ]),
  group('Customer accounts', [
    service('Sign-in', 'storefront', 'sign-in'),
    service('Orders', 'storefront', 'order history', 'invoices', 'address book'),
  ]),
]

const TRACKING: readonly Part[] = [
  group(
    'Track and trace',
    [
      service('Public API', 'tracking', 'public api/lookup', 'public api/webhooks'),
      service('ETA forecast', 'tracking', 'eta forecast'),
      service('Scan intake', 'tracking', 'scan intake'),
    ],
    { properties: [headline('uptime', 'tracking', 'public api/lookup', 'uptime')] },
  ),
  service('Scan stream', 'tracking', 'consumer lag', 'dead letters', 'schema registry', 'replay worker'),
]

const PAYMENTS: readonly Part[] = [
  group('Payment providers', [
    service('Cards', 'payments', 'cards'),
    service('Bank transfer north', 'payments', 'bank transfer north'),
  ]),
  service('Ledger', 'payments', 'booking api', 'reconciliation', 'export', 'fraud scoring'),
]

const DEPOTS: readonly Part[] = [
  group('Europe', [
    {
      name: 'Rotterdam',
      type: 'Depot',
      icon: 'building',
      checks: [check('edge-eu', 'rotterdam/sorter')],
      properties: [{ name: 'capacity', headline: true, value: 1_800, max: 2_400, unit: 'parcels/h' }],
      components: [
        {
          name: 'label-printer',
          type: 'Deployment',
          namespace: 'edge-eu',
          icon: 'printer',
          checks: [check('edge-eu', 'rotterdam/label printers')],
          logSelectors: logSelectorsOf('edge-eu'),
        },
        {
          name: 'print-queue',
          type: 'Queue',
          namespace: 'edge-eu',
          icon: 'queue',
          logSelectors: logSelectorsOf('edge-eu'),
        },
      ],
    },
    {
      ...service('Hamburg', 'edge-eu', 'hamburg/sorter', 'hamburg/gate'),
      type: 'Depot',
      icon: 'building',
      healthExpr: MILD,
    },
  ]),
  group('America', [
    { ...service('Newark', 'edge-us', 'newark/sorter', 'newark/customs link'), type: 'Depot', icon: 'building' },
    { ...service('Oakland', 'edge-us', 'oakland/sorter', 'oakland/handhelds'), type: 'Depot', icon: 'building' },
  ]),
]

const PLATFORM: readonly Part[] = [
  service('Single sign-on', 'platform', 'single sign-on'),
  service('Observability', 'platform', 'metrics store', 'log store', 'alert router'),
  { ...group('Night jobs', [service('Backup', 'platform', 'backup')]), healthExpr: MILD },
  { ...service('Old mail relay', 'platform', 'mail relay'), hidden: true, lifecycle: 'retired' },
]

const ROOTS: readonly (readonly [
  name: string,
  team: Team,
  components: readonly Part[],
  logs?: Parameters<typeof logSelectorsOf>[0],
])[] = [
  ['Storefront', 'shop', STOREFRONT, 'storefront'],
  ['Tracking', 'tracking', TRACKING, 'tracking'],
  ['Payments', 'payments', PAYMENTS, 'payments'],
  ['Depots', 'depots', DEPOTS],
  ['Platform', 'platform', PLATFORM],
]

function ownedBy(team: Team, { components, ...part }: Part): Part {
  return {
    ...part,
    owner: TEAMS[team],
    labels: { team },
    ...(components && { components: components.map((child) => ownedBy(team, child)) }),
  }
}

const HARBOUR: TopologySeed = {
  id: HARBOUR_TOPOLOGY_ID,
  name: 'Harbour Parcel',
  namespace: 'demo',
  spec: {
    schedule: '@every 2m',
    labels: { demo: 'true' },
    components: ROOTS.map(([name, team, components, logs]) =>
      ownedBy(team, {
        name,
        type: 'Product',
        icon: 'cargo-ship',
        components,
        ...(logs && { logSelectors: logSelectorsOf(logs) }),
      }),
    ),
  },
}

/** Nothing of teams where the demo's people are not: each needs someone who made it. */
export async function seedHarbourTopology(pool: Pick<Pool, 'query'>, editorEmail: string): Promise<void> {
  await pool.query(
    `insert into teams (name, icon, spec, source, created_by)
     select team.name, 'group', team.spec, 'UI', people.id
     from jsonb_to_recordset($1::jsonb) as team(name text, spec jsonb) join people on people.email = $2 and people.deleted_at is null
     where not exists (select from teams where teams.name = team.name)`,
    [
      JSON.stringify(
        Object.entries(TEAMS).map(([team, name]) => ({
          name,
          spec: { components: [{ labelSelector: `demo=true,team=${team}` }] },
        })),
      ),
      editorEmail,
    ],
  )
  await seedTopology(pool, HARBOUR)
}
