import type { Page } from 'playwright/test'

import { storeChange, storeItems } from '../fixtures/catalog.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

/** People of the demo profile, one for each role. */
const demoPerson = (role: string) => ({ email: `${role}@demo.watchroom.local`, password: DEMO_PASSWORD })
const TYPE = 'Journey::Service'
const LIST = '/catalog/changes?configTypes=Journey__Service:1'

/** Without the dividers of days, which lead nowhere. */
const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Changes' })
    .getByRole('rowheader')
    .filter({ has: page.getByRole('link') })

/** Nobody has a pointer in the list: what comes is shown at once. */
const LIVE = { timeout: 40_000 }

test.describe.configure({ timeout: 120_000 })

test('a change reaches two people; it is filtered, read and linked to an incident; versions are compared', async ({
  browser,
  gateway,
}) => {
  const config = { content: 'replicas: 3\nimage: edge\n', format: 'yaml' }
  const [item = ''] = await storeItems(gateway, [{ name: 'journey-edge', type: TYPE, config }])
  await storeChange(gateway, item, {
    summary: 'one more replica',
    diff: '@@ -1,2 +1,2 @@\n-replicas: 1\n+replicas: 2\n image: edge\n',
  })
  await storeChange(gateway, item, { summary: 'image was pulled', change_type: 'Pulled' })

  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, demoPerson('viewer'), LIST)
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('responder'), LIST)
  for (const person of [page, watcher.page]) {
    await expect(rows(person)).toHaveText(['image was pulled', 'one more replica'])
  }
  await storeChange(gateway, item, {
    summary: 'and another one',
    diff: '@@ -1,2 +1,2 @@\n-replicas: 2\n+replicas: 3\n image: edge\n',
  })
  for (const person of [page, watcher.page]) {
    await expect(rows(person)).toHaveText(['and another one', 'image was pulled', 'one more replica'], LIVE)
  }

  // Not this: what is left is read one after the other.
  await page.getByRole('button', { name: 'Actions for image was pulled' }).click()
  await page.getByRole('menuitem', { name: 'Not change: Pulled' }).click()
  await expect(rows(page)).toHaveText(['and another one', 'one more replica'])
  await page.getByRole('link', { name: 'one more replica' }).click()
  await expect(page.getByRole('dialog').getByText('-replicas: 1')).toBeVisible()
  await page.keyboard.press('[')
  await expect(page.getByRole('dialog').getByText('+replicas: 3')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('dialog').getByText('+replicas: 3')).toBeVisible()

  await page.getByRole('button', { name: 'Link to incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link to Incident' })
  await dialog.getByText('New incident').click()
  await dialog.getByLabel('Title').fill('Too many replicas')
  await dialog.getByLabel('Severity').selectOption('High')
  await dialog.getByLabel('Type').selectOption('Cost')
  await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(page.getByText('Linked to incident successfully')).toBeVisible()
  await watcher.page.goto('/incidents')
  await watcher.page.getByRole('link', { name: /Too many replicas/ }).click()
  await watcher.page.getByRole('tab', { name: 'Action Plan' }).click()
  await watcher.page.getByRole('button', { name: 'Expand All' }).click()
  await expect(watcher.page.getByText('journey-edge: and another one').first()).toBeVisible()

  // The watcher's link opens the same comparison for everyone.
  await page.goto(`/catalog/${item}/changes`)
  await page.getByText('Versions', { exact: true }).click()
  await expect(page.getByText('-replicas: 2')).toBeVisible()
  await page.getByLabel('Compared with').selectOption('Before the first change')
  await expect(page.getByText('-replicas: 1')).toBeVisible()
  await watcher.page.goto(page.url())
  await expect(watcher.page.getByText('-replicas: 1')).toBeVisible()
  await expect(watcher.page.getByText('+replicas: 3')).toBeVisible()
  expect([...complaints, ...watcher.complaints]).toEqual([])
  await leave()
  await watcher.leave()
})
