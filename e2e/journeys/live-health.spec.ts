import { expectWithin, failedAt } from '../fixtures/checks.ts'
import { isStrict } from '../fixtures/strictBackend.ts'
import { expect, openBrowser, type Person, signIn, test } from '../fixtures/test.ts'
import { WATCHED_CHECK } from '../fixtures/watchedServer.ts'
import { HealthPage } from '../pages/HealthPage.ts'

async function watchBoard(person: Person): Promise<HealthPage> {
  await signIn(person.page)
  const board = new HealthPage(person.page)
  await board.showEverything()
  await board.expectLive()
  await expect(board.row(WATCHED_CHECK)).toContainText(/healthy/i)
  // The last results of the rows on screen are asked for once, a moment after the rows themselves.
  await expect(board.row(WATCHED_CHECK).getByRole('img', { name: /^Last .*results?: / })).toBeAttached()
  return board
}

test('two people see a server fail and recover at once, without a reload and without asking', async ({
  browser,
  watched: { gateway, target },
}) => {
  const ana = await openBrowser(browser, gateway)
  const bo = await openBrowser(browser, gateway)
  const boards = [await watchBoard(ana), await watchBoard(bo)]
  const loads: string[] = []
  const requests: string[] = []
  const checkId = (await boards[0]?.row(WATCHED_CHECK).getAttribute('data-line')) ?? ''
  expect(checkId).not.toBe('')
  for (const { page } of [ana, bo]) {
    page.on('load', () => loads.push(page.url()))
    page.on('request', (request) => {
      // The icon in the tab shows the number of failures; it is a picture of ours, not a question to the gateway.
      if (request.url().endsWith('/favicon.svg')) return
      // Parts of the page that may be wanted later come by themselves; they ask nothing about checks.
      if (request.resourceType() === 'script' || request.resourceType() === 'stylesheet') return
      // Other rows may come on screen for the first time and ask for their last results, once; this one has its own.
      if (request.url().includes('check_statuses') && !request.url().includes(checkId)) return
      requests.push(`${request.method()} ${request.url()}`)
    })
  }

  // Nobody tells of a change there: the board is read every 5 s.
  await expectWithin(isStrict() ? 8_000 : 2_000, async () => {
    await target.goDown()
    for (const board of boards) await expect(board.row(WATCHED_CHECK)).toContainText(/unhealthy/i)
    const seenAt = Date.now()
    const delayMs = seenAt - (await failedAt(gateway.url, WATCHED_CHECK))
    await target.comeBack()
    for (const board of boards) await expect(board.row(WATCHED_CHECK)).not.toContainText(/unhealthy/i)
    return delayMs
  })

  expect(loads).toEqual([])
  expect(requests).toEqual([])
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})

test('a killed gateway is said on the data, and both resume by themselves when it is back', async ({
  browser,
  watched: { gateway, target },
}) => {
  const ana = await openBrowser(browser, gateway, { mayLoseConnection: true })
  const bo = await openBrowser(browser, gateway, { mayLoseConnection: true })
  const boards = [await watchBoard(ana), await watchBoard(bo)]

  await gateway.crash()
  for (const board of boards) {
    await expect(board.freshness).toHaveText(/Disconnected|Data from/)
    await expect(board.row(WATCHED_CHECK)).toBeVisible()
  }
  await target.goDown()

  await gateway.restart()
  for (const board of boards) {
    await expect(board.freshness).toHaveText(/^Live/, { timeout: 30_000 })
    await expect(board.row(WATCHED_CHECK)).toContainText(/unhealthy/i)
  }
  await target.comeBack()
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
