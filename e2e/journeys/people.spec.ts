import type { Page } from 'playwright/test'

import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, signIn, signInThroughForm, test, userMenu } from '../fixtures/test.ts'
import { IncidentPage } from '../pages/IncidentPage.ts'

test.setTimeout(180_000)

/** From the moment on that the administrator is told that it is done. */
const AT_ONCE = { timeout: 10_000 }
const GRACE = {
  name: 'Grace Hopper',
  email: 'grace@harbour.example',
  password: keepSecret('password of someone invited', 'a sentence to remember'),
}

const rowOf = (page: Page) => page.getByRole('row', { name: new RegExp(GRACE.name) })

async function openAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${GRACE.name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Changes Grace in the dialog, and waits until the product says that it is done. */
async function edit(page: Page, change: () => Promise<unknown>): Promise<void> {
  await openAction(page, 'Edit')
  await change()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The link of the newest mail to Grace, as an administrator hands it on where there is no mail server. */
async function readInvitation(page: Page): Promise<string> {
  await page.goto('/settings/outbox')
  const mail = page.getByRole('row', { name: new RegExp(GRACE.email) }).first()
  await expect(mail).toContainText('Kept here')
  await mail.getByRole('button', { name: `Details of ${GRACE.email}` }).click()
  return /https?:\/\/\S+/.exec((await page.locator('pre').first().textContent()) ?? '')?.[0] ?? ''
}

test('someone is invited by mail, chooses a password and comes in; role, end and removal act at once', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/users')
  await page.getByRole('button', { name: 'Invite User' }).click()
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Email').fill(GRACE.email)
  await page.getByRole('dialog').getByLabel('Role').selectOption('responder')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText(`${GRACE.name} invited successfully`)).toBeVisible()
  const shown = await page.getByRole('dialog').locator('code').textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(rowOf(page)).toContainText('Invited')
  const link = await readInvitation(page)
  expect(link).toBe(shown)
  keepSecret('invitation', new URL(link).searchParams.get('token') ?? '')
  await page.goto('/settings/users')

  const guest = await openBrowser(browser, gateway, { mayLoseConnection: true })
  await guest.page.goto(link)
  await expect(guest.page.getByText(`You are invited as ${GRACE.email}.`)).toBeVisible()
  await guest.page.getByRole('button', { name: 'Continue' }).click()
  await expect(guest.page).toHaveURL(/profile-settings/)
  const section = guest.page.locator('section', { has: guest.page.getByRole('heading', { name: 'Change Password' }) })
  await section.getByLabel('Password', { exact: true }).fill(GRACE.password)
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(guest.page.getByText('Your changes have been saved!')).toBeVisible()
  await guest.page.context().clearCookies()
  await signInThroughForm(guest.page, GRACE, '/incidents')
  await expect(userMenu(guest.page, GRACE.name)).toBeVisible()
  await expect(rowOf(page)).toContainText('Active')

  const room = new IncidentPage(guest.page)
  await room.create('Parcels go round in circles')
  const settings = guest.page.getByRole('navigation', { name: 'Main' }).getByText('Settings')
  await expect(settings).toBeVisible()
  await edit(page, () => page.getByRole('dialog').getByLabel('Role').selectOption('viewer'))
  await expect(guest.page.getByText('Read only', { exact: true })).toBeVisible(AT_ONCE)
  await expect(room.title).toHaveCount(0)
  await expect(settings).toHaveCount(0)
  await expect(rowOf(page)).toContainText('viewer')

  await edit(page, () => page.getByRole('dialog').getByText('Active', { exact: true }).click())
  await expect(guest.page).not.toHaveURL(/\/incidents\/[^?]*$/, AT_ONCE)
  await expect(guest.page).toHaveURL(/\/login/)
  await expect(rowOf(page)).toContainText('Deactivated')

  await openAction(page, 'Delete')
  await page.getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('user deleted successfully')).toBeVisible()
  await expect(rowOf(page)).toHaveCount(0)
  // How the service says where an accepted invitation goes on, which the browser logs as an error.
  const accepted = /status of 422 .*self-service\/login/
  expect([...complaints, ...guest.complaints.filter((each) => !accepted.test(each))]).toEqual([])
  await guest.leave()
  await leave()
})
