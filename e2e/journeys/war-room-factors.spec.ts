import { attachEvidence } from '../fixtures/backend.ts'
import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

test.setTimeout(120_000)

test('contributing factors are cancelled, submitted and skipped on the way to resolved', async ({
  browser,
  gateway,
}) => {
  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('Labels are late')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await attachEvidence(gateway.url, path, {
    type: 'comment',
    description: 'The queue is empty again',
    evidence: { comment: 'The queue is empty again' },
  })
  const dialog = ana.page.getByRole('dialog', { name: 'Add contributing factors to definition of done' })
  const ask = async (status: string): Promise<void> => {
    await ana.room.status.click()
    await ana.page.getByRole('menuitem', { name: status }).click()
    await expect(dialog).toBeVisible()
  }
  await expect(ana.page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible()

  await ask('Mitigated')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(ana.room.status).toHaveText(/Open/)

  await ask('Mitigated')
  await expect(dialog.getByText('The queue is empty again')).toBeVisible({ timeout: 20_000 })
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toContainText('Please select atleast one evidence')
  await dialog.getByText('The queue is empty again').click()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(ana.page.getByText('Incident status updated successfully')).toBeVisible()
  await expect(bo.room.status).toHaveText(/Mitigated/)
  await bo.room.openSection('Definition of done')
  await expect(bo.page.getByRole('list', { name: 'Definition of done' })).toContainText('The queue is empty again')

  await ask('Resolved')
  await expect(dialog).toContainText('There are no evidences which are not part of definition of done')
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect(bo.room.status).toHaveText(/Resolved/)
  await ana.room.expectSaved()
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
