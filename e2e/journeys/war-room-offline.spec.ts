import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

test.setTimeout(120_000)

/** Runs in the page: what it loaded and would not find without a network. */
async function missingFromKeptPage(): Promise<string[]> {
  const cache = await caches.open('watchroom-page')
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const answers = new Set(['/api/auth/whoami', '/api/properties', '/api/db/people_roles', '/api/db/people'])
  const isNeeded = ({ pathname, search }: URL): boolean =>
    pathname.startsWith('/assets/') || answers.has(pathname) || (pathname + search).startsWith('/api/db/incidents?id=')
  return [`${location.origin}/incidents/`, ...loaded.filter((url) => isNeeded(new URL(url)))].filter(
    (url) => !kept.has(url),
  )
}

test('edits without a network are kept and merge on return', async ({ browser, gateway }) => {
  const ana = await openResponder(browser, gateway, 'responder', { mayLoseConnection: true })
  const path = await ana.room.create('Scanner outage')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await ana.page.context().setOffline(true)
  await expect(ana.room.pill).toContainText('Disconnected')
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' in hall 3')
  await bo.room.title.press('Home')
  await bo.room.title.pressSequentially('Major: ')
  await expect(ana.room.title).toHaveValue('Scanner outage in hall 3')
  await expect(ana.room.pill).toContainText('kept')
  await ana.page.context().setOffline(false)
  for (const { room } of [ana, bo]) {
    await expect(room.title).toHaveValue('Major: Scanner outage in hall 3', { timeout: 30_000 })
    await room.expectSaved()
  }
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('edits survive a reload while the document cannot be reached, and a half-written comment with them', async ({
  browser,
  gateway,
}) => {
  const ana = await openResponder(browser, gateway, 'responder', { mayLoseConnection: true })
  let isReachable = true
  const blocked: { close: () => Promise<void> }[] = []
  await ana.page.context().routeWebSocket(/\/collab\//, (socket) => {
    if (isReachable) {
      socket.connectToServer()
      blocked.push(socket)
    } else void socket.close({ code: 4503 })
  })
  const path = await ana.room.create('Printer outage')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' in hall 1')
  await expect(bo.room.title).toHaveValue('Printer outage in hall 1')

  isReachable = false
  await Promise.all(blocked.map((socket) => socket.close()))
  await expect(ana.room.pill).toContainText('Disconnected')
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(', line 4')
  await ana.page.getByRole('textbox', { name: 'Comment' }).fill('Paper is load')
  await expect(ana.room.pill).toContainText('kept')
  // What is kept is written a moment after it is typed.
  const databases = () => ana.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
  await expect.poll(databases).toContainEqual(expect.stringMatching(/^watchroom-document/))
  await ana.page.getByRole('tab', { name: 'Action Plan' }).click()
  await ana.page.reload()
  await expect(ana.room.title).toHaveValue('Printer outage in hall 1, line 4', { timeout: 30_000 })
  await expect(ana.room.pill).toContainText('kept')
  await bo.room.title.press('Home')
  await bo.room.title.pressSequentially('Major: ')

  isReachable = true
  for (const { room } of [ana, bo]) {
    await expect(room.title).toHaveValue('Major: Printer outage in hall 1, line 4', { timeout: 60_000 })
    await room.expectSaved()
  }
  await ana.page.getByRole('tab', { name: 'Comments' }).click()
  await expect(ana.page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Paper is load')
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('an open incident is there after a reload without any network, and takes edits', async ({ browser, gateway }) => {
  const ana = await openResponder(browser, gateway, 'responder', { mayLoseConnection: true })
  const path = await ana.room.create('Conveyor outage')
  const bo = await openResponder(browser, gateway, 'commander', { path })
  await ana.room.expectSaved()
  // The page keeps itself a moment after it was opened; a predicate of `waitForFunction` that is a promise counts as true.
  await expect.poll(() => ana.page.evaluate(missingFromKeptPage)).toEqual([])
  await ana.page.context().setOffline(true)
  await ana.page.reload()
  await expect(ana.room.title).toHaveValue('Conveyor outage', { timeout: 30_000 })
  await expect(ana.room.pill).toContainText('Disconnected')
  await ana.room.title.press('End')
  await ana.room.title.pressSequentially(' in hall 2')
  await expect(ana.room.pill).toContainText('kept')
  await ana.page.context().setOffline(false)
  for (const { room } of [ana, bo]) {
    await expect(room.title).toHaveValue('Conveyor outage in hall 2', { timeout: 60_000 })
    await room.expectSaved()
  }
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
