import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright/test'

import { ADMIN, DEMO_PASSWORD, startGateway } from '../fixtures/gateway.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

const VIEWER = { email: 'viewer@demo.watchroom.local', password: DEMO_PASSWORD }
const EDITOR = { email: 'editor@demo.watchroom.local', password: DEMO_PASSWORD }

const LINES = 400
/** What the script prints, byte for byte. */
const PRINTED = Array.from({ length: LINES }, (_, index) => `line ${index + 1} of the journey\n`).join('')
const END = `line ${LINES} of the journey`
const SPEC = {
  parameters: [{ name: 'what', label: 'What', default: 'journey', required: true }],
  actions: [
    {
      name: 'print',
      exec: {
        script: `i=0
while [ $i -lt ${LINES} ]; do
  i=$((i + 1))
  echo "line $i of the "{{ params.what }}
  sleep 0.06
done`,
      },
    },
  ],
}

const lines = (page: Page) => page.getByLabel('Output of print: lines')
const follow = (page: Page) => page.getByRole('button', { name: 'Follow', exact: true })
const lastShown = async (page: Page): Promise<number> =>
  Number((await lines(page).locator('li').last().getAttribute('aria-posinset')) ?? 0)

/** Steps that run programs are an administrator's to save. */
async function savePlaybook(page: Page): Promise<void> {
  const saved = await page.evaluate(
    async (spec) =>
      (
        await fetch('/api/db/playbooks', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'journey', title: 'Print for a journey', source: 'UI', spec }),
        })
      ).status,
    SPEC,
  )
  expect(saved).toBe(201)
}

/** By the card of the playbook. @returns where the run is watched */
async function startRun(page: Page): Promise<string> {
  await page.reload()
  await page.getByRole('button', { name: 'Run Print for a journey' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('What')).toHaveValue('journey')
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page).toHaveURL(/\/playbooks\/runs\/[\da-f-]{36}/)
  return new URL(page.url()).pathname
}

async function download(page: Page): Promise<string> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  return readFile(await (await file).path(), 'utf8')
}

test('a run starts in one browser, two follow it live, one scrolls up and stays, and a page opened late has all of it', async ({
  browser,
  gateway,
}) => {
  const [ana, bo, cy] = await Promise.all([
    openBrowser(browser, gateway),
    openBrowser(browser, gateway),
    openBrowser(browser, gateway),
  ])
  await Promise.all([signIn(bo.page, VIEWER, '/playbooks'), signIn(cy.page, EDITOR, '/playbooks')])
  await signIn(ana.page, ADMIN, '/playbooks')
  await savePlaybook(ana.page)
  const path = await startRun(ana.page)

  await Promise.all([bo, cy].map(({ page }) => page.goto(path)))
  await Promise.all(
    [ana, bo, cy].map(({ page }) =>
      expect(
        lines(page)
          .getByText(/line \d+ of the journey/)
          .first(),
      ).toBeVisible(),
    ),
  )
  await expect(bo.page.getByRole('button', { name: 'Cancel run' })).toHaveCount(0)

  // Bo reads what was printed first, once there is more than the window holds, and is left in peace.
  await expect.poll(() => lastShown(bo.page)).toBeGreaterThan(60)
  await lines(bo.page).hover()
  await bo.page.mouse.wheel(0, -100_000)
  await expect(follow(bo.page)).toHaveAttribute('aria-pressed', 'false')
  await expect(lines(bo.page).getByText('line 1 of the journey')).toBeVisible()
  const before = await lastShown(cy.page)
  await expect.poll(() => lastShown(cy.page)).toBeGreaterThan(before)
  await expect(bo.page.getByRole('button', { name: /\d+ new lines/ })).toBeVisible()
  await expect(lines(bo.page).getByText('line 1 of the journey')).toBeVisible()
  await expect(follow(cy.page)).toHaveAttribute('aria-pressed', 'true')

  await Promise.all([ana, cy].map(({ page }) => expect(lines(page).getByText(END)).toBeInViewport({ timeout: 60_000 })))
  await Promise.all([ana, bo, cy].map(({ page }) => expect(page.getByText('Completed').first()).toBeVisible()))
  await expect(lines(bo.page).getByText('line 1 of the journey')).toBeVisible()
  await bo.page.getByRole('button', { name: /\d+ new lines/ }).click()
  await expect(lines(bo.page).getByText(END)).toBeInViewport()

  // Dee comes late, and has what the program wrote, byte for byte.
  const dee = await openBrowser(browser, gateway)
  await dee.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(dee.page, VIEWER, `${path}?line=7-9`)
  await expect(dee.page.getByText('Lines 7–9')).toBeVisible()
  await expect(lines(dee.page).getByText('line 8 of the journey')).toBeInViewport()
  expect(await download(dee.page)).toBe(PRINTED)

  // By keys alone: to the lines, the next one marked, and back to what can be done with it.
  await tabTo(dee.page, lines(dee.page))
  await dee.page.keyboard.press('j')
  await expect(dee.page.getByText('Line 10', { exact: true })).toBeVisible()
  await dee.page.keyboard.press('Shift+K')
  await expect(dee.page.getByText('Lines 9–10')).toBeVisible()
  const copy = dee.page.getByRole('button', { name: 'Copy link' })
  for (let stops = 0; stops < 3 && !(await copy.evaluate((element) => element === document.activeElement)); stops++)
    await dee.page.keyboard.press('Shift+Tab')
  await expect(copy).toBeFocused()
  await dee.page.keyboard.press('Enter')
  await expect(dee.page.getByText('Copied to clipboard')).toBeVisible()
  expect(await dee.page.evaluate(() => navigator.clipboard.readText())).toContain('line=9-10')

  for (const person of [ana, bo, cy, dee]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test.describe('while a run prints', () => {
  test.setTimeout(180_000)

  test('the gateway is killed and comes back, and every page has all lines, once and in order', async ({ browser }) => {
    const gateway = await startGateway({ profile: 'empty', isBackendApart: true })
    try {
      const [ana, bo, cy] = [
        await openBrowser(browser, gateway, { mayLoseConnection: true }),
        await openBrowser(browser, gateway, { mayLoseConnection: true }),
        await openBrowser(browser, gateway, { mayLoseConnection: true }),
      ]
      await signIn(ana.page, ADMIN, '/playbooks')
      await savePlaybook(ana.page)
      const path = await startRun(ana.page)
      await Promise.all([bo, cy].map(({ page }) => signIn(page, ADMIN, path)))
      for (const { page } of [ana, bo, cy]) await expect.poll(() => lastShown(page)).toBeGreaterThan(20)

      await gateway.crash()
      for (const { page } of [ana, bo, cy]) await expect(page.getByText(/Disconnected/).first()).toBeVisible()
      await gateway.restart()

      for (const { page } of [ana, bo, cy]) {
        await expect(lines(page).getByText(END)).toBeInViewport({ timeout: 90_000 })
        await expect(page.getByText('Completed').first()).toBeVisible()
        // What the page itself has kept of the pieces before, during and after.
        expect(await download(page)).toBe(PRINTED)
      }
      for (const person of [ana, bo, cy]) {
        expect(person.complaints).toEqual([])
        await person.leave()
      }
    } finally {
      await gateway.stop()
    }
  })
})
