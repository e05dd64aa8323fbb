import { findViolations } from '../fixtures/accessibility.ts'
import { type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const EDITOR = { email: 'editor@demo.watchroom.local', password: 'watchroom-demo' }

/** Screens of the demo estate: checks pass and fail in it, and results arrive all the time. */
const SCREENS = [
  '/health',
  '/health?hidePassing=false&layout=card',
  '/health?query=nothing-is-called-like-this',
  '/settings/agents',
  '/settings/agents?addAgent=true',
  '/settings/canaries/new',
  '/incidents',
  '/wall',
]

let gateway: RunningGateway

test.beforeAll(async () => {
  gateway = await startGateway({ profile: 'demo' })
})
test.afterAll(() => gateway?.stop())

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no screen breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(180_000)
    const { page, leave } = await openBrowser(browser, gateway)
    // Without motion, because the colours in the middle of a fade are nobody's choice.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations: Record<string, string[]> = {}
    const judge = async (name: string): Promise<void> => {
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      const found = await findViolations(page)
      if (found.length > 0) violations[name] = found
    }

    await page.goto('/login')
    await expect(page.getByLabel(/e-?mail/i)).toBeVisible()
    await judge('/login')
    await signIn(page, EDITOR)
    await new HealthPage(page).expectLive()
    for (const screen of SCREENS) {
      await page.goto(screen)
      await expect(page.getByRole('main').first()).toBeVisible()
      await judge(screen)
    }

    await page.goto('/health')
    const board = new HealthPage(page)
    await board.openCheck('disk')
    for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
      await tab.click()
      await judge(`check panel, ${await tab.innerText()}`)
    }

    await page.goto('/incidents')
    await page.getByRole('main').getByRole('link').first().click()
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
