import { createCanary } from '../fixtures/checks.ts'
import { type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

let gateway: RunningGateway
let target: TargetServer

test.beforeAll(async () => {
  gateway = await startGateway({ profile: 'empty' })
  target = await startTargetServer()
  const http = (name: string, labels: Record<string, string>) => ({
    name,
    url: target.url,
    responseCodes: [200],
    labels,
  })
  await createCanary(gateway.url, {
    name: 'shop',
    namespace: 'east',
    spec: {
      interval: 1,
      http: [http('card payments', { team: 'pay', critical: 'true' }), http('parcel quotes', { team: 'ship' })],
    },
  })
  await createCanary(gateway.url, {
    name: 'letters',
    namespace: 'west',
    spec: { interval: 1, http: [http('letter box', { team: 'ship' })] },
  })
})

test.afterAll(async () => {
  await target?.stop()
  await gateway?.stop()
})

test('a person narrows the board by labels and tabs, shares the link, and it shows the same to others, live', async ({
  browser,
}) => {
  const ana = await openBrowser(browser, gateway, { viewport: { width: 1440, height: 900 } })
  await signIn(ana.page)
  const board = new HealthPage(ana.page)
  await expect(board.chip('Hide passing')).toBeVisible()
  await board.showEverything()
  await expect(board.chip('Hide passing')).toHaveCount(0)
  await ana.page.getByLabel('Group By').selectOption('no-group')
  await expect(board.row('card payments')).toContainText('Healthy')

  // Labels: include one team, then exclude it.
  await ana.page.getByRole('button', { name: /^team/ }).click()
  await board.toggle('team: pay', 'Include').check()
  await expect(board.row('letter box')).toHaveCount(0)
  await expect(board.row('card payments')).toBeVisible()
  expect(board.labelFilter()).toEqual({ 'canary:team:pay': 1 })
  await board.toggle('team: pay', 'Exclude').check()
  await expect(board.row('card payments')).toHaveCount(0)
  await expect(board.chip('!team: pay')).toBeVisible()
  await expect(board.row('letter box')).toBeVisible()

  // One tab of them, as cards, and a reload keeps all of it.
  await ana.page.getByRole('tab', { name: /^west/ }).click()
  await expect(board.row('parcel quotes')).toHaveCount(0)
  await ana.page.getByRole('button', { name: 'Cards' }).click()
  await expect(board.card('letter box')).toContainText('Healthy')
  await ana.page.reload()
  await expect(board.card('letter box')).toContainText('Healthy')
  await expect(board.card('parcel quotes')).toHaveCount(0)
  await expect(ana.page.getByRole('tab', { name: /^west/ })).toHaveAttribute('aria-selected', 'true')
  expect(board.labelFilter()).toEqual({ 'canary:team:pay': -1 })

  // A second person opens the link.
  const bo = await openBrowser(browser, gateway, { viewport: { width: 1440, height: 900 } })
  await signIn(bo.page)
  await bo.page.goto(ana.page.url())
  const shared = new HealthPage(bo.page)
  await expect(shared.card('letter box')).toContainText('Healthy')
  await target.goDown()
  for (const seen of [board, shared]) await expect(seen.card('letter box')).toContainText('Unhealthy')
  await target.comeBack()
  for (const seen of [board, shared]) await expect(seen.card('letter box')).not.toContainText('Unhealthy')

  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('a link can turn the values of a label into columns', async ({ browser }) => {
  const ana = await openBrowser(browser, gateway, { viewport: { width: 1440, height: 900 } })
  await signIn(ana.page)
  await ana.page.goto(
    '/health?hidePassing=false&groupBy=canary_name&pivotBy=labels&pivotLabel=team&pivotCellType=status&sortBy=moon',
  )
  const board = new HealthPage(ana.page)
  await expect(board.grid.getByRole('columnheader')).toHaveText(['Checks', 'All', 'pay', 'ship', 'Other'])
  await expect(board.row('shop').getByRole('gridcell')).toHaveText(['Healthy2 of 2', 'Healthy', 'Healthy', ''])
  await ana.page.getByRole('button', { name: 'Pivot' }).click()
  await ana.page.getByLabel('Columns from').selectOption('namespace')
  await expect(board.grid.getByRole('columnheader', { name: 'west' })).toBeVisible()
  await ana.page.reload()
  await expect(board.grid.getByRole('columnheader', { name: 'west' })).toBeVisible()
  expect(ana.complaints).toEqual([])
  await ana.leave()
})

test('on a phone the filters come over the board and count themselves', async ({ browser }) => {
  const ana = await openBrowser(browser, gateway, { viewport: { width: 390, height: 844 } })
  await signIn(ana.page)
  const filters = ana.page.getByRole('button', { name: /^Filters/ })
  await expect(filters).toHaveText(/1/)
  await filters.click()
  const drawer = ana.page.getByRole('dialog', { name: 'Filters' })
  await drawer.getByRole('checkbox', { name: 'Hide Passing' }).press('Space')
  await drawer.getByLabel('Group By').selectOption('no-group')
  await drawer.getByRole('radiogroup', { name: 'critical' }).getByRole('radio', { name: 'Include' }).check()
  await drawer.getByRole('button', { name: 'Show checks' }).click()
  const board = new HealthPage(ana.page)
  await expect(board.row('card payments')).toBeVisible()
  await expect(board.row('letter box')).toHaveCount(0)
  const isWiderThanTheScreen = await ana.page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  expect(isWiderThanTheScreen).toBe(false)
  expect(ana.complaints).toEqual([])
  await ana.leave()
})
