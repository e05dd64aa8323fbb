// PostgreSQL as checks and playbooks ask it: one connection for one question, which ends when it is told to.
import type { Socket } from 'node:net'

import { Client, DatabaseError, Query } from 'pg'

import type { Logger } from '../platform/logger.ts'
import type { WayOut } from './contract.ts'
import { describeFailure } from './describeFailure.ts'
import type { PostgresTarget } from './postgresTarget.ts'

const CANCEL_REQUEST_CODE = 80877102
const CANCEL_TIMEOUT_MS = 2_000

interface Way {
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly wayOut: WayOut
}

/**
 * Connects, lets `ask` do its work and closes.
 *
 * @throws whatever the work throws, and Error when it could not connect or was stopped
 */
export async function withPostgres<Answer>(
  target: PostgresTarget & { readonly application_name: string },
  { signal, logger, wayOut }: Way,
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const open = (until: AbortSignal): Promise<Socket> =>
    wayOut.open({ host: target.host, port: target.port, tls: null, signal: until })
  const socket = await open(signal)
  const client = new Client({ ...target, stream: () => asUnconnected(socket) })
  const note = (error: unknown): void =>
    logger.debug({ err: error, application: target.application_name }, 'postgres connection failed')
  // Errors also reject the pending call; without a listener they would end the process.
  client.on('error', note)
  const handleAbort = (): void => void cancelQuery(client, open)
  signal.addEventListener('abort', handleAbort, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    return await ask(client)
  } finally {
    signal.removeEventListener('abort', handleAbort)
    // Polite only while the server listens: the promise of `end` waits for an answer that may never come.
    client.end().catch(note)
    socket.destroySoon()
  }
}

/** For pg, which connects by a name that would be looked up anew, and has no way to give up meanwhile. */
const asUnconnected = (socket: Socket): Socket =>
  Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'))
      return socket
    },
  })

/** Rows as they come: with a `row` listener pg keeps none. @throws Error when there are more than `max` */
export function eachRow(
  client: Client,
  { text, values }: { readonly text: string; readonly values?: readonly unknown[] },
  max: number,
  take: (row: Record<string, unknown>) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0
    const query = client.query(values === undefined ? new Query(text) : new Query(text, [...values]))
    query.on('row', (row: Record<string, unknown>) => {
      count += 1
      if (count > max) reject(new Error(`the query returns more than ${max} rows`))
      else take(row)
    })
    query.once('error', reject)
    query.once('end', () => resolve())
  })
}

interface BackendKey {
  processID: number | null
  secretKey: number | null
}

/**
 * Asks the server to end what it is doing for us (PostgreSQL protocol, CancelRequest). Without it a slow query would go on
 * after its connection is gone. A session setting such as statement_timeout would stay behind in a connection pooler.
 */
async function cancelQuery(client: Client, open: (until: AbortSignal) => Promise<Socket>): Promise<void> {
  // pg keeps the key on the client without declaring it.
  const { processID, secretKey } = client as Client & BackendKey
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  request.writeInt32BE(request.length, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  try {
    const socket = await open(AbortSignal.timeout(CANCEL_TIMEOUT_MS))
    socket.end(request)
  } catch {
    // Best effort: where the server cannot be reached any more there is nobody to ask.
  }
}

export function describePostgresFailure(error: unknown): string {
  if (!(error instanceof DatabaseError)) return describeFailure(error)
  return error.code === undefined ? error.message : `${error.message} (${error.code})`
}
