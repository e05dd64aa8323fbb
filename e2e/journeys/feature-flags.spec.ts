import { callBackend } from '../fixtures/backend.ts'
import type { RunningGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

test.setTimeout(120_000)

const AT_ONCE = { timeout: 10_000 }
const SWITCHED_OFF = 'This area was just turned off'

// A flag is for everyone: it is gone again at the end, and a worker whose journey fails starts with another product.
test('a flag that one person switches hides the area in another window at once, and a page in use says so', async ({
  browser,
  gateway,
}) => {
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, undefined, '/incidents')
  const entry = watcher.page.getByRole('navigation').getByRole('link', { name: 'Incidents' })
  await expect(entry).toBeVisible()

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/feature-flags')
  await page.getByRole('button', { name: 'Add feature flag' }).first().click()
  await page.getByLabel('Name').fill('incidents.disable')
  await page.getByLabel('Value').fill('true')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Feature flag added successfully')).toBeVisible()
  await expect(entry).toHaveCount(0, AT_ONCE)
  await expect(watcher.page.getByText(SWITCHED_OFF)).toBeVisible()
  await expect(watcher.page.getByRole('heading', { name: 'Incidents' })).toBeVisible()
  // Someone who comes now finds nothing to be in the middle of.
  const late = await openBrowser(browser, gateway)
  await signIn(late.page, undefined, '/incidents')
  await expect(late.page.getByText('This area is turned off')).toBeVisible()

  await page.getByRole('link', { name: 'incidents.disable' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove flag' }).click()
  await expect(page.getByText('Feature flag removed successfully')).toBeVisible()
  await expect(entry).toBeVisible(AT_ONCE)
  await expect(watcher.page.getByText(SWITCHED_OFF)).toHaveCount(0)
  await expect(late.page.getByText('This area is turned off')).toHaveCount(0)
  expect([...complaints, ...watcher.complaints, ...late.complaints]).toEqual([])
  for (const person of [late, watcher]) await person.leave()
  await leave()
})

test('a flag that is switched in one window arrives in the feed of changes of another', async ({
  browser,
  gateway,
}) => {
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, undefined, '/catalog/changes?configTypes=Watchroom__FeatureFlag:1')
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/feature-flags')
  await page.getByRole('button', { name: 'Add feature flag' }).first().click()
  await page.getByLabel('Name').fill('journey.lamp')
  await page.getByLabel('Value').fill('dark')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Feature flag added successfully')).toBeVisible()
  // The catalog has it before it is another one.
  await expect.poll(() => itemsNamed(gateway, 'journey.lamp'), AT_ONCE).toBe(1)

  await page.getByRole('link', { name: 'journey.lamp' }).click()
  await page.getByLabel('Value').fill('lit')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Feature flag updated successfully')).toBeVisible()
  await expect(watcher.page.getByRole('link', { name: /dark → lit/ })).toBeVisible(AT_ONCE)

  await page.getByRole('link', { name: 'journey.lamp' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove flag' }).click()
  await expect(page.getByText('Feature flag removed successfully')).toBeVisible()
  expect([...complaints, ...watcher.complaints]).toEqual([])
  await watcher.leave()
  await leave()
})

async function itemsNamed({ url }: RunningGateway, name: string): Promise<number> {
  const found = await callBackend<unknown[]>(url, `/db/config_items?select=id&name=eq.${name}&deleted_at=is.null`)
  return found.length
}
