import { Socket } from 'node:net'

import { Client, Query } from 'pg'

import type { RunnableCheck } from '../../../check-runner/contract.ts'
import { readPostgresTarget } from '../../../check-runner/postgresTarget.ts'
import { cancelQuery, describePostgresFailure } from '../../../check-runner/types/postgres.ts'
import { type FilledQuery, fillQuery, TemplateFault } from '../templates.ts'
import type { Step } from './step.ts'

/** Rows that a step keeps; a query that returns more is a mistake. */
const MAX_ROWS = 1_000

/** A query of a PostgreSQL database. Values that are filled in are its parameters, never words of it. */
export const runSql: Step<'sql'> = async ({ spec, scope, signal, logger, opener, lookUp, openOutput }) => {
  const check: RunnableCheck = {
    name: 'step',
    timeoutMs: 0,
    type: 'postgres',
    spec: {
      ...(spec.url !== undefined && { url: spec.url }),
      ...(spec.connection !== undefined && { connection: spec.connection }),
    },
  }
  const opened = await opener.open(check)
  if (!opened.ok) return { result: null, error: opened.error }
  const { url, username, password } = opened.value.check.spec as { url?: string; username?: string; password?: string }
  if (url === undefined) throw new TemplateFault('sql: it has neither a connection nor a url')
  const target = readPostgresTarget(url, { username, password })
  if (!target.ok) return { result: null, error: target.error }
  const output = openOutput(opened.value.secrets)
  const socket = new Socket()
  const client = new Client({ ...target.value, application_name: 'watchroom playbook', stream: () => socket })
  // Errors also reject the pending call; without a listener they would end the process.
  client.on('error', (error) => logger.debug({ err: error }, 'connection of a playbook failed'))
  const handleAbort = (): void => {
    cancelQuery(client)
    socket.destroy(new Error('stopped'))
  }
  signal.addEventListener('abort', handleAbort, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    const rows = await readRows(client, await fillQuery(spec.query, scope, lookUp))
    await output.write('stdout', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const { stdout } = await output.end()
    return { result: { rows: toRows(stdout), count: rows.length }, error: null }
  } catch (error) {
    if (error instanceof TemplateFault) throw error
    return { result: null, error: describePostgresFailure(error) }
  } finally {
    signal.removeEventListener('abort', handleAbort)
    client.end().catch((error: unknown) => logger.debug({ err: error }, 'connection of a playbook not closed cleanly'))
    socket.destroySoon()
  }
}

function readRows(client: Client, { text, values }: FilledQuery): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    const rows: Record<string, unknown>[] = []
    const query = client.query(new Query(text, [...values]))
    query.on('row', (row: Record<string, unknown>) => {
      rows.push(row)
      if (rows.length > MAX_ROWS) reject(new Error(`the query returns more than ${MAX_ROWS} rows`))
    })
    query.once('error', reject)
    query.once('end', () => resolve(rows))
  })
}

/** From what was shown, which is masked; a line that was cut is left out. */
function toRows(lines: string): unknown[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
}
