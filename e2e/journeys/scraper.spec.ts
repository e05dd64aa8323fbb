import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright/test'

import { expectWithin } from '../fixtures/checks.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { linkToIncident } from '../fixtures/warRoom.ts'
import { IncidentPage } from '../pages/IncidentPage.ts'

/** People of the demo profile, one for each role. */
const demoPerson = (role: string) => ({ email: `${role}@demo.watchroom.local`, password: DEMO_PASSWORD })

const FOLDER = 'journey-berths'
const LIST = '/catalog?configType=Journey%3A%3ABerth'
const CHANGES = '/catalog/changes?configTypes=Journey__Berth:1'
/** Half of what someone would wait who is not told. */
const LIVE = { timeout: 15_000 }
const TITLE = 'Berth 7 silts up'
/** From a save to both windows. */
const SEEN_MS = 2_000
const QUIET_MS = 5_000

/** The rows that a page asked for. */
function watchReads(page: Page): string[] {
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/(?:db|catalog)\//.test(pathname)) reads.push(pathname)
  })
  return reads
}

test.describe.configure({ timeout: 120_000 })

test('a scraper of files is tried and saved; what is saved in a file, becomes evidence, goes and comes back is seen by two people within two seconds, and nobody asks for it', async ({
  browser,
  gateway,
}) => {
  const folder = join(gateway.dataDirectory, 'sources', FOLDER)
  /** At once: a run must not read half of it. */
  const write = async (name: string, depth: number): Promise<void> => {
    const beside = join(gateway.dataDirectory, `${name}.new`)
    await writeFile(beside, `id: ${name}\nname: ${name}\ntype: Journey::Berth\ndepth: ${depth}\ndredged: false\n`)
    await rename(beside, join(folder, `${name}.yaml`))
  }
  await mkdir(folder, { recursive: true })
  await write('berth-7', 12)
  await write('berth-8', 9)

  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, demoPerson('viewer'), LIST)
  await expect(watcher.page.getByText('No matching config items')).toBeVisible()

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('editor'), '/catalog/scrapers/new')
  await page.getByLabel('Name', { exact: true }).fill('journey-berths')
  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByRole('menuitem', { name: 'Files', exact: true }).click()
  const files = page.getByRole('region', { name: 'Files 1' })
  await files.getByLabel(/^Format/).selectOption('yaml')
  await files.getByLabel(/^Icon/).fill('anchor')
  await files.getByLabel('Paths').fill(FOLDER)
  await files.getByLabel('Read files as they’re saved').check({ force: true })
  await files.getByRole('button', { name: 'Where to find item fields' }).click()
  for (const field of ['Id', 'Name', 'Type']) {
    await files.getByLabel(field, { exact: true }).fill(`$.${field.toLowerCase()}`)
  }
  await page.getByRole('button', { name: 'Try it' }).click()
  const trial = page.getByRole('region', { name: 'Trial run' })
  await expect(trial.getByText('2 added, 0 changed, 0 deleted, 0 unchanged.')).toBeVisible()
  await expect(trial.getByText('berth-7')).toBeVisible()
  await expect(watcher.page.getByText('No matching config items')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/catalog\/scrapers$/)

  await expect(watcher.page.getByRole('link', { name: 'berth-8' })).toBeVisible(LIVE)
  await page.goto(LIST)
  await page.getByRole('link', { name: 'berth-7' }).click()
  const badge = page.getByRole('navigation', { name: 'Pages of this item' }).getByRole('link', { name: /^Changes/ })
  await expect(badge).toHaveText('Changes0')
  await watcher.page.goto(CHANGES)
  await expect(watcher.page.getByText('No changes', { exact: true })).toBeVisible()

  // Nobody asks by the clock. Who is told of a change reads changes again, and nothing else.
  const reads = watchReads(page)
  const watcherReads = watchReads(watcher.page)
  // A change that another scraper found meanwhile is read: once more without one.
  await expect(async () => {
    for (const read of [reads, watcherReads]) read.length = 0
    await page.waitForTimeout(QUIET_MS)
    expect([...reads, ...watcherReads]).toEqual([])
  }).toPass({ timeout: 40_000 })
  const line = (text: string) => page.getByRole('option').filter({ hasText: text })
  let depth = 12
  // Each attempt is another save.
  await expectWithin(SEEN_MS, async () => {
    depth -= 1
    const savedAt = performance.now()
    await write('berth-7', depth)
    await Promise.all([
      badge.filter({ hasText: `Changes${12 - depth}` }).waitFor(LIVE),
      line(`depth: ${depth}`).waitFor(LIVE),
      watcher.page.getByRole('link', { name: `depth: ${depth + 1} → ${depth}`, exact: true }).waitFor(LIVE),
    ])
    return performance.now() - savedAt
  })
  expect(new Set(watcherReads)).toEqual(new Set(['/api/catalog/changes']))
  await watcher.page.getByRole('link', { name: `depth: ${depth + 1} → ${depth}`, exact: true }).click(LIVE)
  await expect(watcher.page.getByRole('dialog').getByText(`-depth: ${depth + 1}`)).toBeVisible()
  await expect(watcher.page.getByRole('dialog').getByText(`+depth: ${depth}`)).toBeVisible()

  const item = page.url()
  const incident = await new IncidentPage(page).create(TITLE)
  const room = new IncidentPage(watcher.page)
  await watcher.page.goto(incident)
  await room.expectOpen()
  await room.showPlan()
  await page.goto(item)
  await line(`depth: ${depth}`)
    .getByTitle(/^Select this line/)
    .click()
  await line('dredged: false')
    .getByTitle(/^Select this line/)
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('2 selected')).toBeVisible()
  await linkToIncident(page, 'Link to incident', TITLE)
  await watcher.page.getByRole('button', { name: 'Expand All' }).click()
  const evidence = watcher.page.getByRole('figure', { name: 'Config lines' })
  await expect(evidence.getByText(`depth: ${depth}`)).toBeVisible(LIVE)
  await expect(evidence.getByText('dredged: false')).toBeVisible()
  await expect(evidence.getByText('selected', { exact: true })).toHaveCount(2)

  await watcher.page.goto(LIST)
  await expect(watcher.page.getByRole('link', { name: 'berth-7' })).toBeVisible()
  await rm(join(folder, 'berth-7.yaml'))
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible(LIVE)
  // A list takes no row away from under someone.
  await expect(watcher.page.getByRole('link', { name: 'berth-7 (deleted)' })).toBeVisible(LIVE)
  await write('berth-7', depth)
  await expect(page.getByText('Deleted', { exact: true })).toHaveCount(0, LIVE)
  await expect(watcher.page.getByRole('link', { name: 'berth-7', exact: true })).toBeVisible(LIVE)

  expect([...complaints, ...watcher.complaints]).toEqual([])
  await watcher.leave()
  await leave()
})
