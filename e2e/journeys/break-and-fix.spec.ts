import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

test('the dashboard of a demo leads a newcomer to the check made for it, who breaks and fixes it by what its description says', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/topology')
  await page.getByRole('complementary', { name: 'Demo' }).getByRole('link', { name: 'Break a check' }).click()
  const board = new HealthPage(page)
  await expect(board.row('break me')).toContainText('Healthy')
  await board.row('break me').click()
  await expect(page.getByRole('dialog')).toContainText(join(gateway.dataDirectory, 'break-me'))
  await page.keyboard.press('Escape')

  const marker = join(gateway.dataDirectory, 'break-me', 'broken')
  await mkdir(join(gateway.dataDirectory, 'break-me'), { recursive: true })
  await writeFile(marker, '')
  await expect(board.row('break me')).toContainText('Unhealthy', { timeout: 20_000 })
  await expect(page).toHaveTitle(/^\(\d+\) Health/)
  await rm(marker)
  await expect(board.row('break me')).toContainText('Healthy', { timeout: 20_000 })
  expect(complaints).toEqual([])
  await leave()
})

test('the board is worked with the keyboard alone, and on a phone nothing is cut off', async ({ browser, gateway }) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page)
  const board = new HealthPage(page)
  await board.expectLive()
  await board.showEverything()
  await page.locator('body').click({ position: { x: 700, y: 5 } })
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search by name, description, or endpoint')).toBeFocused()
  await page.keyboard.type('customs link')
  // The search begins some time after the last key: before, other rows stand behind the one that is looked for.
  await expect(page).toHaveURL(/query=customs/)
  await expect(board.grid.locator('[data-line]').last()).toContainText('customs link')
  await page.keyboard.press('Tab')
  // Straight to the rows, past the filters.
  await page.keyboard.press('j')
  await expect(board.grid.locator('[data-line]:focus')).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('customs link')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(board.grid.locator('[data-line]:focus')).toContainText('customs link')

  await page.setViewportSize({ width: 320, height: 700 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  expect(complaints).toEqual([])
  await leave()
})
