// Rows of a PostgreSQL database. The query is one statement that can only read: it is declared as a cursor, in a transaction that
// refuses to write.
import type { SqlElement } from '@watchroom/shared/specs'
import type { Client, QueryConfig } from 'pg'
import type { Logger } from 'pino'

import { describePostgresFailure, withPostgres } from '../../../check-runner/postgresClient.ts'
import { readPostgresTarget } from '../../../check-runner/postgresTarget.ts'
import type { CheckOpener } from '../../checks/createCheckOpener.ts'
import type { Network } from '../../outbound/createNetwork.ts'
import type { Family, ReadBatch } from '../family.ts'
import { SourceFault } from '../family.ts'
import { openTarget, toFault, withinTime } from './openTarget.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const MAX_ROWS = 50_000
const MAX_BYTES = 128 * 2 ** 20
const BATCH = 500

interface Deps {
  readonly opener: CheckOpener
  readonly network: Network
  readonly logger: Logger
}

export function createSqlFamily({ opener, network, logger }: Deps): Family<SqlElement> {
  return {
    name: 'sql',
    async *read(element, context): AsyncIterable<ReadBatch> {
      const address = element.connection
      const isNamed = address.startsWith('connection://')
      const { text, mask, maskText } = await openTarget(opener, {
        type: 'postgres',
        spec: isNamed ? { connection: address } : { url: address },
      })
      const target = readPostgresTarget(text('url') ?? '', {
        username: text('username'),
        password: text('password'),
      })
      if (!target.ok) throw new SourceFault(`connection: ${target.error}`)
      const source = `${target.value.host}/${target.value.database}`
      const ask = async (signal: AbortSignal): Promise<unknown[]> => {
        const asked = { ...target.value, application_name: 'watchroom scraper' }
        const way = { signal, logger, wayOut: network }
        return withPostgres(asked, way, (client) => readRows(client, element.query))
      }
      const rows = await withinTime(context, { timeout: element.timeout, defaultMs: DEFAULT_TIMEOUT_MS }, ask).catch(
        (error: unknown) => {
          context.signal.throwIfAborted()
          throw toFault(error, maskText, describePostgresFailure)
        },
      )
      for (let start = 0; start < rows.length; start += BATCH) {
        const items = rows.slice(start, start + BATCH).map((row, index) => ({
          config: mask(row),
          facts: {},
          place: { source, line: start + index + 1 },
        }))
        yield { items, warnings: [] }
      }
    },
  }
}

/** The extended protocol takes one statement, so that none behind a semicolon leaves the transaction. */
const alone = (text: string): QueryConfig & { queryMode: 'extended' } => ({ text, queryMode: 'extended' })

/** Rows as JSON has them. @throws SourceFault when there are too many, and whatever the database says */
async function readRows(client: Client, query: string): Promise<unknown[]> {
  await client.query('begin transaction read only')
  await client.query(alone(`declare watchroom_items no scroll cursor for ${query}`))
  const found: unknown[] = []
  let bytes = 0
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${BATCH} from watchroom_items`)
    for (const row of rows) {
      const text = JSON.stringify(row)
      bytes += text.length
      if (bytes > MAX_BYTES) throw new SourceFault(`its rows hold more than ${MAX_BYTES / 2 ** 20} MiB`)
      found.push(JSON.parse(text))
    }
    if (found.length > MAX_ROWS) throw new SourceFault(`the query returns more than ${MAX_ROWS} rows`)
    if (rows.length < BATCH) break
  }
  await client.query('rollback')
  return found
}
