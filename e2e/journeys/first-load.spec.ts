import type { Page, Route, WebSocket } from 'playwright/test'

import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

/** As in web/bundle/firstLoad.ts. */
const FIRST_LOAD_LIMIT = 230_000
/** Beyond what the health board loads as well. */
const AREA_LIMIT = 40_000
/** Scripts and styles that a page of an address names; each costs a request. It was more than forty. */
const FILES_LIMIT = 24
/** Of all styles of a page, as brotli packs them: no script runs before they are read. */
const STYLES_LIMIT = 45_000
/** Longer than anything that loads by itself would wait. */
const QUIET_MS = 3_000

test('the health board loads at most 230 kB of scripts unasked, dashboard and catalog 40 kB more each, as the browser counts them', async ({
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
  await page.addInitScript(() => {
    // Where the pointer of a new page rests there is a link, and whoever points at one gets its page beforehand. Nobody does.
    const stop = (event: MouseEvent): void => {
      if (event.clientX === 0 && event.clientY === 0) event.stopImmediatePropagation()
    }
    for (const type of ['mouseover', 'pointerover'] as const) window.addEventListener(type, stop, { capture: true })
  })
  await signIn(page)
  const board = new HealthPage(page)
  await board.expectLive()
  await page.waitForTimeout(QUIET_MS)

  const scripts = await loadedFiles(page, '.js')
  const bytes = toBytes(scripts)
  expect([...encodings]).toEqual(['gzip'])
  expect(bytes, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT)
  expect(bytes).toBeGreaterThan(FIRST_LOAD_LIMIT / 2)

  // Menus, playbooks, panels and lists behind a click come when someone wants them.
  const known = new Set(scripts.map(({ name }) => name))
  const others = [
    ['/topology', page.getByRole('article')],
    ['/catalog', page.getByRole('rowheader')],
  ] as const
  for (const [path, content] of others) {
    await page.goto(path)
    await expect(content.first()).toBeVisible()
    await page.waitForTimeout(QUIET_MS)
    const added = (await loadedFiles(page, '.js')).filter(({ name }) => !known.has(name))
    expect(toBytes(added), JSON.stringify([path, ...added], null, 1)).toBeLessThanOrEqual(AREA_LIMIT)
    expect(toBytes(added)).toBeGreaterThan(AREA_LIMIT / 4)
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

test('a page names the few scripts that it begins with, and their styles, which are small', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page)
  const styles: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.css')) styles.push(new URL(request.url()).pathname)
  })
  const pages = [
    ['/topology', page.getByRole('article')],
    ['/catalog', page.getByRole('rowheader')],
  ] as const
  for (const [path, content] of pages) {
    styles.length = 0
    const answer = await page.goto(path)
    const html = (await answer?.text()) ?? ''
    const named = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name)
    await expect(content.first()).toBeVisible()
    expect(named.length, named.join(' ')).toBeLessThanOrEqual(FILES_LIMIT)
    const scripts = new Set(named.filter((name) => name.endsWith('.js')).map(toPart))
    const waitedFor = styles.filter((name) => scripts.has(toPart(name)) && !named.includes(name))
    expect(waitedFor).toEqual([])
    expect(styles.length).toBeGreaterThan(0)
    const loaded = await loadedFiles(page, '.css')
    expect(toBytes(loaded), JSON.stringify(loaded, null, 1)).toBeLessThanOrEqual(STYLES_LIMIT)
  }
  expect(complaints).toEqual([])
  await leave()
})

test('the list of licenses names what only workers contain, and what packages have copied', async ({ gateway }) => {
  const answer = await fetch(`${gateway.url}/third-party-licenses.md`)
  const named = new Set([...(await answer.text()).matchAll(/^## (\S+) - /gm)].map(([, name]) => name))
  const lost = ['react', 'prettier', 'jsonc-parser', 'dompurify', 'marked', 'yaml-language-server'].filter(
    (name) => !named.has(name),
  )
  expect(lost).toEqual([])
})

test('a page asks who is looking and is welcomed on its socket before its scripts are there, and before it knows what they may do', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page)
  // Nothing is counted of the page that signing in led to.
  await page.goto('about:blank')
  const questions = ['/api/auth/whoami', '/api/properties']
  const asked: string[] = []
  // What was asked for ahead is asked for by nobody else.
  const once = [...questions, '/api/db/people_roles'].toSorted()
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (once.includes(path)) asked.push(path)
  })
  // In any other order each would wait for the other.
  const areAsked = Promise.all(questions.map((path) => page.waitForRequest((request) => request.url().endsWith(path))))
  const sockets: WebSocket[] = []
  page.on('websocket', (opened) => sockets.push(opened))
  const isWelcomed = page
    .waitForEvent('websocket')
    .then((opened) => opened.waitForEvent('framereceived', ({ payload }) => payload.includes('welcome')))
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await Promise.all([areAsked, isWelcomed])
    await route.continue()
  })
  await page.route('**/api/db/people_roles?*', async (route) => {
    await isWelcomed
    await route.continue()
  })
  await page.goto('/topology')
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(asked.toSorted()).toEqual(once)
  expect(sockets.map((opened) => new URL(opened.url()).pathname)).toEqual(['/socket.io/'])
  expect(complaints).toEqual([])
  await leave()
})

test('a link to config items asks for their list while the page learns what its reader may do', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page)
  const list = page.waitForRequest((request) => /\/ConfigList-[^/]+\.js$/.test(request.url()))
  await page.route('**/api/db/people_roles?*', async (route) => {
    await list
    await route.continue()
  })
  await page.goto('/catalog?search=e')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  expect(complaints).toEqual([])
  await leave()
})

for (const question of ['/api/auth/whoami', '/api/properties', '/api/db/people_roles']) {
  for (const fate of ['lost', 'refused'] as const) {
    test(`a page comes up although its first question to ${question} is ${fate}`, async ({ browser, gateway }) => {
      const { page, leave } = await openBrowser(browser, gateway)
      await signIn(page)
      await page.route((url) => url.pathname === question, fate === 'lost' ? lose : refuse, { times: 1 })
      await page.goto('/topology?status=unhealthy')
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      await expect(page).toHaveURL(/\/topology\?status=unhealthy$/)
      await leave()
    })
  }
}

/** Of a file of the build: what its script and its styles have in common. */
const toPart = (path: string): string => path.replace(/-[^/]{8}\.\w+$/, '')

const lose = (route: Route): Promise<void> => route.abort()
const refuse = (route: Route): Promise<void> => route.fulfill({ status: 401, body: 'Session Expired' })

interface LoadedFile {
  readonly name: string
  readonly encodedBodySize: number
}

const toBytes = (files: readonly LoadedFile[]): number =>
  files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)

const loadedFiles = (page: Page, end: '.js' | '.css'): Promise<LoadedFile[]> =>
  page.evaluate(
    (end) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => new URL(name).pathname.endsWith(end))
        .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
    end,
  )
