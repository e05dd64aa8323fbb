// Log backends that hold the logs of components: the services of the demo, and Watchroom itself. Their topologies name the selectors.
import type { LogBackend } from '@watchroom/shared/logs'
import type { Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { WORKERS } from './demoWorkers.ts'

interface LogSelector {
  readonly name: string
  readonly type: string
  readonly labels?: Readonly<Record<string, string>>
}

const PRINTERS = 'edge-eu'
const NAMESPACES = ['storefront', 'tracking', 'payments', PRINTERS] as const
const SERVICE_TYPE = 'DemoService'
const OWN_TYPE = 'Watchroom'

/** What shows the log of the product itself. */
export const OWN_LOG_SELECTORS: readonly LogSelector[] = [{ name: 'log', type: OWN_TYPE }]

/** Of a namespace; the printers of one have workers besides. */
const logsOf = (namespace: string): string[] => ['access', 'errors', ...(namespace === PRINTERS ? [WORKERS] : [])]

/** What a component of the demo in a namespace is given to show. */
export const logSelectorsOf = (namespace: (typeof NAMESPACES)[number]): LogSelector[] =>
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
  })
}
