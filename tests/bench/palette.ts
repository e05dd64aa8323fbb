// The palette in a real browser over a full catalog: from the end of the pause in typing until the list is on screen.
import { fileURLToPath } from 'node:url'

import { Pool } from 'pg'
import type { Page } from 'playwright'

import { launchBrowser } from '../support/consolePage.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { startGateway, toOwnBackend } from '../support/gateway.ts'
import { type BenchTable, percentile } from './table.ts'

const CONFIGS = 50_000
const CHECKS = 10_000
/** The palette waits for silence (web/src/app/palette/usePaletteItems.tsx); the question is what comes after it. */
const SEARCH_PAUSE_MS = 300
const LIMIT_MS = 150
const REPEATS = 5
const PATIENCE_MS = 60_000

const QUERIES = [
  { name: 'one letter, everything begins so', texts: ['p', 'c', 'w'] },
  { name: 'beginning of many names', texts: ['pri', 'pay', 'web'] },
  { name: 'a word inside', texts: ['worker', 'api', 'cache'] },
  { name: 'one row among all', texts: ['print-api-4711', 'web-cache-31337', 'check 777'] },
  { name: 'words in any order', texts: ['api pr', 'cache web 12', 'east pay'] },
  { name: 'a label', texts: ['team-7', 'zone-3', 'north'] },
  { name: 'nothing', texts: ['zzzz', 'qqqq', 'xyxy'] },
] as const

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Names of a few parts, as large estates have them: many begin alike. */
async function insertEstate({ databaseUrl }: TestBackend): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl })
  const startedAt = performance.now()
  const part = (column: string, list: string): string => `(array[${list}])[1 + ${column} % 5]`
  const apps = part('n', `'print','pay','web','parcel','quote'`)
  const kinds = part('(n / 5)', `'api','worker','cache','queue','store'`)
  await pool.query(
    `insert into config_items (config_class, type, name, tags, labels, config)
     select 'Pod', 'Kubernetes::Pod', ${apps} || '-' || ${kinds} || '-' || n,
       jsonb_build_object('namespace', ${part('n', `'east','west','north','south','edge'`)}, 'cluster', 'zone-' || n % 9),
       jsonb_build_object('team', 'team-' || n % 40), jsonb_build_object('kind', 'Pod', 'text', repeat('spec ', 80))
     from generate_series(1, ${CONFIGS}) n`,
  )
  // Of an agent: those of this installation follow their canary's spec.
  await pool.query(
    `with agent as (insert into agents (name) values ('edge') returning id),
     canary as (insert into canaries (name, namespace, spec, agent_id) select 'bench', 'east', '{}', id from agent returning id, agent_id)
     insert into checks (canary_id, agent_id, type, name, namespace, status, labels)
     select canary.id, canary.agent_id, 'http', ${apps} || ' ' || ${kinds} || ' check ' || n, 'east',
       case when n % 50 = 0 then 'unhealthy' else 'healthy' end, jsonb_build_object('team', 'team-' || n % 40)
     from canary, generate_series(1, ${CHECKS}) n`,
  )
  await pool.query('vacuum analyze config_items')
  await pool.query('vacuum analyze checks')
  await pool.end()
  return performance.now() - startedAt
}

/** Milliseconds from the key until the list answers it, and the frame is drawn. */
function timeTyping(page: Page, text: string): Promise<number> {
  return page.evaluate(async (typed) => {
    const field = document.querySelector('[role="dialog"] input[role="combobox"]')
    const list = document.querySelector('[role="dialog"] [role="listbox"]')
    if (!(field instanceof HTMLInputElement) || list === null) throw new Error('there is no palette')
    // No functions in here: the compiler would give them names by a helper that the page does not have.
    let startedAt = 0
    for (const value of ['', typed]) {
      startedAt = performance.now()
      // React listens to the native setter.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      for (const isBusy of value === '' ? ['false'] : ['true', 'false']) {
        while (list.getAttribute('aria-busy') !== isBusy) await new Promise(requestAnimationFrame)
      }
    }
    await new Promise(requestAnimationFrame)
    return performance.now() - startedAt
  }, text)
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const insertMs = await insertEstate(backend)
  const gateway = await startGateway({ backend: toOwnBackend(backend), webRoot: WEB_ROOT })
  const browser = await launchBrowser()
  try {
    const { session } = await gateway.signInAs('admin')
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: gateway.url })
    await context.addCookies([{ name: 'ory_kratos_session', value: session, url: gateway.url }])
    const page = await context.newPage()
    // Not the board of all checks, which would measure its own rows as well.
    await page.goto('/playbooks')
    await page.getByRole('heading', { level: 1 }).waitFor({ timeout: PATIENCE_MS })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor({ timeout: PATIENCE_MS })
    const all: number[] = []
    const rows: (string | number)[][] = []
    for (const { name, texts } of QUERIES) {
      const samples: number[] = []
      for (let round = 0; round < REPEATS; round++) {
        for (const text of texts) samples.push((await timeTyping(page, text)) - SEARCH_PAUSE_MS)
      }
      all.push(...samples)
      rows.push([
        name,
        percentile(samples, 0.5).toFixed(0),
        percentile(samples, 0.95).toFixed(0),
        Math.max(...samples).toFixed(0),
      ])
    }
    const p95 = percentile(all, 0.95)
    rows.push(['all', percentile(all, 0.5).toFixed(0), p95.toFixed(0), Math.max(...all).toFixed(0)])
    return {
      title: `Palette: ${CONFIGS} config items and ${CHECKS} checks, from the end of the pause to the list`,
      columns: ['typed', 'p50 ms', 'p95 ms', 'max ms'],
      rows,
      notes: [
        `p95 of all is ${p95.toFixed(0)} ms; ${LIMIT_MS} ms may be.`,
        `The pause of ${SEARCH_PAUSE_MS} ms is taken off. Inserting the rows with their indexes took ${(insertMs / 1_000).toFixed(1)} s.`,
      ],
    }
  } finally {
    await browser.close()
    await gateway.stop()
    await backend.stop()
  }
}
