import { DEMO_PASSWORD, signInForScripts } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

/** People of the demo profile, one for each role. */
const demoPerson = (role: string): { email: string; password: string } => ({
  email: `${role}@demo.watchroom.local`,
  password: DEMO_PASSWORD,
})

test('a viewer reads the board, finds no settings and cannot run a check', async ({ browser, gateway }) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('viewer'))
  const board = new HealthPage(page)
  await board.expectLive()
  await expect(page.getByRole('navigation').getByText('Settings')).toHaveCount(0)
  await board.openCheck('disk')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Run Now' })).toHaveCount(0)
  const checkId = new URL(page.url()).searchParams.get('checkId')
  const refused = await page.evaluate(
    async (id) => (await fetch(`/api/canary/run/check/${id}`, { method: 'POST' })).status,
    checkId,
  )
  expect(refused).toBe(403)
  expect(complaints.filter((line) => !line.includes('403'))).toEqual([])
  await leave()
})

test('a responder runs a check by hand and sees the result in the panel', async ({ browser, gateway }) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('responder'))
  const board = new HealthPage(page)
  await board.openCheck('disk')
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Run Now' }).click()
  await expect(panel.getByRole('region', { name: 'Outcome of the run' })).toHaveText(/Passed|Failed/, {
    timeout: 15_000,
  })
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/checkId/)
  expect(complaints).toEqual([])
  await leave()
})

test('a session that is ended elsewhere ends on this screen too', async ({ browser, gateway }) => {
  const { page, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('commander'))
  await new HealthPage(page).expectLive()
  await page.evaluate(async () => {
    const flow = (await (await fetch('/api/.ory/self-service/logout/browser')).json()) as { logout_token: string }
    await fetch(`/api/.ory/self-service/logout?token=${flow.logout_token}`, { redirect: 'manual' })
  })
  await expect(page).toHaveURL(/\/login/, { timeout: 15_000 })
  await leave()
})

test('scripts sign in without a browser and read what their role allows', async ({ gateway }) => {
  const headers = { 'x-session-token': await signInForScripts(gateway.url) }
  const answer = await fetch(`${gateway.url}/api/canary/api/summary`, { headers })
  expect(answer.status).toBe(200)
  expect((await fetch(`${gateway.url}/api/canary/api/summary`)).status).toBe(401)
})
