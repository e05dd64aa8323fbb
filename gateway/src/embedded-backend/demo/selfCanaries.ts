// The product watches itself: real checks of this process and this host. None of them needs the internet.
import { join } from 'node:path'

import type { CanarySpec } from '@watchroom/shared/health/check-types'

import type { CanarySeed } from './seedCanaries.ts'
import type { SystemCapabilities } from './systemCapabilities.ts'

export interface SelfCanaryOptions {
  /** Where people open the product, for example `http://127.0.0.1:3000`. */
  publicUrl: string
  dataDirectory: string
  can: SystemCapabilities
}

function canary(name: string, spec: CanarySpec): CanarySeed {
  return { name, namespace: 'self', source: 'self', labels: { component: name }, spec }
}

function toHostPort(publicUrl: string): string {
  const { hostname, port, protocol } = new URL(publicUrl)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

const gatewayCanary = (publicUrl: string): CanarySeed =>
  canary('gateway', {
    schedule: '@every 10s',
    severity: 'critical',
    http: [
      {
        name: 'gateway-http',
        description: 'The gateway answers /healthz within 250 ms',
        url: new URL('/healthz', publicUrl).href,
        thresholdMillis: 250,
        timeout: '5s',
      },
      {
        name: 'gateway-live',
        description: 'The gateway reads the checks, incidents and agents that it shows',
        url: new URL('/readyz', publicUrl).href,
        test: { expr: 'json.dependencies.all(name, !name.startsWith("poller.") || json.dependencies[name].ready)' },
        timeout: '5s',
      },
    ],
    tcp: [
      {
        name: 'tcp-self',
        description: 'The port of the gateway accepts connections',
        endpoint: toHostPort(publicUrl),
        timeout: '5s',
      },
    ],
  })

const runnerCanary = (can: SystemCapabilities): CanarySeed =>
  canary('runner', {
    schedule: '@every 60s',
    severity: 'medium',
    // The same name either way: the component Runner is as this check is.
    ...(can.execute
      ? {
          exec: [
            {
              name: 'exec-no-op',
              description: 'A script that does nothing ends within 5 s',
              script: 'echo ok',
              timeout: '5s',
            },
          ],
        }
      : {
          self: [
            {
              name: 'exec-no-op',
              description: 'Scripts run only on agents, not on this installation. This check never fails',
              probe: 'programs',
            },
          ],
        }),
  })

const hostCanary = (can: SystemCapabilities): CanarySeed =>
  canary('host', {
    schedule: '@every 30s',
    severity: 'medium',
    self: [
      {
        name: 'clock-step',
        description: 'The wall clock does not jump by more than 2 s',
        probe: 'clock-step',
      },
    ],
    ...(can.ping
      ? { icmp: [{ name: 'icmp-loopback', description: 'This host answers itself', endpoint: '127.0.0.1' }] }
      : {}),
    ...(can.resolve
      ? { dns: [{ name: 'dns-localhost', description: 'The name server knows localhost', query: 'localhost' }] }
      : {}),
  })

/** Canaries are groups of one rhythm, because a rhythm belongs to a canary. */
export function selfCanaries({ publicUrl, dataDirectory, can }: SelfCanaryOptions): CanarySeed[] {
  return [
    gatewayCanary(publicUrl),
    canary('process', {
      schedule: '@every 5s',
      severity: 'high',
      self: [
        {
          name: 'event-loop-delay',
          description: 'The process answers at once: its event loop is less than 100 ms late (p99)',
          probe: 'event-loop-delay',
        },
        {
          name: 'scheduler-tick',
          description: 'No check waits more than 10 s for its turn',
          probe: 'scheduler-tick',
        },
      ],
    }),
    canary('resources', {
      schedule: '@every 15s',
      severity: 'high',
      self: [
        {
          name: 'heap-and-rss',
          description: 'The heap is below 85 % of its limit and memory does not keep growing',
          probe: 'heap-and-rss',
        },
        {
          name: 'disk-free',
          description: 'At least a tenth of the disk and 1 GiB is free',
          probe: 'disk-free',
        },
      ],
    }),
    canary('database', {
      schedule: '@every 10s',
      severity: 'critical',
      self: [
        {
          name: 'database-append',
          description: 'PostgreSQL makes a write durable within 100 ms',
          probe: 'database-append',
        },
        { name: 'postgrest', description: 'PostgREST answers', probe: 'postgrest' },
        {
          name: 'event-queue-depth',
          description: 'At most 1,000 events wait, none of them for more than a minute',
          probe: 'event-queue-depth',
        },
      ],
    }),
    canary('outbox', {
      schedule: '@every 60s',
      severity: 'high',
      self: [
        {
          name: 'notification-outbox',
          description: 'No mail and no notification failed in the last 15 minutes',
          probe: 'notification-outbox',
        },
      ],
    }),
    canary('store', {
      schedule: '@every 60s',
      severity: 'high',
      self: [
        {
          name: 'store-writable',
          description: 'What is written to the data directory can be read back',
          probe: 'store-writable',
        },
      ],
      folder: [
        {
          name: 'store-folder',
          description: 'A folder of the data directory can be listed, and there is room for more',
          path: join(dataDirectory, 'store'),
          availableSize: '256Mi',
        },
      ],
    }),
    runnerCanary(can),
    hostCanary(can),
    canary('build', {
      schedule: '@hourly',
      severity: 'info',
      self: [{ name: 'build-info', description: 'Version, runtime and uptime; never fails', probe: 'build-info' }],
    }),
  ]
}
