import { createCanary, expectWithin, failedAt } from '../fixtures/checks.ts'
import { type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

const CHECK = 'parcel labels'
const OTHER = 'customs link'

let gateway: RunningGateway
let target: TargetServer

test.beforeAll(async () => {
  gateway = await startGateway({ profile: 'empty' })
  target = await startTargetServer()
  for (const [name, namespace] of [
    [CHECK, 'shipping'],
    [OTHER, 'customs'],
  ] as const) {
    await createCanary(gateway.url, {
      name,
      namespace,
      spec: { interval: 1, http: [{ name, url: target.url, responseCodes: [200] }] },
    })
  }
})

test.afterAll(async () => {
  await target?.stop()
  await gateway?.stop()
})

test('a screen without an account shows its board, says when it is cut off, heals, and goes dark when its link is withdrawn', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const admin = await openBrowser(browser, gateway, { mayLoseConnection: true })
  const screen = await openBrowser(browser, gateway, { mayLoseConnection: true })
  const { page } = admin
  await signIn(page, undefined, '/wall/boards')

  await test.step('an administrator saves a board and makes a link for a screen', async () => {
    await page.getByRole('button', { name: 'New board' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shipping')
    await page.getByLabel('Namespace').selectOption('shipping')
    await expect(page.getByText('One check matches now.')).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Shipping' })).toBeVisible()
    await page.getByRole('button', { name: 'Link for a screen that shows Shipping' }).click()
    await page.getByLabel('Name of the screen').fill('Lobby')
    await page.getByRole('button', { name: 'Make link' }).click()
  })
  const link = await page.getByRole('dialog', { name: 'Link of Lobby' }).locator('code').innerText()
  keepSecret('token of a screen', new URL(link).hash.slice(1))
  await page.getByRole('button', { name: 'Done' }).click()

  const tile = screen.page.getByRole('listitem').filter({ hasText: CHECK })
  await test.step('the screen shows that board and nothing else, and keeps no token in its address', async () => {
    await screen.page.goto(link)
    await expect(tile).toContainText('Healthy')
    await expect(screen.page.getByRole('heading', { name: 'Shipping' })).toBeVisible()
    await expect(screen.page.getByRole('listitem')).toHaveCount(1)
    expect(screen.page.url()).toBe(`${gateway.url}/wall/device`)
    const answer = await screen.page.request.get('/api/canary/api/summary')
    expect(answer.status()).toBe(401)
    await expect(page.getByRole('row', { name: /Lobby Active/ })).toBeVisible()
  })

  await test.step('a check that fails is seen within 3 s', async () => {
    await expectWithin(3_000, async () => {
      await target.goDown()
      await expect(tile).toContainText('Unhealthy')
      const seenAt = Date.now()
      const delayMs = seenAt - (await failedAt(gateway.url, CHECK))
      await expect(screen.page).toHaveTitle('(1) Shipping – Watchroom')
      await target.comeBack()
      await expect(tile).not.toContainText('Unhealthy')
      return delayMs
    })
  })

  await test.step('a killed gateway greys the wall; it heals by itself', async () => {
    await gateway.crash()
    await expect(screen.page.getByRole('alert')).toContainText('Connection lost')
    await expect(screen.page.locator('main[data-old]')).toBeVisible()
    await expect(tile).toBeVisible()
    await gateway.restart()
    await expect(screen.page.getByRole('alert')).toHaveCount(0, { timeout: 30_000 })
    await expect(tile).toContainText('Healthy')
  })

  await test.step('a link that is withdrawn darkens the screen, for good, and says so', async () => {
    await page.goto('/wall/boards')
    await page.getByRole('button', { name: 'Revoke Lobby' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click()
    await expect(screen.page.getByText('This link was revoked')).toBeVisible()
    await expect(tile).toHaveCount(0)
    await screen.page.goto(link)
    await expect(screen.page.getByText('This link was revoked')).toBeVisible()
  })
  // The two refusals at the end are what the browser logs of them.
  const complaints = [...admin.complaints, ...screen.complaints].filter((text) => !/status of 410/.test(text))
  expect(complaints).toEqual([])
  await admin.leave()
  await screen.leave()
})

test('someone at the wall filters it with the keyboard; the address says it all and brings it back', async ({
  browser,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/wall')
  const shipping = page.getByRole('listitem').filter({ hasText: CHECK })
  const customs = page.getByRole('listitem').filter({ hasText: OTHER })
  await expect(shipping).toBeVisible()
  await expect(customs).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Wallboard' })).toBeHidden({ timeout: 10_000 })
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search by name, description, or endpoint')).toBeFocused()
  await page.keyboard.type('customs')
  await expect(shipping).toHaveCount(0)
  await expect(customs).toBeVisible()
  await page.getByLabel('Theme').selectOption('light')
  await expect(page).toHaveURL(`${gateway.url}/wall?query=customs&theme=light`)
  await page.reload()
  await expect(customs).toBeVisible()
  await expect(shipping).toHaveCount(0)
  await expect(page.locator('body.bp6-dark')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '“customs”' })).toBeVisible()
  // Without a frame, and still at hand: what can be done here, and the way to everywhere else.
  const openPalette = async (): Promise<void> => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused()
  }
  await openPalette()
  await page.keyboard.type('keys of the wall')
  await expect(page.getByRole('option', { name: 'Show the keys of the wall' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Jump to the latest failure')).toBeVisible()
  await openPalette()
  await page.keyboard.type('wallboards')
  await expect(page.getByRole('option', { name: 'Wallboards' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gateway.url}/wall/boards`)
  expect(complaints).toEqual([])
  await leave()
})
