// A topology out of all proportion: 1,000 components at the top and 10,000 below one of them, until their first cards are drawn in a browser.
import { parseArgs } from 'node:util'

import { SHOWN_CARDS, SHOWN_LEVELS, type TopologyAnswer, TopologyAnswerSchema } from '@watchroom/shared/topology'
import { Pool } from 'pg'

import { launchBrowser } from '../support/consolePage.ts'
import { startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { timeFirstCards, untilIdle } from '../support/firstCards.ts'
import { freePort } from '../support/freePort.ts'
import { toGatewayBackend } from '../support/gateway.ts'
import { startGatewayProcess } from '../support/gatewayProcess.ts'
import { until } from '../support/processes.ts'
import { type BenchTable, percentile } from './table.ts'

const AT_THE_TOP = 1_000
const BELOW_ONE = 10_000
const ID_OF_ONE = '00000000-0000-4000-8000-000000000000'
const LIMIT_MS = 1_000

/** One in seven has failed: the worst are looked for among all. */
const writeEstate = (pool: Pool): Promise<unknown> =>
  pool.query(
    `insert into components (id, external_id, name, type, status, health, parent_id)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n, 'component ' || n, 'Service', '',
       case when n % 7 = 0 then 'unhealthy' else 'healthy' end, case when n >= $2 then $3::uuid end
     from generate_series(0, $1 - 1) as n`,
    [AT_THE_TOP + BELOW_ONE, AT_THE_TOP, ID_OF_ONE],
  )

/** @param options `--openings` of each page */
export async function run(options: string[]): Promise<BenchTable> {
  const { values } = parseArgs({ args: options, options: { openings: { type: 'string', default: '12' } } })
  const openings = Number(values.openings)
  const backend = await startEmbeddedBackend()
  const pool = new Pool({ connectionString: backend.databaseUrl, max: 2 })
  await writeEstate(pool)
  const gateway = await startGatewayProcess({ backend, port: await freePort(), isOwn: true })
  const { url } = gateway
  const session = (await toGatewayBackend(backend).signInAs?.('viewer')) ?? ''
  const ask = async (query: string): Promise<{ answer: TopologyAnswer; bytes: number }> => {
    const response = await fetch(`${url}/api/canary/api/topology?depth=${SHOWN_LEVELS}&limit=${SHOWN_CARDS}${query}`, {
      headers: { cookie: `ory_kratos_session=${session}`, origin: url },
    })
    const text = await response.text()
    return { answer: TopologyAnswerSchema.parse(JSON.parse(text)), bytes: text.length }
  }
  const below = `&id=${ID_OF_ONE}`
  const isThere = async (): Promise<boolean> =>
    (await ask(below)).answer.components?.[0]?.components?.length === SHOWN_CARDS
  await until(isThere, { what: 'the estate', maxMs: 120_000 })
  await untilIdle([backend.supervisor.pid() ?? 0, gateway.process.pid ?? 0])

  const browser = await launchBrowser()
  const rows: (string | number)[][] = []
  const pages = {
    'those at the top': { path: '/topology', query: '' },
    'the 10,000 of one': { path: `/topology/${ID_OF_ONE}`, query: below },
  }
  for (const [what, { path, query }] of Object.entries(pages)) {
    const { bytes } = await ask(query)
    for (const isCold of [true, false]) {
      const times = await timeFirstCards(browser, { url, session, path, openings, isCold })
      const figures = [Math.min(...times), percentile(times, 0.5), Math.max(...times)]
      const cache = isCold ? 'empty' : 'full'
      rows.push([what, cache, ...figures.map((ms) => ms.toFixed(0)), LIMIT_MS, `${Math.round(bytes / 1_000)} kB`])
    }
  }
  await browser.close()
  await gateway.stop()
  await pool.end()
  await backend.stop()
  return {
    title: `Topology: ${AT_THE_TOP} components at the top, ${BELOW_ONE} below one of them`,
    columns: ['page', 'cache', 'shortest ms', 'median ms', 'longest ms', 'limit', 'call'],
    rows,
    notes: [
      `${openings} openings each in Chromium, until a frame with the first cards was drawn, by the clock of the page.`,
    ],
  }
}
