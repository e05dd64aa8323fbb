import { attachEvidence, callBackend } from '../fixtures/backend.ts'
import { createCanary } from '../fixtures/checks.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

let target: TargetServer

test.beforeAll(async () => {
  target = await startTargetServer()
})
test.afterAll(async () => {
  await target?.stop()
})
test.setTimeout(120_000)

test('the definition of done turns true when a real check recovers and stays so', async ({ browser, gateway }) => {
  await target.goDown()
  const url = target.url
  await createCanary(gateway.url, {
    name: 'shop',
    namespace: 'e2e',
    spec: { schedule: '@every 2s', http: [{ name: 'shop front', url, responseCodes: [200] }] },
  })
  await expect
    .poll(
      async () =>
        (await callBackend<{ status: string }[]>(gateway.url, '/db/checks?select=status&name=eq.shop%20front'))[0]
          ?.status,
      { timeout: 30_000 },
    )
    .toBe('unhealthy')
  const [check] = await callBackend<{ id: string }[]>(gateway.url, '/db/checks?select=id&name=eq.shop%20front')

  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('The shop is down')
  await attachEvidence(gateway.url, path, {
    type: 'check',
    description: 'The shop answers',
    check_id: check?.id ?? '',
    evidence: { check_id: check?.id, includeMessages: true },
    definition_of_done: true,
    script: "check.status == 'healthy' && check.age > duration('4s')",
  })
  await attachEvidence(gateway.url, path, {
    type: 'comment',
    description: 'Customers were told',
    evidence: { comment: 'Customers were told' },
    definition_of_done: true,
  })
  await ana.room.openSection('Definition of done')
  const list = ana.page.getByRole('list', { name: 'Definition of done' })
  const item = list.locator('[data-evidence]', { hasText: 'shop front' })
  await expect(item.getByRole('list', { name: 'Conditions' }).getByRole('listitem').first()).toHaveAttribute(
    'data-holds',
    'false',
    { timeout: 30_000 },
  )
  await expect(item).toContainText('Not done')
  await expect(item.getByRole('button', { name: 'Mark as done' })).toHaveCount(0)

  await target.comeBack()
  await expect(item.getByRole('list', { name: 'Conditions' }).getByRole('listitem').first()).toHaveAttribute(
    'data-holds',
    'true',
    { timeout: 30_000 },
  )
  await expect(item.locator('[data-status]').first()).toHaveText('Done', { timeout: 30_000 })
  await expect(item).toContainText('Done by the evaluation')
  await expect(ana.page.getByText('1 of 2 done')).toBeVisible()

  // What no script decides a person ticks.
  const manual = list.locator('[data-evidence]', { hasText: 'Customers were told' })
  await manual.getByRole('button', { name: 'Mark as done' }).click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Mark as done' }).click()
  await expect(ana.page.getByText('2 of 2 done')).toBeVisible()
  await ana.room.expectSaved()
  expect(ana.complaints).toEqual([])
  await ana.leave()
})
