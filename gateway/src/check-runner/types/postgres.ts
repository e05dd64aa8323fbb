import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { invalid, judged, NO_ADDRESS, notPassed } from '../outcome.ts'
import { describePostgresFailure, eachRow, withPostgres } from '../postgresClient.ts'
import { readPostgresTarget } from '../postgresTarget.ts'

type PostgresSpec = RunnerSpec<'postgres'>

/** Rows are counted as they come and not kept; a query that returns more than this is a mistake. */
const MAX_ROWS = 100_000

/** Connects, runs one query and counts its rows. */
export const postgresRunner: CheckRunner<PostgresSpec> = {
  async run(spec, { signal, clock, logger, wayOut }) {
    if (spec.url === undefined) return invalid(0, NO_ADDRESS)
    const target = readPostgresTarget(spec.url, spec)
    if (!target.ok) return invalid(0, target.error)
    const startedAt = clock.monotonic()
    try {
      const asked = { ...target.value, application_name: 'watchroom check' }
      return await withPostgres(asked, { signal, logger, wayOut }, async (client) => {
        let rows = 0
        await eachRow(client, { text: spec.query ?? 'select 1' }, MAX_ROWS, () => {
          rows += 1
        })
        const durationMs = clock.monotonic() - startedAt
        const isExpected = spec.results === undefined || rows === spec.results
        const faults = isExpected ? [] : [`the query returned ${rows} rows, expected ${spec.results}`]
        return judged(durationMs, faults, `${rows} ${rows === 1 ? 'row' : 'rows'}`, { rows })
      })
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, describePostgresFailure(error))
    }
  },
}
