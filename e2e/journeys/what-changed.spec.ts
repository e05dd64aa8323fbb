import { findViolations } from '../fixtures/accessibility.ts'
import { relateItems, storeChange, storeItems } from '../fixtures/catalog.ts'
import { expect, test } from '../fixtures/test.ts'
import { linkToIncident, openResponder } from '../fixtures/warRoom.ts'

const TITLE = 'The shop is slow'

test('what changed is asked by a key, and the most likely becomes evidence that the room of the other has', async ({
  browser,
  gateway,
}) => {
  const [shop = '', node = ''] = await storeItems(gateway, [
    { name: 'lens-shop', type: 'Kubernetes::Deployment', health: 'unhealthy' },
    { name: 'lens-node', type: 'Kubernetes::Node', health: 'healthy' },
  ])
  await relateItems(gateway, [[shop, node]])
  await storeChange(gateway, node, { summary: 'kernel updated' })
  const ana = await openResponder(browser, gateway, 'responder')
  const incident = await ana.room.create(TITLE)
  const bo = await openResponder(browser, gateway, 'editor', { path: incident })
  await bo.room.showPlan()

  await ana.page.goto(`/catalog/${shop}`)
  await expect(ana.page.getByRole('button', { name: 'What changed' })).toBeVisible()
  await ana.page.keyboard.press('w')
  const lens = ana.page.getByRole('dialog', { name: 'What changed' })
  await expect(lens.getByRole('radio', { name: /lens-node: kernel updated/ })).toBeChecked()
  await expect(lens.getByText(/1 step away/)).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await ana.page.emulateMedia({ colorScheme })
    expect(await findViolations(ana.page)).toEqual([])
  }
  await ana.page.keyboard.press('e')
  const link = ana.page.getByRole('dialog', { name: 'Link to Incident' })
  await expect(link).toBeVisible()
  // Escape is for the dialog that has the focus, which comes with the next frame.
  await expect(ana.page.locator('.bp6-overlay:focus-within', { has: link })).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await expect(link).toHaveCount(0)
  await linkToIncident(ana.page, 'Attach as Evidence', TITLE)

  await bo.page.getByRole('button', { name: 'Expand All' }).click()
  await expect(bo.page.getByText('lens-node: kernel updated').first()).toBeVisible()
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
