import type { Page } from 'playwright/test'

import { findViolations } from '../fixtures/accessibility.ts'
import { relateItems, storeItems } from '../fixtures/catalog.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { linkToIncident, openResponder } from '../fixtures/warRoom.ts'

const TITLE = 'The checkout has one replica'
const CONTENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { replicas: 1, template: { image: 'shop/checkout:1.4' } },
}

const line = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text })

test('lines of a config item become evidence, and the room of the other has them at once', async ({
  browser,
  gateway,
}) => {
  const [id = ''] = await storeItems(gateway, [
    { name: 'checkout', type: 'Kubernetes::Deployment', health: 'unhealthy', config: CONTENT },
  ])
  const ana = await openResponder(browser, gateway, 'responder')
  const incident = await ana.room.create(TITLE)
  const bo = await openResponder(browser, gateway, 'editor', { path: incident })
  await bo.room.showPlan()
  const watching = await openBrowser(browser, gateway)
  await signIn(watching.page, undefined, `/catalog/${id}`)
  await expect(watching.page.getByText('No incident matches these filters.')).toBeVisible()

  await ana.page.goto(`/catalog/${id}`)
  await line(ana.page, 'replicas: 1')
    .getByTitle(/^Select this line/)
    .click()
  await line(ana.page, 'image: shop/checkout:1.4')
    .getByTitle(/^Select this line/)
    .click({ modifiers: ['Shift'] })
  await expect(ana.page.getByText('3 selected')).toBeVisible()
  await expect(ana.page).toHaveURL(/selected=4-6$/)
  await ana.page.reload()
  await expect(line(ana.page, 'replicas: 1')).toHaveAttribute('aria-selected', 'true')
  await linkToIncident(ana.page, 'Link to incident', TITLE)

  await bo.page.getByRole('button', { name: 'Expand All' }).click()
  await expect(bo.page.getByText('replicas: 1').first()).toBeVisible()
  await expect(watching.page.getByRole('list', { name: 'Incidents' }).getByRole('link', { name: TITLE })).toBeVisible()

  for (const person of [ana, bo, watching]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('what is related to an item is a table that follows, and a graph, by keyboard, on any screen', async ({
  browser,
  gateway,
}) => {
  const [cluster = '', ...nodes] = await storeItems(gateway, [
    { name: 'journey-cluster', type: 'Kubernetes::Cluster', health: 'healthy' },
    ...Array.from({ length: 3 }, (_, at) => ({
      name: `journey-node-${at}`,
      type: 'Kubernetes::Node',
      health: 'healthy',
    })),
  ])
  const pods = await storeItems(
    gateway,
    Array.from({ length: 5 }, (_, at) => ({ name: `journey-pod-${at}`, type: 'Kubernetes::Pod', health: 'warning' })),
  )
  await relateItems(gateway, [
    ...nodes.map((node) => [cluster, node] as const),
    ...pods.map((pod) => [nodes[0] ?? '', pod] as const),
  ])
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, `/catalog/${cluster}/relationships`)
  await expect(page.getByRole('link', { name: 'journey-pod-4' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('radio', { name: 'Graph' }).check({ force: true })
  const card = (name: string) => page.locator('a[data-node]').filter({ hasText: name })
  await expect(card('journey-node-0')).toBeVisible()
  await expect(card('journey-pod-0')).toHaveCount(0)
  await card('journey-cluster').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: /3 Node/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('a[data-node]:focus')).toContainText('journey-node')
  await page.getByRole('button', { name: /5 Pod/ }).click()
  await expect(card('journey-pod-4')).toBeAttached()

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findViolations(page)).toEqual([])
  }
  await page.getByRole('radio', { name: 'Table' }).check({ force: true })
  const [disk = ''] = await storeItems(gateway, [{ name: 'journey-disk', type: 'Kubernetes::Disk' }])
  await relateItems(gateway, [[cluster, disk]])
  // What nobody tells of is read again every half a minute.
  await expect(page.getByRole('link', { name: 'journey-disk' })).toBeVisible({ timeout: 40_000 })

  await page.setViewportSize({ width: 320, height: 700 })
  for (const path of [
    `/catalog/${cluster}`,
    `/catalog/${cluster}/relationships`,
    `/catalog/${cluster}/playbooks`,
    `/catalog/${cluster}/checks`,
    `/catalog/${cluster}/changes`,
    `/catalog/${cluster}/insights`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('navigation', { name: 'Pages of this item' })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    expect(await findViolations(page), path).toEqual([])
  }
  expect(complaints).toEqual([])
  await leave()
})
