import { callBackend } from '../fixtures/backend.ts'
import { createCanary, readResults } from '../fixtures/checks.ts'
import { SCRIPT_HEADERS } from '../fixtures/gateway.ts'
import { startMailServer } from '../fixtures/mailServer.ts'
import { startTargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { startWebhookReceiver } from '../fixtures/webhookReceiver.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'

const CHECK = 'journey of a message'

test('a check fails at a real server: whom a rule names is told once, and the history of another follows', async ({
  browser,
  gateway,
}) => {
  const [receiver, target, post] = [await startWebhookReceiver(), await startTargetServer(), await startMailServer()]
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

  await page.goto('/settings/connections?new=email')
  for (const [label, text] of Object.entries({
    Name: 'journey-mail',
    Host: '127.0.0.1',
    Port: String(post.port),
    From: 'watch@example.org',
    'From Name': 'Watchroom',
  })) {
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  }
  await page.getByRole('combobox', { name: 'Encryption method' }).selectOption('None')
  await page.getByRole('combobox', { name: 'Auth method' }).selectOption('None')
  await form.button('Save').click()
  await expect(page.getByText('Connection added successfully').first()).toBeVisible()
  await expect(page.getByRole('row', { name: /journey-mail/ })).toBeVisible()

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
  await dialog.getByRole('combobox', { name: 'Repeat interval' }).selectOption('1h')
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(dialog.getByText('Event: check.failed')).toBeVisible()
  // However long the message is, the buttons of the form stay in the window.
  await expect(dialog.getByRole('button', { name: 'Create', exact: true })).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Notification added successfully')).toBeVisible()

  const added = await fetch(`${gateway.url}/api/db/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SCRIPT_HEADERS },
    body: JSON.stringify({
      title: 'By mail',
      events: ['check.failed', 'check.passed'],
      filter: `check.name == '${CHECK}'`,
      custom_services: [{ connection: 'connection://default/journey-mail', name: 'journey-mail' }],
      source: 'UI',
    }),
  })
  expect(added.status).toBe(201)

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
  const byWebhook = row.filter({ hasText: 'journey-receiver' })
  await expect(byWebhook).toContainText('Sent')
  await expect.poll(() => post.mails.length).toBe(1)
  expect(post.mails[0]).toContain('Subject: By mail')
  await expect(row.filter({ hasText: 'journey-mail' })).toContainText('Sent')
  // It goes on failing, and nobody is told again.
  const [latest] = await readResults(gateway.url, CHECK)
  const later = async () => (await readResults(gateway.url, CHECK)).filter(({ time }) => time > (latest?.time ?? ''))
  await expect.poll(async () => (await later()).length).toBeGreaterThan(1)
  expect(receiver.messages).toHaveLength(1)

  // It comes back and fails again within the hour: the rule with an interval counts, the other one tells.
  await target.comeBack()
  await expect.poll(() => post.mails.length).toBe(2)
  await target.goDown()
  await expect(row.filter({ hasText: 'On the journey' }).filter({ hasText: 'Repeat interval' })).toContainText(
    'check.failed',
  )
  await expect.poll(() => post.mails.length).toBe(3)
  expect(receiver.messages).toHaveLength(1)

  // On a laptop the list of rules shows all its columns.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/settings/notifications')
  await expect(page.getByRole('row', { name: /On the journey/ })).toBeVisible()
  const list = page.getByRole('region', { name: 'Table of notifications' })
  await expect.poll(() => list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)

  // Silenced, it is nobody's message: neither that it came back nor that it fails again.
  await page.goto('/settings/notifications/silence?add=true')
  await dialog.getByPlaceholder('Search by name').fill(CHECK)
  await dialog.getByRole('radio', { name: new RegExp(CHECK) }).click()
  await dialog.getByRole('combobox', { name: 'For' }).selectOption('Next 1 hour')
  await dialog.getByRole('textbox', { name: 'Description', exact: true }).fill('planned work')
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click()
  await expect(page.getByText('Silenced notification')).toBeVisible()
  await target.comeBack()
  const silenced = row.filter({ hasText: 'Silenced: planned work' })
  await expect(silenced.filter({ hasText: 'By mail' })).toContainText('check.passed')
  await target.goDown()
  await expect(silenced.filter({ hasText: 'On the journey' })).toContainText('check.failed')
  expect([receiver.messages.length, post.mails.length]).toEqual([1, 3])
  expect([...complaints, ...watcher.complaints]).toEqual([])
  receiver.stop()
  await post.stop()
  await target.stop()
  await leave()
  await watcher.leave()
})

test('what fails together is told in one message, what recovers in the wait is not told, and a refused one reaches the fallback', async ({
  browser,
  gateway,
}) => {
  const [receiver, refusing, target] = [
    await startWebhookReceiver(),
    await startWebhookReceiver(404),
    await startTargetServer(),
  ]
  const names = ['berth one', 'berth two'] as const
  await createCanary(gateway.url, {
    name: 'journey-folded',
    namespace: 'journeys',
    spec: { interval: 1, http: names.map((name) => ({ name, url: target.url, responseCodes: [200] })) },
  })
  const taking = await connectReceiver(gateway.url, 'journey-taking', receiver)
  const closed = await connectReceiver(gateway.url, 'journey-closed', refusing)
  const addRule = (title: string, connection: string, more: object): Promise<unknown> =>
    callBackend(gateway.url, '/db/notifications', {
      title,
      events: ['check.failed'],
      filter: `check.name in ${JSON.stringify(names)}`,
      custom_services: [{ connection }],
      source: 'UI',
      ...more,
    })
  await addRule('Folded', taking, { group_by: ['type'] })
  await addRule('If it stays', taking, { wait_for: 25e9 })
  await addRule('Or else', closed, { properties: { fallback_connection: taking } })

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/notifications/history')
  await expect(page.getByRole('heading', { name: 'Notification history' })).toBeVisible()
  for (const name of names) {
    await expect.poll(async () => (await readResults(gateway.url, name)).some(({ status }) => status)).toBe(true)
  }
  const rows = (rule: string, status: string) =>
    page
      .getByRole('row', { name: /berth (?:one|two)/ })
      .filter({ hasText: rule })
      .filter({ hasText: status })

  await target.goDown()
  await expect(rows('If it stays', 'Pending')).toHaveCount(2)
  await target.comeBack()
  await expect(rows('Or else', 'Error').filter({ hasText: 'journey-closed' })).toHaveCount(2)
  await expect(rows('Or else', 'Fallback').filter({ hasText: 'journey-taking' })).toHaveCount(2)
  await expect(rows('Folded', 'Grouped')).toHaveCount(1)
  // After the ten seconds for others of its group.
  await expect(rows('Folded', 'Sent')).toHaveCount(1, { timeout: 40_000 })
  await expect(rows('If it stays', 'Held back')).toHaveCount(2, { timeout: 40_000 })

  const told = receiver.messages.map(({ body }) => names.filter((name) => body.includes(name)).length)
  expect(told.toSorted((one, other) => one - other)).toEqual([1, 1, 2])
  expect(complaints).toEqual([])
  receiver.stop()
  refusing.stop()
  await target.stop()
  await leave()
})

test('two messages that someone selects in the history are sent again, and the third is not', async ({
  browser,
  gateway,
}) => {
  const [receiver, target] = [await startWebhookReceiver(), await startTargetServer()]
  const name = 'berth three'
  const rules = ['Again one', 'Again two', 'Once'] as const
  await createCanary(gateway.url, {
    name: 'journey-again',
    namespace: 'journeys',
    spec: { interval: 1, http: [{ name, url: target.url, responseCodes: [200] }] },
  })
  const connection = await connectReceiver(gateway.url, 'journey-again', receiver)
  for (const title of rules) {
    await callBackend(gateway.url, '/db/notifications', {
      title,
      events: ['check.failed'],
      filter: `check.name == '${name}'`,
      custom_services: [{ connection }],
      source: 'UI',
    })
  }
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/notifications/history')
  await expect.poll(async () => (await readResults(gateway.url, name)).some(({ status }) => status)).toBe(true)
  await target.goDown()
  const row = (rule: string) => page.getByRole('row', { name: new RegExp(name) }).filter({ hasText: rule })
  for (const rule of rules) await expect(row(rule)).toContainText('Sent')

  const received = (): string[] =>
    receiver.messages.map(({ body }) => rules.find((rule) => body.includes(rule)) ?? body).toSorted()
  expect(received()).toEqual([...rules])
  for (const rule of rules.slice(0, 2))
    await row(rule)
      .getByRole('checkbox', { name: `Select ${name}` })
      .press('Space')
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resend', exact: true }).click()
  await expect(page.getByText('2 messages sent again', { exact: true })).toBeVisible()
  await expect(page.getByText('2 selected', { exact: true })).toHaveCount(0)
  await expect.poll(received).toEqual(['Again one', 'Again one', 'Again two', 'Again two', 'Once'])
  for (const rule of rules) await expect(row(rule)).toContainText('Sent')
  // Whoever has a message drops what comes under the same key.
  expect(new Set(receiver.messages.map(({ key }) => key)).size).toBe(5)
  expect(complaints).toEqual([])
  receiver.stop()
  await target.stop()
  await leave()
})

/** @returns how rules name it */
async function connectReceiver(gatewayUrl: string, name: string, { url }: { url: string }): Promise<string> {
  const parameters =
    'ContentType=application/json&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false'
  await callBackend(gatewayUrl, '/db/connections', {
    name,
    namespace: 'default',
    type: 'generic_webhook',
    url: `generic+${url}?${parameters}`,
    source: 'UI',
  })
  return `connection://default/${name}`
}
