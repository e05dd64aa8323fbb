// The catalog in a real browser: 50,000 items and 500,000 changes behind its pages.
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { Pool } from 'pg'
import type { Page } from 'playwright'

import { createCatalogRows } from '../support/catalogRows.ts'
import { launchBrowser } from '../support/consolePage.ts'
import { startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { startGateway, toOwnBackend } from '../support/gateway.ts'
import { largeCatalogItem, seedLargeCatalog } from '../support/largeCatalog.ts'
import { observeFrames } from '../support/observeFrames.ts'
import { type BenchTable, percentile } from './table.ts'

const REPEATS = 5
const GRAPH = { items: 2_000, children: 3, types: 97 }
const CONTENT_BYTES = 1_000_000
const CHANGES_PER_SECOND = 50
const SCROLLED_MS = 10_000
/** The search waits for silence (web/src/ui/SearchInput.tsx); the question is what comes after it. */
const SEARCH_PAUSE_MS = 400
const PATIENCE_MS = 60_000
const LIST = '/catalog?configType=Kubernetes%3A%3APod'

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))

interface Shown {
  readonly ms: number
  /** The longest task of the page meanwhile, and in the second after it. */
  readonly longestTaskMs: number
}

/** From a click until something is on screen, in a frame that is drawn. No functions in there: the page has no helper of the compiler's. */
function timeClick(page: Page, click: string, shown: string): Promise<Shown> {
  return page.evaluate(
    async ([clicked, awaited]) => {
      const tasks: number[] = []
      const observer = new PerformanceObserver((list) => {
        tasks.push(...list.getEntries().map((entry) => entry.duration))
      })
      observer.observe({ type: 'longtask' })
      const target = document.querySelector(clicked ?? '')
      if (!(target instanceof HTMLElement)) throw new Error(`there is no ${clicked}`)
      const startedAt = performance.now()
      target.click()
      while (document.querySelector(awaited ?? '') === null) {
        if (performance.now() - startedAt > 60_000)
          throw new Error(`there is no ${awaited}: ${document.body.innerText}`)
        await new Promise(requestAnimationFrame)
      }
      await new Promise(requestAnimationFrame)
      const ms = performance.now() - startedAt
      await new Promise((resolve) => {
        setTimeout(resolve, 1_000)
      })
      observer.disconnect()
      return { ms, longestTaskMs: Math.max(0, ...tasks) }
    },
    [click, shown] as const,
  )
}

/** Milliseconds from the key until the list answers it. */
function timeSearch(page: Page, text: string, name: string): Promise<number> {
  return page.evaluate(
    async ([typed, awaited]) => {
      const field = document.querySelector('input[placeholder="Search for configs"]')
      if (!(field instanceof HTMLInputElement)) throw new Error('there is no search')
      const startedAt = performance.now()
      // React listens to the native setter.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      for (;;) {
        const first = document.querySelector('th[scope="row"]')
        if (first?.textContent?.startsWith(awaited ?? '')) break
        if (performance.now() - startedAt > 60_000) throw new Error(`nothing begins with ${awaited}`)
        await new Promise(requestAnimationFrame)
      }
      await new Promise(requestAnimationFrame)
      return performance.now() - startedAt
    },
    [text, name] as const,
  )
}

/** Sizes by name of the scripts that the page has loaded by now, as the browser counts them. */
const loadedScripts = async (page: Page): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map(({ name, encodedBodySize }) => [name, encodedBodySize] as const),
    ),
  )

const bytesBeyond = (known: ReadonlyMap<string, number>, scripts: ReadonlyMap<string, number>): number =>
  [...scripts].reduce((sum, [name, size]) => sum + (known.has(name) ? 0 : size), 0)

/** A tree that does not fold: each item has few children, all of other types. @returns its root */
async function seedGraph(pool: Pool): Promise<string> {
  const catalog = createCatalogRows(pool)
  const ids = await catalog.items(GRAPH.items, (at) => ({
    name: `node ${at}`,
    type: `Bench::Type${at % GRAPH.types}`,
    health: at % 7 === 0 ? 'unhealthy' : 'healthy',
  }))
  const edges = ids.slice(1).map((id, at) => [ids[Math.floor(at / GRAPH.children)], id])
  await pool.query(
    `insert into config_relationships (config_id, related_id, relation)
     select (edge->>0)::uuid, (edge->>1)::uuid, 'Uses' from jsonb_array_elements($1) as edge`,
    [JSON.stringify(edges)],
  )
  return ids[0] ?? ''
}

async function seedContent(pool: Pool): Promise<string> {
  const config = Object.fromEntries(
    Array.from({ length: CONTENT_BYTES / 50 }, (_, at) => [`setting-${at}`, `value of setting ${at} as it is`]),
  )
  return createCatalogRows(pool).item('large content', { type: 'Bench::Large', config })
}

/** Changes of items of the list, one statement each, until it is stopped. */
function changeItems(pool: Pool): () => Promise<void> {
  const stopping = new AbortController()
  const work = (async () => {
    for (let at = 0; !stopping.signal.aborted; at += 1) {
      const startedAt = performance.now()
      await pool.query(`update config_items set status = $2 where id = $1`, [
        largeCatalogItem((at % 5_000) * 5),
        `Bench ${randomUUID().slice(0, 4)}`,
      ])
      const restMs = 1_000 / CHANGES_PER_SECOND - (performance.now() - startedAt)
      await new Promise((resolve) => {
        setTimeout(resolve, Math.max(0, restMs))
      })
    }
  })()
  return () => {
    stopping.abort()
    return work
  }
}

/** From the top of the list to its end while items change. */
async function scrollToEnd(page: Page): Promise<number[]> {
  const scrolling = page.evaluate(async (scrolledMs) => {
    const table = [...document.querySelectorAll('section')].find(
      (region) => region.scrollHeight > region.clientHeight + 1_000,
    )
    if (table === undefined) throw new Error('there is no long list')
    const startedAt = performance.now()
    for (let at = 0; at < scrolledMs; at = performance.now() - startedAt) {
      table.scrollTop = ((table.scrollHeight - table.clientHeight) * at) / scrolledMs
      await new Promise(requestAnimationFrame)
    }
  }, SCROLLED_MS)
  const { frames } = await observeFrames(page, SCROLLED_MS)
  await scrolling
  return frames
}

/** @param options `--items` and `--changes`, for a quick look */
export async function run(options: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args: options,
    options: { items: { type: 'string', default: '50000' }, changes: { type: 'string', default: '500000' } },
  })
  const size = { items: Number(values.items), changes: Number(values.changes) }
  const backend = await startEmbeddedBackend()
  const pool = new Pool({ connectionString: backend.databaseUrl, max: 2 })
  await seedLargeCatalog(pool, size)
  const [graph, content] = [await seedGraph(pool), await seedContent(pool)]
  const gateway = await startGateway({ backend: toOwnBackend(backend), webRoot: WEB_ROOT })
  const browser = await launchBrowser()
  const { session } = await gateway.signInAs('admin')
  const rows: (string | number)[][] = []
  const report = (what: string, samples: readonly number[], limit: number, unit = 'ms'): void => {
    const [middle, worst] = [percentile(samples, 0.5), Math.max(...samples)]
    rows.push([what, middle.toFixed(0), worst.toFixed(0), `${limit} ${unit}`])
  }
  const open = async (path: string): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: gateway.url })
    await context.addCookies([{ name: 'ory_kratos_session', value: session, url: gateway.url }])
    await context.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
    await context.addInitScript(() => localStorage.setItem('relationshipGraphTableToggle', '{"v":1,"value":"Graph"}'))
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }
  const repeat = async <Value>(sample: () => Promise<Value>): Promise<Value[]> => {
    const found: Value[] = []
    for (let round = 0; round < REPEATS; round++) found.push(await sample())
    return found
  }
  try {
    const opened = await repeat(async () => {
      const page = await open('/health')
      await page.waitForLoadState('networkidle')
      const known = await loadedScripts(page)
      const summary = await timeClick(page, 'a[href^="/catalog"]', 'a[href*="configType"]')
      const loaded = bytesBeyond(known, await loadedScripts(page))
      await page.goto(LIST)
      const list = await page.evaluate(async () => {
        while (document.querySelector('th[scope="row"]') === null && performance.now() < 60_000) {
          await new Promise(requestAnimationFrame)
        }
        return performance.now()
      })
      await page.context().close()
      return { summary: summary.ms, bytes: loaded / 1_000, list }
    })
    report(
      'summary, from the click',
      opened.map(({ summary }) => summary),
      800,
    )
    report(
      'first rows of a list by its link, the page loaded anew',
      opened.map(({ list }) => list),
      800,
    )
    report(
      'scripts loaded to open it from the health board',
      opened.map(({ bytes }) => bytes),
      40,
      'kB',
    )

    const page = await open(LIST)
    await page.getByRole('rowheader').first().waitFor()
    const searches = ['item-4995', 'item-1230', 'item-775', 'item-20', 'item-3145']
    const found: number[] = []
    for (const text of searches) found.push((await timeSearch(page, text, text)) - SEARCH_PAUSE_MS)
    report('search to rows, after the pause', found, 300)
    await page.goto(LIST)
    await page.getByRole('rowheader').first().waitFor()
    const stop = changeItems(pool)
    const frames = await scrollToEnd(page)
    await stop()
    report(`frames while scrolling to the end at ${CHANGES_PER_SECOND} changes/s`, frames, 50)
    await page.context().close()

    const contents = await repeat(async () => {
      const item = await open('/catalog?configType=Bench%3A%3ALarge')
      await item.locator(`a[href^="/catalog/${content}"]`).waitFor()
      const shown = await timeClick(item, `a[href^="/catalog/${content}"]`, '[role="option"]')
      await item.context().close()
      return shown.ms
    })
    report('page of an item with 1 MB of content', contents, 1_000)

    const graphs = await repeat(async () => {
      const item = await open(`/catalog/${graph}`)
      await item.locator(`a[href="/catalog/${graph}/relationships"]`).waitFor()
      const shown = await timeClick(item, `a[href="/catalog/${graph}/relationships"]`, 'a[data-node]:nth-of-type(4)')
      await item.context().close()
      return shown
    })
    report(
      `graph of ${GRAPH.items}, from the click`,
      graphs.map(({ ms }) => ms),
      1_500,
    )
    report(
      'longest task of that',
      graphs.map(({ longestTaskMs }) => longestTaskMs),
      100,
    )
  } finally {
    await browser.close()
    await gateway.stop()
    await pool.end()
    await backend.stop()
  }
  return {
    title: `Pages of the catalog: ${size.items} items, ${size.changes} changes of 30 days`,
    columns: ['what', 'median', 'worst', 'may be'],
    rows,
    notes: [`${REPEATS} times each, in Chromium at 1440 × 900, gateway and browser on this machine.`],
  }
}
