import { storeItems } from '../fixtures/catalog.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

/** A list follows what a scraper stores without being asked to. */
const LIVE = { timeout: 40_000 }
const TYPE = 'Printing::Press'
const VIEWER = { email: 'viewer@demo.watchroom.local', password: DEMO_PASSWORD }

test.describe.configure({ timeout: 120_000 })

test('two people look at the catalog; what is added shows in both, and leads from its type to its page', async ({
  browser,
  gateway,
}) => {
  await storeItems(gateway, [{ name: 'press-1', type: TYPE, health: 'healthy' }])
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, VIEWER, '/catalog')
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, VIEWER, '/configs?configType=Printing%3A%3APress')
  await expect(watcher.page).toHaveURL(/\/catalog\?configType=/)
  await expect(watcher.page.getByRole('link', { name: 'press-1' })).toBeVisible()

  await page.getByRole('link', { name: 'Press', exact: true }).click()
  await expect(page).toHaveURL(/configType=Printing/)
  await expect(page.getByRole('link', { name: 'press-1' })).toBeVisible()

  await storeItems(gateway, [{ name: 'press-2', type: TYPE, health: 'unhealthy' }])
  await expect(watcher.page.getByRole('link', { name: 'press-2' })).toBeVisible(LIVE)
  await expect(page.getByRole('link', { name: 'press-2' })).toBeVisible(LIVE)

  await page.getByRole('link', { name: 'press-2' }).click()
  await expect(page.getByRole('heading', { name: 'press-2' })).toBeVisible()
  await page.goBack()
  await page.getByRole('navigation', { name: 'Catalog pages' }).getByRole('link', { name: 'Insights' }).click()
  await expect(page).toHaveURL(/\/catalog\/insights\?configType=Printing/)
  expect([...complaints, ...watcher.complaints]).toEqual([])
  await watcher.leave()
  await leave()
})
