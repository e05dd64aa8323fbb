import { ADMIN } from '../fixtures/gateway.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, signInThroughForm, signOut, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

test('a newcomer follows the printed link and sees a board that moves', async ({ browser, ownGateway: gateway }) => {
  const link = /http:\/\/\S+recovery\S+/.exec(gateway.output())?.[0]
  expect(link).toBeDefined()
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await page.goto(link ?? '')
  // The first page: what there is, as cards.
  await expect(page).toHaveURL(/\/topology/)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Health', exact: true }).click()
  const board = new HealthPage(page)
  await board.expectLive()
  // With passing checks hidden, the demo still has something to show.
  await expect(board.grid.getByRole('row').nth(1)).toBeVisible()
  const before = await board.grid.textContent()
  await expect.poll(() => board.grid.textContent(), { timeout: 30_000 }).not.toBe(before)
  expect(complaints).toEqual([])
  await leave()

  const second = await openBrowser(browser, gateway)
  await second.page.goto(link ?? '')
  await expect(second.page, 'the link works once').not.toHaveURL(/\/topology/)
  await second.leave()
})

test('a wrong password is explained and the e-mail stays typed', async ({ browser, gateway }) => {
  const { page, leave } = await openBrowser(browser, gateway)
  await page.goto('/health')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('heading', { name: 'Sign In to your account' })).toBeVisible()
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email)
  await page
    .getByLabel(/password/i)
    .first()
    .fill(keepSecret('wrong password', 'not the password'))
  await page.getByRole('button', { name: /sign in/i }).click()
  await expect(page.getByRole('alert').first()).toContainText(/credentials|password/i)
  await expect(page.getByLabel(/e-?mail/i)).toHaveValue(ADMIN.email)
  await leave()
})

test('signing in returns to the page that was asked for, signing out leaves nothing behind', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signInThroughForm(page, ADMIN, '/agents')
  await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible()
  // The socket may tell the page of the end first, which leads to the same address without loading anything.
  const loaded = page.waitForEvent('load')
  await signOut(page)
  await loaded
  await expect(page).toHaveURL(/\/login/)
  await page.goto('/health')
  await expect(page).toHaveURL(/\/login/)
  expect(complaints).toEqual([])
  await leave()
})
