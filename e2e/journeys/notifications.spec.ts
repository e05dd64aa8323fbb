import { createCanary, readResults } from '../fixtures/checks.ts'
import { startTargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { startWebhookReceiver } from '../fixtures/webhookReceiver.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'

const CHECK = 'journey of a message'

test('a check fails at a real server: whom a rule names is told once, and the history of another follows', async ({
  browser,
  gateway,
}) => {
  const [receiver, target] = [await startWebhookReceiver(), await startTargetServer()]
  await createCanary(gateway.url, {
    name: 'journey-message',
    namespace: 'journeys',
    spec: { interval: 1, http: [{ name: CHECK, url: target.url, responseCodes: [200] }] },
  })
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  const form = new CanaryPage(page)
  await signIn(page, undefined, '/settings/connections')
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  await page.getByPlaceholder('Search connection types').fill('generic')
  await page.getByRole('button', { name: 'Generic Webhook', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('journey-receiver')
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(receiver.url)
  await form.button('Save').click()
  await expect(page.getByText('Connection added successfully')).toBeVisible()

  await page.goto('/settings/notifications')
  await page.getByRole('button', { name: 'Add notification' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill('On the journey')
  await dialog.getByText('check.failed', { exact: true }).click()
  await dialog.getByText('Others', { exact: true }).first().click()
  await dialog
    .getByRole('combobox', { name: 'Connection', exact: true })
    .selectOption({ label: 'journey-receiver (generic_webhook)' })
  await dialog.getByRole('textbox', { name: 'Filter', exact: true }).fill(`check.name == '${CHECK}'`)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Notification added successfully')).toBeVisible()

  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, undefined, '/settings/notifications/history')
  const row = watcher.page.getByRole('row', { name: new RegExp(CHECK) })
  await expect(watcher.page.getByRole('heading', { name: 'Notification history' })).toBeVisible()
  await expect.poll(async () => (await readResults(gateway.url, CHECK)).some(({ status }) => status)).toBe(true)
  await expect(row).toHaveCount(0)

  await target.goDown()
  await expect.poll(() => receiver.messages.length).toBe(1)
  expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({
    title: expect.stringContaining('On the journey'),
    message: expect.stringContaining(CHECK),
  })
  await expect(row).toContainText('journey-receiver')
  await expect(row).toContainText('sent')
  // It goes on failing, and nobody is told again.
  const { length } = await readResults(gateway.url, CHECK)
  await expect.poll(async () => (await readResults(gateway.url, CHECK)).length).toBeGreaterThan(length + 1)
  expect(receiver.messages).toHaveLength(1)
  expect([...complaints, ...watcher.complaints]).toEqual([])
  receiver.stop()
  await target.stop()
  await leave()
  await watcher.leave()
})
