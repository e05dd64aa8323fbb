import { press, tabTo, type } from '../fixtures/keyboard.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { startWebhookReceiver } from '../fixtures/webhookReceiver.ts'

test('someone without a pointer adds a connection, and its test message arrives', async ({ browser, gateway }) => {
  const receiver = await startWebhookReceiver()
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/connections')
  await press(page, page.getByRole('link', { name: 'Skip to content' }))
  await press(page, page.getByRole('button', { name: 'Add connection' }).first())
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByPlaceholder('Search connection types'), 'generic')
  await press(page, dialog.getByRole('button', { name: 'Generic Webhook', exact: true }))

  // What is missing is said at its field, which has the focus then.
  await press(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type('without-a-pointer')
  await type(page, dialog.getByRole('textbox', { name: 'URL', exact: true }), receiver.url)
  await press(page, dialog.getByRole('button', { name: 'Send test message' }))
  await expect(dialog.getByText('The connection works')).toBeVisible()
  expect(receiver.messages).toHaveLength(1)

  await press(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(page.getByText('Connection added successfully')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  // What was added is tested where it stands.
  await tabTo(
    page,
    page
      .getByRole('row', { name: /without-a-pointer/ })
      .getByRole('link')
      .first(),
  )
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Send test message' }))
  await expect(dialog.getByText('The connection works')).toBeVisible()
  expect(receiver.messages.map(({ body }) => JSON.parse(body))).toEqual(
    Array(2).fill(expect.objectContaining({ title: expect.stringMatching(/test/i) })),
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row', { name: /without-a-pointer/ })).toContainText('Works')
  expect(complaints).toEqual([])
  receiver.stop()
  await leave()
})
