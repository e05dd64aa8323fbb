import type { Page } from 'playwright/test'

import { type Fault, type FaultProxy, startFaultProxy } from '../../tests/support/faultProxy.ts'
import { SCRIPT_HEADERS, startGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'
import { IncidentPage } from '../pages/IncidentPage.ts'

test.describe.configure({ timeout: 180_000 })

/** What the backend has stored. */
async function read(url: string, path: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/db/${path}`, { headers: SCRIPT_HEADERS })
  return answer.json()
}

/** Said where one looks when one presses the button. */
const expectRefused = (page: Page): Promise<void> =>
  expect(page.getByText('The backend gave an answer that cannot be read').first()).toBeInViewport()

test('what is typed stays when the backend breaks off: forms are sent again, and the room writes it later', async ({
  browser,
}) => {
  let proxy: FaultProxy | undefined
  const gateway = await startGateway({
    profile: 'empty',
    between: async (url) => {
      proxy = await startFaultProxy(url)
      return proxy.url
    },
  })
  /** Of every call that would change such rows, as a handler that panics does. */
  const breakOff = (table: string): void => {
    if (proxy)
      proxy.fault = (method, path): Fault => (method !== 'GET' && path.startsWith(`/db/${table}`) ? 'closed' : 'none')
  }
  const mend = (): void => breakOff('nothing')
  const ana = await openBrowser(browser, gateway, { mayLoseConnection: true })
  try {
    const { page } = ana
    await signIn(page, undefined, '/settings/connections')

    await page.getByRole('button', { name: 'Add connection' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Generic Webhook', exact: true }).click()
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('typed-once')
    await dialog.getByRole('textbox', { name: 'URL', exact: true }).fill('https://hooks.example/typed')
    breakOff('connections')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectRefused(page)
    await expect(name).toHaveValue('typed-once')
    await expect(dialog.getByRole('textbox', { name: 'URL', exact: true })).toHaveValue('https://hooks.example/typed')
    mend()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Connection added successfully')).toBeVisible()

    await page.goto('/settings/canaries')
    await page.getByRole('button', { name: 'Add check' }).click()
    await page.getByPlaceholder('Search kinds of checks').fill('web')
    await page.getByRole('button', { name: /^HTTP/ }).click()
    const form = new CanaryPage(page)
    await form.field(/^Name \(/).fill('typed-once')
    await form.field(/^URL/).fill('http://127.0.0.1:9/')
    breakOff('canaries')
    await form.button('Save').click()
    await expectRefused(page)
    await expect(form.field(/^Name \(/)).toHaveValue('typed-once')
    mend()
    await form.button('Save').click()
    await expect(page).toHaveURL(/\/health\?.*checkId=/)

    const room = new IncidentPage(page)
    await page.goto('/incidents')
    await page.getByRole('button', { name: /create new incident/i }).click()
    await dialog.getByLabel('Title').fill('Typed once')
    breakOff('incidents')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expectRefused(page)
    await expect(dialog.getByLabel('Title')).toHaveValue('Typed once')
    mend()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(room.title).toHaveValue('Typed once')

    breakOff('')
    await room.title.press('End')
    await room.title.pressSequentially(', and kept')
    await page.getByRole('textbox', { name: 'Comment' }).fill('said while nothing could be stored')
    await page.getByRole('textbox', { name: 'Comment' }).press('Enter')
    await expect(room.pill).toContainText(/Received|Not saved/)
    await expect(room.title).toHaveValue('Typed once, and kept')
    await page.reload()
    await expect(room.title).toHaveValue('Typed once, and kept')
    mend()
    // What was refused again and again is tried again after a minute at the latest.
    await room.expectSaved(75_000)
    const { pathname } = new URL(page.url())
    const id = pathname.split('/').at(-1)
    expect(await read(gateway.url, `incidents?id=eq.${id}&select=title`)).toEqual([{ title: 'Typed once, and kept' }])
    expect(await read(gateway.url, `comments?incident_id=eq.${id}&select=comment`)).toEqual([
      { comment: 'said while nothing could be stored' },
    ])
    expect(ana.complaints).toEqual([])
  } finally {
    await ana.leave()
    await gateway.stop()
    await proxy?.close()
  }
})
