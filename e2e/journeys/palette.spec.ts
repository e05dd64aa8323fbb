import type { Page } from 'playwright/test'

import { findViolations } from '../fixtures/accessibility.ts'
import { ADMIN, DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test, watchRequests } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const EDITOR = { email: 'editor@demo.watchroom.local', password: DEMO_PASSWORD }

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })

const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

test('a person finds a check and runs it without touching the mouse', async ({ browser, gateway }) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, EDITOR)
  await new HealthPage(page).expectLive()
  await openPalette(page)
  await page.keyboard.type(':disk')
  const option = options(page).filter({ hasText: 'disk' }).first()
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/checkId=/)
  const panel = page.getByRole('dialog')
  await expect(panel.getByRole('button', { name: 'Run Now' })).toBeVisible()

  await openPalette(page)
  await page.keyboard.type('>run')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('region', { name: 'Outcome of the run' })).toHaveText(/Passed|Failed/, {
    timeout: 15_000,
  })

  // What was found is the first thing that is offered the next time.
  await openPalette(page)
  await expect(options(page).first()).toContainText('disk')
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(page).toHaveURL(/checkId=/)
  expect(complaints).toEqual([])
  await leave()
})

test('a commander is assigned by a command that asks for whom', async ({ browser, gateway }) => {
  const { page, room, complaints, leave } = await openResponder(browser, gateway, 'commander')
  await room.create('The palette assigns')
  await openPalette(page)
  await page.keyboard.type('assign')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Assign commander to …' })).toBeFocused()
  await page.keyboard.type('editor@')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByText('led by Erik Lindqvist')).toBeVisible()
  expect(complaints).toEqual([])
  await leave()
})

test('places are reached without a network', async ({ browser, gateway }) => {
  const { page, leave } = await openBrowser(browser, gateway, { mayLoseConnection: true })
  await signIn(page, ADMIN, '/incidents')
  await expect(page.getByRole('heading', { name: 'Incidents', level: 1 })).toBeVisible()
  await page.goto('/health')
  await new HealthPage(page).expectLive()
  // The first touch of the page brings the palette, and what it needs besides.
  const chunk = page.waitForResponse((response) => /\/paletteParts-[^/]+\.js$/.test(response.url()))
  const isQuiet = watchRequests(page)
  await page.keyboard.press('Shift')
  await (await chunk).finished()
  await expect.poll(isQuiet).toBe(true)
  await page.context().setOffline(true)
  await openPalette(page)
  await page.keyboard.type('incid')
  await expect(options(page)).toHaveText(['Incidents'])
  await expect(page.getByText('Only places and commands: No internet connection')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/incidents$/)
  await leave()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the palette breaks no rule of WCAG 2.2 for certain, at a desk and on a phone, ${colorScheme}`, async ({
    browser,
    gateway,
  }) => {
    const { page, leave } = await openBrowser(browser, gateway)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, EDITOR)
    await new HealthPage(page).expectLive()
    await openPalette(page)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.type('pr')
    await expect(page.getByRole('listbox')).toHaveAttribute('aria-busy', 'false')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /Search or run a command/ }).click()
    await expect(field(page)).toBeFocused()
    await expect(options(page).first()).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await findViolations(page)).toEqual([])
    await leave()
  })
}
