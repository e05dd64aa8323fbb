import { callBackend } from '../fixtures/backend.ts'
import { createCanary } from '../fixtures/checks.ts'
import { type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, type Person, signIn, test } from '../fixtures/test.ts'
import { CheckPanel } from '../pages/CheckPanel.ts'

const CHECK = 'parcel labels'
/** Far enough apart that every result in the journey is one that someone asked for. */
const RARELY_S = 3_600

let gateway: RunningGateway
let target: TargetServer
let checkId: string

const call = <Answer = { id: string }[]>(path: string, body?: unknown): Promise<Answer> =>
  callBackend<Answer>(gateway.url, path, body)

const runOnce = (): Promise<unknown> => call(`/canary/run/check/${checkId}`, {})

test.beforeAll(async () => {
  gateway = await startGateway({ profile: 'empty' })
  target = await startTargetServer()
  const canaryId = await createCanary(gateway.url, {
    name: 'labels',
    namespace: 'journeys',
    spec: { interval: RARELY_S, http: [{ name: CHECK, url: target.url, responseCodes: [200] }] },
  })
  await expect
    .poll(async () => {
      const [row] = await call<{ id: string; last_runtime: string | null }[]>(
        `/db/checks?name=eq.${encodeURIComponent(CHECK)}&select=id,last_runtime`,
      )
      checkId = row?.id ?? ''
      return row?.last_runtime ?? null
    })
    .not.toBeNull()
  // A failure between two passes, so that every filter has something to take away.
  await target.goDown()
  await runOnce()
  await target.comeBack()
  await runOnce()

  const [component] = await call('/db/components', {
    name: 'Label printing',
    external_id: 'labels',
    status: 'healthy',
  })
  const [config] = await call('/db/config_items', { name: 'printer-7', type: 'Printer', config_class: 'Printer' })
  await call('/db/check_component_relationships', {
    component_id: component?.id,
    check_id: checkId,
    canary_id: canaryId,
    selector_id: 'journey',
  })
  await call('/db/check_config_relationships', {
    config_id: config?.id,
    check_id: checkId,
    canary_id: canaryId,
    selector_id: 'journey',
  })
})

// Two browsers, each with a check's whole panel, on a machine that may be busy.
test.describe.configure({ timeout: 180_000 })

test.afterAll(async () => {
  await target?.stop()
  await gateway?.stop()
})

async function openPanel(person: Person, search = ''): Promise<CheckPanel> {
  await signIn(person.page)
  await person.page.goto(`/health?checkId=${checkId}${search}`)
  const panel = new CheckPanel(person.page)
  await expect(panel.dialog).toContainText(CHECK)
  return panel
}

test('someone looks into a check: range, history, definition, relations, and back to the board', async ({
  browser,
}) => {
  const ana = await openBrowser(browser, gateway, { viewport: { width: 1440, height: 900 } })
  const panel = await openPanel(ana)
  await expect(panel.dialog).toContainText('journeys')
  await expect(panel.metric('Uptime')).toContainText('66.66%')
  await expect(panel.metric('Uptime')).toContainText('2 passed, 1 failed')
  await expect(panel.results).toHaveCount(3)

  // By keys: the cross-hair reads points; a selection from the first to the last becomes the range.
  await panel.chart.focus()
  await ana.page.keyboard.press('End')
  await expect(panel.chart).toHaveAttribute('aria-valuetext', /passed|failed/)
  await ana.page.keyboard.press('Escape')
  await expect(panel.dialog).toBeVisible()

  // By pointer: drag over the right half.
  const box = await panel.chart.boundingBox()
  if (box === null) throw new Error('the chart has no place')
  await ana.page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.4)
  await ana.page.mouse.down()
  await ana.page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.4, { steps: 5 })
  await ana.page.mouse.up()
  await expect.poll(() => panel.search().get('rangeType')).toBe('absolute')
  await expect(panel.dialog).toContainText('No data available')
  const from = Date.parse(panel.search().get('from') ?? '')
  const to = Date.parse(panel.search().get('to') ?? '')
  // Three tenths of an hour, give or take what the axis takes from the picture.
  expect((to - from) / 60_000).toBeGreaterThan(15)
  expect((to - from) / 60_000).toBeLessThan(22)
  await ana.page.goBack()
  await expect(panel.results).toHaveCount(3)

  await panel.dialog.getByLabel('Status').selectOption('Unhealthy')
  await expect(panel.results).toHaveCount(1)
  await expect(panel.results).toContainText('Failed')
  await panel.dialog.getByLabel('Status').selectOption('All')
  await panel.dialog.getByLabel('Duration').selectOption('Custom…')
  await panel.dialog.getByLabel('At least').fill('2 minutes')
  await ana.page.keyboard.press('Enter')
  await expect(panel.dialog.getByLabel('At least')).toHaveAccessibleDescription(
    /duration is allowed only in milli seconds & seconds/,
  )
  await expect(panel.results).toHaveCount(3)
  await panel.dialog.getByLabel('At least').fill('30s')
  await ana.page.keyboard.press('Enter')
  await expect(panel.dialog).toContainText('No result in this time range matches the filters.')
  await panel.dialog.getByRole('button', { name: 'Clear filters' }).click()
  await expect(panel.results).toHaveCount(3)

  await panel.openTab('Spec')
  await expect(panel.dialog.getByRole('region', { name: 'Specification' })).toContainText('responseCodes')
  await expect(panel.dialog.getByRole('region', { name: 'Specification' }).locator('.line-numbers').first()).toHaveText(
    '1',
  )
  await expect(panel.dialog.getByRole('region', { name: 'Specification' })).toContainText(String(RARELY_S))

  await panel.openTab('Relationships 2')
  await expect(panel.dialog.getByRole('table', { name: 'Relationships' })).toContainText('Label printing')
  await expect(panel.dialog.getByRole('link', { name: 'printer-7' })).toHaveAttribute('href', /^\/catalog\//)
  await ana.page.reload()
  await expect(panel.dialog.getByRole('table', { name: 'Relationships' })).toContainText('printer-7')

  await panel.dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(panel.dialog).toBeHidden()
  expect(new URL(ana.page.url()).search).toBe('')

  await ana.page.goBack()
  await panel.dialog.getByRole('row', { name: /Label printing/ }).click()
  await expect(ana.page).toHaveURL(/\/topology\//)
  expect(ana.complaints).toEqual([])
  await ana.leave()
})

test('a run asked for by one person shows up at the other by itself', async ({ browser }) => {
  const ana = await openBrowser(browser, gateway)
  const bo = await openBrowser(browser, gateway)
  const [hers, his] = [await openPanel(ana), await openPanel(bo)]
  await expect(his.results.first()).toBeVisible()
  const before = await his.results.count()
  const loads: string[] = []
  bo.page.on('load', () => loads.push(bo.page.url()))

  await target.goDown()
  await hers.dialog.getByRole('button', { name: 'Run Now' }).click()
  await expect(hers.outcome).toContainText(/^Failed in \d+(\.\d)?ms: .+/)

  await expect(his.results).toHaveCount(before + 1)
  await expect(his.results.first()).toContainText('Failed')
  await expect(his.notices).toContainText('Failing')
  await expect(his.metric('Uptime')).toContainText('2 failed')
  expect(loads).toEqual([])

  await target.comeBack()
  await hers.dialog.getByRole('button', { name: 'Run Now' }).click()
  await expect(hers.outcome).toContainText(/^Passed/)
  await expect(his.notices).toHaveCount(0)
  await expect(his.dialog.locator('h2').locator('..')).toContainText('Healthy')
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
