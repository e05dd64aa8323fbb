import { ADMIN } from '../fixtures/gateway.ts'
import { press, tabTo, type } from '../fixtures/keyboard.ts'
import { expect, openBrowser, sendForm, test, userMenu } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

test.setTimeout(120_000)

test('someone without a pointer signs in, looks into a check, invites someone and signs out', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await page.goto('/health')
  await type(page, page.getByLabel(/e-?mail/i), ADMIN.email)
  await type(page, page.getByLabel('Password', { exact: true }), ADMIN.password)
  await sendForm(page, () => page.keyboard.press('Enter'))
  const board = new HealthPage(page)
  await board.expectLive()

  // Past the sidebar, to what the page is about.
  await press(page, page.getByRole('link', { name: 'Skip to content' }))
  await expect(page.getByRole('main')).toBeFocused()
  await press(page, page.getByRole('checkbox', { name: /hide passing/i }), 'Space')
  await type(page, page.getByPlaceholder('Search by name, description, or endpoint'), 'disk')
  await expect(page).toHaveURL(/query=disk/)
  await expect(board.grid.locator('[data-line]').last()).toContainText('disk')
  const check = board.grid.locator('[tabindex="0"]').first()
  await tabTo(page, check)
  const panel = page.getByRole('dialog')
  for (let rows = 0; rows < 5 && !page.url().includes('checkId='); rows++) {
    // A group opens, a check shows its panel; the address says at once which it was.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/checkId=/, { timeout: 2_000 }).catch(() => undefined)
  }
  await expect(panel).toBeVisible()
  // Arrows move among the tabs, Enter opens one.
  await press(page, panel.getByRole('tab', { name: 'History' }), 'ArrowRight')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('tab').nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(board.grid.locator('[data-line]:focus')).toBeVisible()

  await press(page, page.getByRole('button', { name: 'Settings', exact: true }))
  await press(page, page.getByRole('navigation').getByRole('link', { name: 'Users' }))
  await expect(page).toHaveURL(/settings\/users/)
  await press(page, page.getByRole('button', { name: 'Invite User' }))
  await type(page, page.getByLabel('First name'), 'Key')
  await type(page, page.getByLabel('Last name'), 'Board')
  await type(page, page.getByLabel('Email'), 'keyboard@harbour.example')
  await type(page, page.getByRole('dialog').getByLabel('Role'), 'viewer')
  await press(page, page.getByRole('button', { name: 'Invite', exact: true }))
  await expect(page.getByText('Key Board invited successfully')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Done' }))
  await press(page, page.getByRole('button', { name: 'Actions for Key Board' }))
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await expect(remove).toBeVisible()
  // Keys are for the menu once it has the focus.
  await expect(page.locator('[role="menuitem"]:focus')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Delete user' }))
  await expect(page.getByText('user deleted successfully')).toBeVisible()

  await press(page, userMenu(page))
  await press(page, page.getByRole('menuitem', { name: 'Sign out' }))
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByLabel(/e-?mail/i)).toBeVisible()
  expect(complaints).toEqual([])
  await leave()
})
