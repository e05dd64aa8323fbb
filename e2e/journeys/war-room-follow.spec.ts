import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

test.setTimeout(120_000)

test('one follows another who agreed to it, and either can end it', async ({ browser, gateway }) => {
  const ana = await openResponder(browser, gateway, 'responder')
  const path = await ana.room.create('Customs link is down')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  const anaAtBo = bo.page.locator('header[data-tone]').getByRole('button', { name: /^Rohan Mehta/ })
  const following = bo.page.getByText('Following Rohan Mehta. Press Esc')
  await ana.room.showPlan()
  await ana.room.addHypothesis('The line is cut')

  // Nobody is followed who did not agree.
  await anaAtBo.click()
  await expect(following).toHaveCount(0)

  await ana.page.getByRole('button', { name: 'Let others follow you' }).click()
  await expect(anaAtBo).toHaveAccessibleName(/can be followed/)
  await bo.page.getByRole('tab', { name: 'Comments' }).click()
  await anaAtBo.click()
  await expect(following).toBeVisible()
  await expect(ana.page.getByText('1 following: Camila Reyes.')).toBeVisible()
  await ana.room.hypothesis('The line is cut').focus()
  await expect(bo.room.hypothesis('The line is cut')).toBeFocused()

  // Where the leader goes, there goes who follows: to another tab, and into a section of the side panel.
  await expect(bo.page.getByRole('tab', { name: /Action Plan.*Rohan Mehta is here/ })).toBeVisible()
  await ana.page.getByRole('tab', { name: 'Comments' }).click()
  await expect(bo.page.getByRole('tab', { name: /Comments.*Rohan Mehta is here/, selected: true })).toBeVisible()
  await ana.page.getByRole('button', { name: 'Definition of done', exact: true }).click()
  await expect(bo.page.getByRole('button', { name: 'Definition of done', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  // It is said for two seconds after a key: there are keys for as long as a busy machine may take to show it.
  const isSaid = expect(bo.page.getByText('Rohan Mehta is writing…')).toBeVisible()
  await ana.page.getByRole('textbox', { name: 'Comment' }).pressSequentially('On my way', { delay: 300 })
  await isSaid
  await expect(following).toBeVisible()

  await bo.page.keyboard.press('Escape')
  await expect(bo.page.getByText('You stopped following Rohan Mehta.')).toBeVisible()
  await expect(following).toHaveCount(0)
  await expect(ana.page.getByText('Others can follow you.')).toBeVisible()

  await anaAtBo.click()
  await expect(following).toBeVisible()
  await ana.page.getByRole('button', { name: 'Stop leading' }).click()
  await expect(bo.page.getByText('Rohan Mehta stopped leading.')).toBeVisible()
  await expect(following).toHaveCount(0)
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
