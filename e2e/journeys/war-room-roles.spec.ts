import { changeRole } from '../fixtures/backend.ts'
import { isStrict } from '../fixtures/strictBackend.ts'
import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

test.setTimeout(120_000)

/** How old an answer about rights may be where nobody tells of changes, and a little more. */
const OLD_RIGHTS_MS = 6_000

test('a role lowered in the middle of typing makes the room read-only at once, and raised again it can be written', async ({
  browser,
  gateway,
}) => {
  const bo = await openResponder(browser, gateway, 'commander')
  const path = await bo.room.create('Invoices are doubled')
  const ana = await openResponder(browser, gateway, 'responder', { path })
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' since noon')
  await expect(bo.room.title).toHaveValue('Invoices are doubled since noon')

  await changeRole(gateway, 'responder', 'viewer')
  await expect(ana.page.getByText('Read only', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(ana.room.title).toHaveCount(0)
  await expect(ana.room.shownTitle).toHaveText('Invoices are doubled since noon')
  // Still live: nobody was cut off.
  await bo.room.title.press('Home')
  await bo.room.title.pressSequentially('Some ')
  await expect(ana.room.shownTitle).toHaveText('Some Invoices are doubled since noon')

  await changeRole(gateway, 'responder', 'responder')
  await expect(ana.room.title).toHaveValue('Some Invoices are doubled since noon', { timeout: 20_000 })
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('what was typed without a link while the role was lowered goes to the tray', async ({ browser, gateway }) => {
  const bo = await openResponder(browser, gateway, 'commander')
  const path = await bo.room.create('Refunds fail')
  const ana = await openResponder(browser, gateway, 'responder', { path, mayLoseConnection: true })
  await expect(ana.room.title).toHaveValue('Refunds fail')

  await ana.page.context().setOffline(true)
  await expect(ana.room.pill).toContainText('Disconnected')
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' for every card')
  await expect(ana.room.pill).toContainText('kept')
  await changeRole(gateway, 'responder', 'viewer')
  if (isStrict()) await ana.page.waitForTimeout(OLD_RIGHTS_MS)
  await ana.page.context().setOffline(false)

  const tray = ana.page.getByRole('region', { name: 'Rejected changes' })
  await expect(tray).toContainText('Refunds fail for every card', { timeout: 30_000 })
  await expect(ana.room.title).toHaveCount(0)
  // There a viewer may not even read it.
  if (isStrict()) await expect(ana.page.getByText('You can’t view this incident')).toBeVisible()
  else await expect(ana.room.shownTitle).toHaveText('Refunds fail')
  await expect(bo.room.title).toHaveValue('Refunds fail')
  await tray.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(tray).toHaveCount(0)
  await changeRole(gateway, 'responder', 'responder')
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
