import { callBackend } from '../fixtures/backend.ts'
import { expect, test } from '../fixtures/test.ts'
import { openResponder, type Responder } from '../fixtures/warRoom.ts'

/** Both type into one title, at its two ends. */
async function typeTogether(ana: Responder, bo: Responder): Promise<void> {
  await ana.room.title.press('Home')
  await bo.room.title.press('End')
  await Promise.all([ana.room.title.pressSequentially('Printed '), bo.room.title.pressSequentially(' in edge-eu')])
  for (const { room } of [ana, bo]) await expect(room.title).toHaveValue('Printed Labels are late in edge-eu')
}

test('two responders edit one incident at once while a viewer watches', async ({ browser, gateway }) => {
  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('Labels are late')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  const viewer = await openResponder(browser, gateway, 'viewer', { path })
  const [anaRoom, boRoom, viewerRoom] = [ana.room, bo.room, viewer.room]

  await typeTogether(ana, bo)
  await expect(viewerRoom.shownTitle).toHaveText('Printed Labels are late in edge-eu')
  await expect(viewerRoom.title).toHaveCount(0)

  // One adds a hypothesis, the other judges it, the viewer sees both.
  for (const room of [anaRoom, boRoom, viewerRoom]) await room.showPlan()
  await ana.page.getByRole('button', { name: 'Add hypothesis' }).click()
  await ana.page.getByRole('textbox', { name: 'Title of the new root' }).fill('The print queue is full')
  await ana.page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(boRoom.hypothesis('The print queue is full')).toBeVisible()
  await bo.page.getByRole('combobox', { name: 'Status of The print queue is full' }).selectOption({ label: 'Proven' })
  for (const room of [anaRoom, viewerRoom])
    await expect(room.hypothesis('The print queue is full')).toHaveAccessibleName(/Proven/)
  await expect(viewer.page.getByRole('button', { name: 'Add hypothesis' })).toHaveCount(0)

  // Mitigating asks for contributing factors first; skipping changes the status for everyone.
  await anaRoom.status.click()
  await ana.page.getByRole('menuitem', { name: /Mitigated/ }).click()
  await expect(ana.page.getByRole('dialog')).toContainText('Add contributing factors to definition of done')
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
  await expect(boRoom.status).toHaveText(/Mitigated/)

  await anaRoom.expectSaved()
  for (const person of [ana, bo, viewer]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('what two responders type into one title at once is saved, and one judges what the other adds', async ({
  browser,
  gateway,
}) => {
  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('Labels are late')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await typeTogether(ana, bo)
  for (const { room } of [ana, bo]) await room.showPlan()
  await ana.room.addHypothesis('The print queue is full')
  await bo.page.getByRole('combobox', { name: 'Status of The print queue is full' }).selectOption({ label: 'Proven' })
  await expect(ana.room.hypothesis('The print queue is full')).toHaveAccessibleName(/Proven/)
  for (const { room } of [ana, bo]) await room.expectSaved()
  const id = path.split('/').at(-1)
  const [stored] = await callBackend<{ title: string; hypotheses: { title: string; status: string }[] }[]>(
    gateway.url,
    `/db/incidents?id=eq.${id}&select=title,hypotheses(title,status)`,
  )
  expect(stored?.title).toBe('Printed Labels are late in edge-eu')
  expect(stored?.hypotheses).toContainEqual({ title: 'The print queue is full', status: 'proven' })
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('what is typed while the gateway is killed is kept and reaches the others when it is back', async ({
  browser,
  ownGateway: gateway,
}) => {
  const ana = await openResponder(browser, gateway, 'responder', { mayLoseConnection: true })
  const path = await ana.room.create('Scanner outage')
  const bo = await openResponder(browser, gateway, 'commander', { path, mayLoseConnection: true })
  const [anaRoom, boRoom] = [ana.room, bo.room]

  await anaRoom.title.press('End')
  await anaRoom.title.pressSequentially(' in hall 3')
  await expect(boRoom.title).toHaveValue('Scanner outage in hall 3')
  await gateway.crash()
  await anaRoom.title.pressSequentially(', lines 1 to 4')
  await boRoom.title.press('Home')
  await boRoom.title.pressSequentially('Major: ')
  await expect(ana.page.getByRole('button', { name: /Disconnected|kept|Connecting|Typing/i }).first()).toBeVisible()

  await gateway.restart()
  for (const room of [anaRoom, boRoom]) {
    await expect(room.title).toHaveValue('Major: Scanner outage in hall 3, lines 1 to 4', { timeout: 40_000 })
    await room.expectSaved()
  }
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
