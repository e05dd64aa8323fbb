import type { Browser, Page } from 'playwright/test'

import { findViolations } from '../fixtures/accessibility.ts'
import { DEMO_PASSWORD, type RunningGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const EDITOR = { email: 'editor@demo.watchroom.local', password: DEMO_PASSWORD }

/** Screens of the demo estate: checks pass and fail in it, and results arrive all the time. */
const SCREENS = [
  '/health',
  '/health?hidePassing=false&layout=card',
  '/health?query=nothing-is-called-like-this',
  '/settings/agents',
  '/settings/agents?addAgent=true',
  '/settings/canaries/new',
  '/settings/logging_backends',
  '/settings/logging_backends/new',
  '/incidents',
  '/wall',
]

// Nothing but reading: both workers share the minutes that this takes.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

interface Judge {
  readonly page: Page
  /** Looks for what breaks the rules on the page as it stands. */
  readonly judge: (name: string) => Promise<void>
  /** Of all that was judged, by name; empty when nothing breaks a rule. */
  readonly violations: Record<string, string[]>
  readonly leave: () => Promise<void>
}

async function openJudge(browser: Browser, gateway: RunningGateway, colorScheme: 'light' | 'dark'): Promise<Judge> {
  const { page, leave } = await openBrowser(browser, gateway)
  // Without motion, because the colors in the middle of a fade are nobody's choice.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const violations: Record<string, string[]> = {}
  return {
    page,
    judge: async (name) => {
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      const found = await findViolations(page)
      if (found.length > 0) violations[name] = found
    },
    violations,
    leave,
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no screen breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
    const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
    await page.goto('/login')
    await expect(page.getByLabel(/e-?mail/i)).toBeVisible()
    await judge('/login')
    await signIn(page, EDITOR)
    await new HealthPage(page).expectLive()
    for (const screen of SCREENS) {
      if (!page.url().endsWith(screen)) await page.goto(screen)
      await expect(page.getByRole('main').first()).toBeVisible()
      await judge(screen)
    }
    expect(violations).toEqual({})
    await leave()
  })

  test(`no tab of a check's panel breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
    const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
    await signIn(page, EDITOR)
    await new HealthPage(page).openCheck('disk')
    for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
      await tab.click()
      await judge(`check panel, ${await tab.innerText()}`)
    }
    expect(violations).toEqual({})
    await leave()
  })

  test(`no part of an incident breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
    const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
    await signIn(page, EDITOR, '/incidents')
    await page.getByRole('main').getByRole('link', { name: 'Label prints hang in edge-eu' }).click()
    await expect(page).toHaveURL(/\/incidents\/[\da-f-]{36}/)
    await expect(page.getByRole('tab', { name: 'Action Plan' })).toBeVisible()
    await judge('incident, comments')
    await page.getByRole('tab', { name: 'Action Plan' }).click()
    await page.getByRole('button', { name: 'Expand All' }).click()
    await expect(page.getByRole('tree').first()).toBeVisible()
    await judge('incident, action plan')
    expect(violations).toEqual({})
    await leave()
  })
}
