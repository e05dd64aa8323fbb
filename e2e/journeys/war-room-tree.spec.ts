import { expect, test } from '../fixtures/test.ts'
import { openResponder, type Responder } from '../fixtures/warRoom.ts'

test.setTimeout(120_000)

const everyone = async (people: readonly Responder[], act: (person: Responder) => Promise<unknown>): Promise<void> => {
  await Promise.all(people.map(act))
}

test('two people move the tree at once and it never closes to a ring; a viewer watches and cannot touch it', async ({
  browser,
  gateway,
}) => {
  const ana = await openResponder(browser, gateway, 'responder', { mayLoseConnection: true })
  const path = await ana.room.create('Labels are late')
  const bo = await openResponder(browser, gateway, 'commander', { path, mayLoseConnection: true })
  const vera = await openResponder(browser, gateway, 'viewer', { path })
  const all = [ana, bo, vera]
  await everyone(all, ({ room }) => room.showPlan())
  await ana.room.addHypothesis('Queue is full')
  await ana.room.addHypothesis('Printer is offline')
  await everyone(all, async ({ room }) => {
    await expect.poll(() => room.outline()).toEqual(['Labels are late', 'Queue is full', 'Printer is offline'])
  })

  // Each puts one below the other without knowing of the other's move.
  await everyone([ana, bo], ({ page }) => page.context().setOffline(true))
  await everyone([ana, bo], ({ room }) => expect(room.pill).toContainText('Disconnected'))
  await ana.room.order('Printer is offline', 'Indent')
  await expect.poll(() => ana.room.outline()).toEqual(['Labels are late', 'Queue is full', '.Printer is offline'])
  await bo.room.order('Printer is offline', 'Move up')
  await bo.room.order('Queue is full', 'Indent')
  await expect.poll(() => bo.room.outline()).toEqual(['Labels are late', 'Printer is offline', '.Queue is full'])
  await everyone([ana, bo], ({ page }) => page.context().setOffline(false))
  await everyone([ana, bo], ({ room }) => room.expectSaved())

  // Whoever wins, everyone sees the same three, one of the two below the other.
  await expect
    .poll(async () => new Set(await Promise.all(all.map(async ({ room }) => (await room.outline()).join('|')))).size, {
      timeout: 20_000,
    })
    .toBe(1)
  const outline = await vera.room.outline()
  expect(outline.map((line) => line.replace(/^\.+/, '')).toSorted()).toEqual([
    'Labels are late',
    'Printer is offline',
    'Queue is full',
  ])
  expect(outline.filter((line) => line.startsWith('.'))).toHaveLength(1)

  await expect(vera.page.getByRole('button', { name: /^Actions of/ })).toHaveCount(0)
  await expect(vera.page.getByRole('button', { name: 'Add hypothesis' })).toHaveCount(0)
  await expect(vera.page.getByRole('combobox', { name: 'Status of Queue is full' })).toHaveCount(0)
  await vera.room.hypothesis('Queue is full').focus()
  await vera.page.keyboard.press('Delete')
  await expect(vera.page.getByRole('dialog')).toHaveCount(0)
  for (const person of all) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('what one types into a hypothesis that the other deletes comes back with it', async ({ browser, gateway }) => {
  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('Scanner outage')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await everyone([ana, bo], ({ room }) => room.showPlan())
  await ana.room.addHypothesis('Firmware')
  await expect(bo.room.hypothesis('Firmware')).toBeVisible()

  // The caret of the one is seen in the field of the other.
  await everyone([ana, bo], ({ room }) => room.order('Firmware', 'Edit title'))
  await bo.page.getByRole('textbox', { name: 'Title', exact: true }).press('End')
  await bo.page.keyboard.type(' 4.2')
  await expect(ana.page.locator('.collab-caret-name')).toHaveText('Camila Reyes')
  await expect(ana.page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Firmware 4.2')
  await ana.page.keyboard.press('Escape')

  await ana.room.order('Firmware 4.2', 'Delete…')
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await bo.page.keyboard.type(' of hall 3').catch(() => undefined)
  await expect(bo.room.hypothesis('Firmware')).toHaveCount(0)
  await ana.page.getByText('Removed (1)').click()
  await ana.page.getByRole('button', { name: /^Restore Firmware 4\.2/ }).click()
  await everyone([ana, bo], ({ room }) => expect(room.hypothesis('Firmware 4.2')).toBeVisible())
  await ana.room.expectSaved()
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
