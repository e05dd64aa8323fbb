import type { Page } from 'playwright/test'

import { callBackend } from '../fixtures/backend.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'

/** People of the demo profile, one for each role. */
const demoPerson = (role: string) => ({ email: `${role}@demo.watchroom.local`, password: DEMO_PASSWORD })
const LIST = '/settings/logging_backends'
/** How soon a list follows what someone else saved. */
const LIVE = { timeout: 10_000 }

const writeSpec = (page: Page, text: string) => new CanaryPage(page).writeYaml(text, 'Spec')

// Two browsers, each with the editor's megabyte.
test.describe.configure({ timeout: 120_000 })

test('a log backend is added, changed and deleted by one person; another sees each step without a reload', async ({
  browser,
  gateway,
}) => {
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, demoPerson('viewer'), LIST)
  await expect(watcher.page.getByRole('link', { name: 'Services of the demo' })).toBeVisible()
  await expect(watcher.page.getByRole('button', { name: 'Add log backend' })).toHaveCount(0)

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('editor'), LIST)
  await page.getByRole('button', { name: 'Add log backend' }).first().click()
  const form = new CanaryPage(page)
  // The button may be there before the fields are.
  await expect(form.field('Name')).toBeVisible()
  await form.button('Save').click()
  await expect(form.field('Name')).toBeFocused()
  expect(await form.errorOf('Name')).toBe('This field is required')
  await form.field('Name').fill('journey-logs')
  const credential = keepSecret('credential of a log backend', 'hunter2')
  await writeSpec(
    page,
    `backends:\n  - elasticsearch:\n      address: https://es.example\n      index: logs\n      password: ${credential}\n`,
  )
  await form.button('Save').click()
  await expect(page.getByText('journey-logs added successfully')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${LIST}$`))
  await expect(watcher.page.getByRole('link', { name: 'journey-logs' })).toBeVisible(LIVE)

  // Who reads may look at it, without its secrets, and write nothing.
  await watcher.page.getByRole('link', { name: 'journey-logs' }).click()
  await expect(watcher.page.getByText('Your role can view log backends but not change them.')).toBeVisible()
  await expect(watcher.page.getByText(/password:/)).toContainText('***')
  await expect(watcher.page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  const id = new URL(watcher.page.url()).pathname.split('/').at(-1)
  const refused = await watcher.page.evaluate(
    async (path) =>
      (await fetch(path, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"x"}' }))
        .status,
    `/api/db/logging_backends?id=eq.${id}`,
  )
  expect(refused).toBe(403)

  // The open form follows; the secret stays what it was though only *** went back.
  await page.getByRole('link', { name: 'journey-logs' }).click()
  await page.getByRole('button', { name: 'Add label' }).click()
  await form.field('Label 1, name').fill('team')
  await form.field('Label 1, value').fill('web')
  await form.button('Save').click()
  await expect(page.getByText('journey-logs updated successfully')).toBeVisible()
  await expect(watcher.page.getByLabel('Label 1, value')).toHaveValue('web', LIVE)
  const [stored] = await callBackend<{ spec: unknown }[]>(gateway.url, `/db/logging_backends?id=eq.${id}`)
  const place = { address: 'https://es.example', index: 'logs', password: '***' }
  expect(stored?.spec).toEqual({ backends: [{ elasticsearch: place }] })

  await page.getByRole('link', { name: 'journey-logs' }).click()
  await writeSpec(page, 'given: up\n')
  await form.button('Delete').click()
  await form.button('Delete log backend').click()
  await expect(page.getByText('journey-logs deleted successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: 'journey-logs' })).toHaveCount(0)
  await expect(watcher.page.getByText('This log backend was deleted.')).toBeVisible(LIVE)

  await page.goto(`${LIST}/018f0000-0000-7000-8000-000000000000`)
  await expect(page.getByText('Details not found')).toBeVisible()
  await page.goto('/settings/logging-backends')
  await expect(page).toHaveURL(new RegExp(`${LIST}$`))
  expect(complaints).toEqual([])
  expect(watcher.complaints.filter((line) => !line.includes('403'))).toEqual([])
  await leave()
  await watcher.leave()
})
