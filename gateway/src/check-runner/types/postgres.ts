import { connect, Socket } from 'node:net'

import { Client, DatabaseError, Query } from 'pg'

import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { invalid, judged, NO_ADDRESS, notPassed } from '../outcome.ts'
import { readPostgresTarget } from '../postgresTarget.ts'

type PostgresSpec = RunnerSpec<'postgres'>

/** Rows are counted as they come and not kept; a query that returns more than this is a mistake. */
const MAX_ROWS = 100_000
const CANCEL_REQUEST_CODE = 80877102
const CANCEL_TIMEOUT_MS = 2_000

/** Connects, runs one query and counts its rows. */
export const postgresRunner: CheckRunner<PostgresSpec> = {
  async run(spec, { signal, clock, logger }) {
    if (spec.url === undefined) return invalid(0, NO_ADDRESS)
    const target = readPostgresTarget(spec.url, spec)
    if (!target.ok) return invalid(0, target.error)
    // A socket of ours, because pg has no way to give up while it connects.
    const socket = new Socket()
    const client = new Client({ ...target.value, application_name: 'watchroom check', stream: () => socket })
    // Errors also reject the pending call; without a listener they would end the process.
    client.on('error', (error) => logger.debug({ err: error }, 'postgres check connection failed'))
    const handleAbort = (): void => {
      cancelQuery(client)
      socket.destroy(new Error('stopped'))
    }
    signal.addEventListener('abort', handleAbort, { once: true })
    const startedAt = clock.monotonic()
    try {
      signal.throwIfAborted()
      await client.connect()
      const rows = await countRows(client, spec.query ?? 'select 1')
      const durationMs = clock.monotonic() - startedAt
      const isExpected = spec.results === undefined || rows === spec.results
      const faults = isExpected ? [] : [`the query returned ${rows} rows, expected ${spec.results}`]
      return judged(durationMs, faults, `${rows} ${rows === 1 ? 'row' : 'rows'}`, { rows })
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, describePostgresFailure(error))
    } finally {
      signal.removeEventListener('abort', handleAbort)
      // Polite only while the server listens: the promise of `end` waits for an answer that may never come.
      client
        .end()
        .catch((error: unknown) => logger.debug({ err: error }, 'postgres check connection not closed cleanly'))
      socket.destroySoon()
    }
  },
}

interface BackendKey {
  processID: number | null
  secretKey: number | null
}

/**
 * Asks the server to end what it is doing for us (PostgreSQL protocol, CancelRequest). Without it a slow query would go on
 * after its connection is gone. A session setting such as statement_timeout would stay behind in a connection pooler.
 */
export function cancelQuery(client: Client): void {
  // pg keeps the key on the client without declaring it.
  const { processID, secretKey } = client as Client & BackendKey
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  request.writeInt32BE(request.length, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const { host, port } = client
  const socket = connect(port, host)
  // Best effort: where the server cannot be reached any more there is nobody to ask.
  socket.on('error', () => socket.destroy())
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
  socket.end(request)
}

function countRows(client: Client, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    // With a `row` listener pg keeps no rows.
    const query = client.query(new Query(text))
    query.on('row', () => {
      rows++
      if (rows > MAX_ROWS) reject(new Error(`the query returns more than ${MAX_ROWS} rows`))
    })
    query.once('error', reject)
    query.once('end', () => resolve(rows))
  })
}

export function describePostgresFailure(error: unknown): string {
  if (!(error instanceof DatabaseError)) return describeFailure(error)
  return error.code === undefined ? error.message : `${error.message} (${error.code})`
}
