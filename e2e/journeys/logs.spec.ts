import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Locator, Page } from 'playwright/test'

import { callBackend } from '../fixtures/backend.ts'
import type { RunningGateway } from '../fixtures/gateway.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { linkToIncident, openResponder } from '../fixtures/warRoom.ts'

/** A component whose log is a file of the data directory. Returns its id, and the file. */
async function createService(gateway: RunningGateway): Promise<{ id: string; file: string }> {
  const id = randomUUID()
  const folder = join(gateway.dataDirectory, 'logs')
  await mkdir(folder, { recursive: true })
  await callBackend(gateway.url, '/db/logging_backends', {
    name: 'journey',
    source: 'UI',
    spec: { backends: [{ file: { path: ['journey.log'], routes: [{ type: 'Journey' }] } }] },
  })
  // Of no topology: one that brings nothing would take it away when it is synced.
  await callBackend(gateway.url, '/db/components', {
    id,
    name: 'Journey service',
    external_id: 'journey',
    type: 'Journey',
    status: 'healthy',
    log_selectors: [{ name: 'output', type: 'Journey' }],
  })
  return { id, file: join(folder, 'journey.log') }
}

/** A program that writes a line for each word it is told. */
function startProgram(file: string): ChildProcess {
  const script = 'while read -r word; do echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) the journey says $word" >> "$0"; done'
  return spawn('sh', ['-c', script, file], { stdio: ['pipe', 'inherit', 'inherit'] })
}

const lines = (page: Page): Locator => page.getByLabel('Logs of Journey service: lines')

test('two people follow what a program writes; one pauses, and lines that one marks are evidence for the other', async ({
  browser,
  gateway,
}) => {
  const { id, file } = await createService(gateway)
  const program = startProgram(file)
  const say = (...words: string[]): void => void program.stdin?.write(`${words.join('\n')}\n`)
  say('one', 'two')

  const ana = await openResponder(browser, gateway, 'responder')
  const incident = await ana.room.create('The journey says too much')
  const bo = await openResponder(browser, gateway, 'editor')
  const address = `/logs?topologyId=${id}`
  await Promise.all([ana, bo].map(({ page }) => page.goto(address)))
  for (const { page } of [ana, bo]) {
    await expect(page.getByLabel('Selector')).toHaveValue('output')
    await expect(lines(page).getByText('says two')).toBeVisible()
  }

  say('three')
  for (const { page } of [ana, bo]) await expect(lines(page).getByText('says three')).toBeInViewport()

  await bo.page.getByRole('button', { name: 'Pause' }).click()
  say('four', 'five')
  await expect(lines(ana.page).getByText('says five')).toBeInViewport()
  await expect(bo.page.getByRole('button', { name: '2 new lines' })).toBeVisible()
  await expect(lines(bo.page).getByText('says four')).toHaveCount(0)
  await bo.page.getByRole('button', { name: '2 new lines' }).click()
  await expect(lines(bo.page).getByText('says five')).toBeInViewport()

  await ana.page.getByLabel('Search logs').fill('says four')
  await expect(lines(ana.page).locator('li')).toHaveCount(1)
  // By keys alone: to the lines, the first one marked, and what stands around it.
  await tabTo(ana.page, lines(ana.page))
  await ana.page.keyboard.press('j')
  await expect(ana.page.getByRole('button', { name: 'Show in context' })).toBeVisible()
  await ana.page.keyboard.press('v')
  await expect(lines(ana.page).getByText('says five')).toBeVisible()
  await expect(lines(ana.page).locator('li[data-marked]')).toContainText('says four')

  await bo.page.goto(incident)
  await bo.room.expectOpen()
  await bo.room.showPlan()
  await linkToIncident(ana.page, 'Attach as Evidence', 'The journey says too much')

  // The incident of the other has the lines at once, and they lead back to where they stand.
  await bo.page.getByRole('button', { name: 'Expand All' }).click()
  await expect(
    bo.page
      .getByLabel(/^Log lines/)
      .getByText('says four')
      .first(),
  ).toBeVisible()
  await bo.page.getByRole('button', { name: 'View Logs' }).click()
  await expect(lines(bo.page).locator('li[data-marked]')).toContainText('says four')
  await expect(lines(bo.page).getByText('says five')).toBeVisible()

  program.stdin?.end()
  for (const person of [ana, bo]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
