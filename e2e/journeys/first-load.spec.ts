import type { Page } from 'playwright/test'

import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

/** As in web/vite.config.ts. */
const FIRST_LOAD_LIMIT = 230_000
/** Beyond what the health board loads as well. */
const DASHBOARD_LIMIT = 40_000
/** 40 kB are wanted; the tables' library is 8 of them. */
const CATALOG_LIMIT = 48_000
/** Longer than anything that loads by itself would wait. */
const QUIET_MS = 3_000

test('the health board loads at most 230 kB of scripts unasked, the dashboard 40 and the catalog 48 kB more, as the browser counts them', async ({
  browser,
  gateway,
}) => {
  const person = await openBrowser(browser, gateway)
  const { page } = person
  // Browsers that know brotli get less; gzip is what an old proxy leaves.
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  const encodings = new Set<string | undefined>()
  page.on('response', (response) => {
    if (/\/index-[^/]+\.js$/.test(response.url())) encodings.add(response.headers()['content-encoding'])
  })
  await signIn(page)
  const board = new HealthPage(page)
  await board.expectLive()
  await page.waitForTimeout(QUIET_MS)

  const scripts = await loadedScripts(page)
  const bytes = toBytes(scripts)
  expect([...encodings]).toEqual(['gzip'])
  expect(bytes, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT)
  expect(bytes).toBeGreaterThan(FIRST_LOAD_LIMIT / 2)

  // Menus, playbooks, panels and lists behind a click come when someone wants them.
  const known = new Set(scripts.map(({ name }) => name))
  const others = [
    ['/topology', page.getByRole('article'), DASHBOARD_LIMIT],
    ['/catalog', page.getByRole('rowheader'), CATALOG_LIMIT],
  ] as const
  for (const [path, content, limit] of others) {
    await page.goto(path)
    await expect(content.first()).toBeVisible()
    await page.waitForTimeout(QUIET_MS)
    const added = (await loadedScripts(page)).filter(({ name }) => !known.has(name))
    expect(toBytes(added), JSON.stringify([path, ...added], null, 1)).toBeLessThanOrEqual(limit)
    expect(toBytes(added)).toBeGreaterThan(limit / 4)
  }
  await page.goto('/health')
  await board.expectLive()

  // Who reaches for the list gets the panel of a check before they ask for it.
  const panel = page.waitForResponse((response) => /\/CheckPanel-[^/]+\.js$/.test(response.url()))
  await page.getByRole('columnheader').first().hover()
  await panel
  expect(person.complaints).toEqual([])
  await person.leave()
})

interface LoadedScript {
  readonly name: string
  readonly encodedBodySize: number
}

const toBytes = (scripts: readonly LoadedScript[]): number =>
  scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)

const loadedScripts = (page: Page): Promise<LoadedScript[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
  )
