// The product as components: each is as its own checks and its own part of the catalog are.
import { OWN_LOG_SELECTORS } from './seedLogs.ts'
import type { TopologySeed } from './seedTopologies.ts'
import type { SystemCapabilities } from './systemCapabilities.ts'

const checks = (...names: readonly string[]) => names.map((name) => ({ selector: { namespace: 'self', name } }))

const measured = (name: string) => [
  { name: 'uptime', headline: true, order: 1, check: { selector: { namespace: 'self', name }, measure: 'uptime' } },
  { name: 'latency', headline: true, order: 2, check: { selector: { namespace: 'self', name }, measure: 'latency' } },
]

/** @param can what of this host is checked (`selfCanaries`) */
export const selfTopology = ({ can }: { can: Pick<SystemCapabilities, 'ping' | 'resolve'> }): TopologySeed => ({
  id: '01980000-0000-7000-8000-000000000011',
  name: 'Console',
  namespace: 'self',
  spec: {
    schedule: '@every 1m',
    type: 'Product',
    icon: 'console',
    text: 'Watchroom itself',
    labels: { self: 'true' },
    components: [
      {
        name: 'Gateway',
        type: 'Service',
        icon: 'server',
        checks: checks('gateway-http', 'gateway-live', 'tcp-self'),
        logSelectors: OWN_LOG_SELECTORS,
        properties: measured('gateway-http'),
      },
      {
        name: 'Scheduler',
        type: 'Service',
        icon: 'clock',
        checks: checks('scheduler-tick', 'event-loop-delay', 'heap-and-rss'),
      },
      { name: 'Runner', type: 'Service', icon: 'play', checks: checks('exec-no-op') },
      { name: 'Outbox', type: 'Queue', icon: 'queue', checks: checks('event-queue-depth', 'notification-outbox') },
      {
        name: 'Store',
        type: 'Database',
        icon: 'database',
        checks: checks('database-append', 'postgrest', 'store-writable', 'store-folder', 'disk-free'),
        properties: measured('database-append'),
        lookup: { configs: [{ types: ['PostgreSQL::Database'] }] },
      },
      {
        name: 'Host',
        type: 'Machine',
        icon: 'host',
        checks: checks('clock-step', ...(can.ping ? ['icmp-loopback'] : []), ...(can.resolve ? ['dns-localhost'] : [])),
        lookup: { configs: [{ types: ['Host::Machine'] }] },
      },
      { name: 'Build', type: 'Package', icon: 'box', checks: checks('build-info') },
    ],
  },
})
