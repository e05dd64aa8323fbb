import type { RunnableCheck } from '../check-runner/contract.ts'
import { describePostgresFailure, eachRow, withPostgres } from '../check-runner/postgresClient.ts'
import { readPostgresTarget } from '../check-runner/postgresTarget.ts'
import type { Step } from './contract.ts'
import { TemplateFault } from './templateFault.ts'
import { fillQuery } from './templates.ts'

/** Rows that a step keeps; a query that returns more is a mistake. */
const MAX_ROWS = 1_000

/** A query of a PostgreSQL database. Values that are filled in are its parameters, never words of it. */
export const runSql: Step<'sql'> = async ({ spec, scope, signal, logger, opener, lookUp, wayOut, openOutput }) => {
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
  try {
    const asked = { ...target.value, application_name: 'watchroom playbook' }
    return await withPostgres(asked, { signal, logger, wayOut }, async (client) => {
      const rows: Record<string, unknown>[] = []
      await eachRow(client, await fillQuery(spec.query, scope, lookUp), MAX_ROWS, (row) => rows.push(row))
      await output.write('stdout', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      const { stdout } = await output.end()
      return { result: { rows: toRows(stdout), count: rows.length }, error: null }
    })
  } catch (error) {
    if (error instanceof TemplateFault) throw error
    return { result: null, error: describePostgresFailure(error) }
  }
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
