import type { Page } from 'playwright/test'

import { callBackend, personId } from '../fixtures/backend.ts'
import { DEMO_PASSWORD } from '../fixtures/gateway.ts'
import { isStrict } from '../fixtures/strictBackend.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

test.setTimeout(180_000)

const expectSignIn = (page: Page, returnTo: string): Promise<void> =>
  expect(page).toHaveURL((url) => url.pathname === '/login' && decodeURIComponent(url.href).includes(returnTo), {
    // Nobody tells of it there: a session is asked for once a minute.
    timeout: isStrict() ? 75_000 : 10_000,
  })

test('a person who is switched off leaves every open page, and nothing that was typed is lost', async ({
  browser,
  gateway,
}) => {
  const bo = await openResponder(browser, gateway, 'commander')
  const path = await bo.room.create('Refunds fail')
  const ana = await openResponder(browser, gateway, 'responder', { path, mayLoseConnection: true })
  const board = await openBrowser(browser, gateway, { mayLoseConnection: true })
  await signIn(board.page, { email: 'responder@demo.watchroom.local', password: DEMO_PASSWORD })
  await expect(ana.room.title).toHaveValue('Refunds fail')

  await ana.page.context().setOffline(true)
  await expect(ana.room.pill).toContainText('Disconnected')
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' for every card')
  await expect(ana.room.pill).toContainText('kept')
  const id = await personId(gateway.url, 'responder')
  await callBackend(gateway.url, `/auth/${id}/update_state`, { state: 'inactive' })
  // Nobody touches this page: its socket tells it.
  await expectSignIn(board.page, '/health')
  await ana.page.context().setOffline(false)
  await expectSignIn(ana.page, path)

  await callBackend(gateway.url, `/auth/${id}/update_state`, { state: 'active' })
  await ana.page.getByLabel(/e-?mail/i).fill('responder@demo.watchroom.local')
  await ana.page
    .getByLabel(/password/i)
    .first()
    .fill(DEMO_PASSWORD)
  await ana.page.getByRole('button', { name: /sign in/i }).click()
  await expect(ana.page).toHaveURL((url) => url.pathname === path)
  await expect(ana.room.title).toHaveValue('Refunds fail for every card')
  await expect(bo.room.title).toHaveValue('Refunds fail for every card')
  for (const person of [ana, bo, board]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
