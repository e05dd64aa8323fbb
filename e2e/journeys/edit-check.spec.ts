import { createCanary } from '../fixtures/checks.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'
import { HealthPage } from '../pages/HealthPage.ts'

/** People of the demo profile, one for each role. */
const demoPerson = (role: string): { email: string; password: string } => ({
  email: `${role}@demo.watchroom.local`,
  password: DEMO_PASSWORD,
})

let target: TargetServer

// Several browsers at once, each with the editor's megabyte.
test.describe.configure({ timeout: 120_000 })
test.beforeAll(async () => {
  target = await startTargetServer()
})
test.afterAll(async () => {
  await target?.stop()
})

/** A check of its own for each journey. */
const addCheck = (url: string, name: string): Promise<string> =>
  createCanary(url, {
    name,
    namespace: 'default',
    spec: { interval: 60, http: [{ name, url: target.url }] },
  })

/** The list is as long as the window shows: only what is searched for is surely there. */
async function lookFor(board: HealthPage, name: string): Promise<void> {
  await board.showEverything()
  await board.page.getByPlaceholder('Search by name, description, or endpoint').fill(name)
}

test('a writer adds a check, is told of a mistake at its field, tries it and saves it; others see it at once', async ({
  browser,
  gateway,
}) => {
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, demoPerson('viewer'))
  const board = new HealthPage(watcher.page)
  await board.expectLive()
  await lookFor(board, 'journey-front')

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('editor'), '/settings/canaries')
  await page.getByRole('button', { name: 'Add check' }).click()
  const form = new CanaryPage(page)
  await page.getByPlaceholder('Search kinds of checks').fill('web')
  await page.getByRole('button', { name: /^HTTP/ }).click()

  await form.field(/^URL/).fill('shop.example')
  await form.button('Save').click()
  await expect(form.field(/^Name \(/)).toBeFocused()
  expect(await form.errorOf(/^Name \(/)).toBe('This field is required')
  expect(await form.errorOf(/^URL/)).toBe('expected an http:// or https:// URL')
  await form.field('Slowest accepted').fill('fast')
  await expect.poll(() => form.errorOf('Slowest accepted')).toBe('This field must be a number')
  await form.field('Slowest accepted').fill('5000')

  await form.field(/^Name \(/).fill('journey-front')
  await form.field(/^URL/).fill(target.url)
  await form.button('Try it').click()
  const trial = page.getByRole('region', { name: 'Trial run' })
  await expect(trial.getByText('Passed')).toBeVisible()
  await expect(trial.getByText('200 OK')).toBeVisible()
  await expect(board.row('journey-front')).toHaveCount(0)

  await form.button('Save').click()
  await expect(page).toHaveURL(/\/health\?.*checkId=/)
  // The board is loaded for the first time here.
  await expect(page.getByRole('dialog')).toBeVisible({ timeout: 30_000 })
  await expect(board.row('journey-front').first()).toBeVisible()
  expect(complaints).toEqual([])
  expect(watcher.complaints).toEqual([])
  await leave()
  await watcher.leave()
})

test('YAML keeps comments and unknown keys through the form, marks what does not fit, and survives a reload', async ({
  browser,
  gateway,
}) => {
  const id = await addCheck(gateway.url, 'journey-yaml')
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('editor'), `/settings/canaries/${id}`)
  const form = new CanaryPage(page)
  await form.showYaml()

  await form.writeYaml(`http:\n  # the shop\n  - url: ${target.url}\n    thresholdMillis: slow\n`)
  await expect(form.marks().first()).toBeVisible()
  await form.showForm()
  await expect.poll(() => form.errorOf('Slowest accepted')).toBe('This field must be a number')
  await form.field('Slowest accepted').fill('2000')
  await form.field('Answer contains').fill('all good')
  await form.showYaml()
  await expect(form.marks()).toHaveCount(0)
  await expect(form.yamlLines().filter({ hasText: '# the shop' })).toBeVisible()
  await expect(form.yamlLines().filter({ hasText: 'responseContent' })).toBeVisible()

  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText('Your unsaved changes are back.')).toBeVisible()
  await form.showForm()
  await expect(form.field('Answer contains')).toHaveValue('all good')

  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await form.button('Add label').first().click()
  await form.field('Label 1, name').fill('team')
  await form.field('Label 1, value').fill('web shop')
  await form.button('Save').click()
  await expect(page).toHaveURL(/\/settings\/canaries$/)
  // Over what was just saved: the version that is overwritten is recognized by its labels too.
  await page.goto(`/settings/canaries/${id}`)
  await expect(form.field('Answer contains')).toHaveValue('all good')
  await form.field('Answer contains').fill('good')
  await form.button('Save').click()
  await expect(page).toHaveURL(/\/settings\/canaries$/)
  expect(complaints).toEqual([])
  await leave()
})

test('two writers on one check: the second one sees both versions and overwrites nothing unseen', async ({
  browser,
  gateway,
}) => {
  const id = await addCheck(gateway.url, 'journey-two')
  const first = await openBrowser(browser, gateway)
  const second = await openBrowser(browser, gateway)
  await signIn(first.page, demoPerson('editor'), `/settings/canaries/${id}`)
  await signIn(second.page, demoPerson('admin'), `/settings/canaries/${id}`)
  const mine = new CanaryPage(second.page)
  await mine.field('Slowest accepted').fill('1111')
  const theirs = new CanaryPage(first.page)
  await theirs.field('Slowest accepted').fill('2222')
  await theirs.button('Save').click()
  await expect(first.page).toHaveURL(/\/settings\/canaries$/)

  await mine.button('Save').click()
  const dialog = second.page.getByRole('dialog', { name: / saved this check$/ })
  await expect(dialog.getByText('thresholdMillis: 1111')).toBeVisible()
  await expect(dialog.getByText('thresholdMillis: 2222')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use the saved version' }).click()
  await expect(mine.field('Slowest accepted')).toHaveValue('2222')
  expect(second.complaints).toEqual([])
  await first.leave()
  await second.leave()
})

test('a viewer reads the definition and cannot change it', async ({ browser, gateway }) => {
  const id = await addCheck(gateway.url, 'journey-viewer')
  const { page, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('viewer'), `/settings/canaries/${id}`)
  await expect(page.getByText('Read only')).toBeVisible()
  const form = new CanaryPage(page)
  await expect(form.field(/^URL/)).not.toBeEditable()
  await expect(form.button('Save')).toHaveCount(0)
  await page.goto('/settings/canaries')
  await expect(page.getByRole('button', { name: 'Add check' })).toHaveCount(0)
  const status = await page.evaluate(
    async (path) =>
      (await fetch(path, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"labels":{}}' }))
        .status,
    `/api/db/canaries?id=eq.${id}`,
  )
  expect(status).toBe(403)
  await leave()
})

test('a deleted check leaves the board of others at once', async ({ browser, gateway }) => {
  const id = await addCheck(gateway.url, 'journey-gone')
  const watcher = await openBrowser(browser, gateway)
  await signIn(watcher.page, demoPerson('viewer'))
  const board = new HealthPage(watcher.page)
  await lookFor(board, 'journey-gone')
  await expect(board.row('journey-gone').first()).toBeVisible()

  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await signIn(page, demoPerson('editor'), `/settings/canaries/${id}`)
  await new CanaryPage(page).button('Delete').click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('leaves the board for everyone at once')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('journey-gone deleted successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/settings\/canaries$/)
  await expect(board.row('journey-gone')).toHaveCount(0)
  expect(complaints).toEqual([])
  await leave()
  await watcher.leave()
})
