// Components that have a log, and the log backends that hold it: the services of the demo, and Watchroom itself.
import type { LogBackend } from '@watchroom/shared/logs'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { WORKERS } from './demoWorkers.ts'

const PRINTERS = 'edge-eu'
const NAMESPACES = ['storefront', 'tracking', 'payments', PRINTERS] as const
const SERVICE_TYPE = 'DemoService'
const OWN_TYPE = 'Watchroom'

interface LogSelector {
  readonly name: string
  readonly type: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Of a namespace; the printers of one have workers besides. */
const logsOf = (namespace: string): string[] => ['access', 'errors', ...(namespace === PRINTERS ? [WORKERS] : [])]

const selectorsOf = (namespace: string): LogSelector[] =>
  logsOf(namespace).map((log) => ({ name: log, type: SERVICE_TYPE, labels: { namespace, log } }))

const SERVICES: readonly LogBackend[] = NAMESPACES.flatMap((namespace) =>
  logsOf(namespace).map((log) => ({
    file: {
      path: [`demo/${namespace}-${log}.log`],
      labels: { namespace },
      routes: [{ type: SERVICE_TYPE, labels: { namespace, log } }],
    },
  })),
)
const OWN: readonly LogBackend[] = [{ watchroom: { routes: [{ type: OWN_TYPE }] } }]

/** Nothing when there are any log backends, also deleted ones: what people made or changed stays so. */
export async function seedLogs(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>('select exists (select from logging_backends)')
  if (rows[0]?.exists) return
  await inTransaction(pool, async (client) => {
    for (const [name, backends] of [
      ['Services of the demo', SERVICES],
      ['Watchroom', OWN],
    ] as const) {
      await client.query(`insert into logging_backends (name, spec, source) values ($1, $2, 'UI')`, [
        name,
        JSON.stringify({ backends }),
      ])
    }
    for (const namespace of NAMESPACES.filter((each) => each !== PRINTERS)) {
      await insertComponent(client, namespace, namespace, selectorsOf(namespace))
    }
    await insertComponent(client, 'watchroom', 'platform', [{ name: 'log', type: OWN_TYPE }])
    // Those that the incident is about print in this place.
    await client.query(
      `update components set log_selectors = $1
       where external_id in ('demo/label-printer', 'demo/print-queue') and log_selectors is null`,
      [JSON.stringify(selectorsOf(PRINTERS))],
    )
  })
}

async function insertComponent(
  client: PoolClient,
  name: string,
  namespace: string,
  selectors: readonly LogSelector[],
): Promise<void> {
  await client.query(
    `insert into components (external_id, name, type, namespace, labels, status, health, log_selectors)
     values ($1, $2, 'Application', $3, '{"demo": "true"}', 'healthy', 'healthy', $4)`,
    [`demo/${name}`, name, namespace, JSON.stringify(selectors)],
  )
}
