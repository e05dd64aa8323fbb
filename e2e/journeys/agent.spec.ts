import { type RunningAgent, startAgent } from '../fixtures/agent.ts'
import { callBackend } from '../fixtures/backend.ts'
import { expectWithin, failedAt } from '../fixtures/checks.ts'
import { type RunningGateway, SCRIPT_HEADERS, startGateway } from '../fixtures/gateway.ts'
import { isStrict } from '../fixtures/strictBackend.ts'
import { startTargetServer, type TargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const OFFLINE_AFTER = '4s'

let gateway: RunningGateway
let target: TargetServer
let agent: RunningAgent | undefined

test.beforeAll(async () => {
  target = await startTargetServer()
  gateway = await startGateway({ profile: 'empty', env: { WATCHROOM_AGENT_OFFLINE_AFTER: OFFLINE_AFTER } })
})
test.afterAll(async () => {
  await agent?.stop()
  await gateway?.stop()
  await target?.stop()
})

test('an agent is created, installed, heard live in two browsers, falls silent, and comes back with all its results', async ({
  browser,
}) => {
  // Two processes are killed and started again, and 200 results take their time to come about.
  test.setTimeout(180_000)
  const here = await openBrowser(browser, gateway)
  const there = await openBrowser(browser, gateway)
  await signIn(here.page, undefined, '/settings/agents')
  await signIn(there.page)

  // Created in the console; the token is shown once, and the dialog waits for the agent.
  await here.page.getByRole('button', { name: 'Create new agent' }).click()
  await expect(here.page).toHaveURL(/addAgent=true/)
  await here.page.getByRole('button', { name: 'Next' }).click()
  await expect(here.page.getByRole('dialog')).toContainText('This field is required')
  await here.page.getByRole('dialog').getByLabel('Name').fill('edge-north')
  await here.page.getByRole('button', { name: 'Next' }).click()
  const instructions = here.page.getByRole('dialog', { name: 'Installation Instructions' })
  await expect(instructions).toContainText('Waiting for the first push')
  await expect(instructions).toContainText('helm install mc-agent flanksource/mission-control-agent')
  const token = (await instructions.locator('code').first().textContent()) ?? ''
  expect(here.page.url()).not.toContain(token)

  agent = await startAgent({
    upstream: gateway.url,
    token,
    canaries: {
      name: 'edge shop',
      namespace: 'edge',
      spec: {
        interval: 1,
        http: [{ name: 'shop front', url: target.url }],
        tcp: Array.from({ length: 24 }, (_, at) => ({ name: `port ${at}`, endpoint: new URL(target.url).host })),
      },
    },
  })
  await expect(instructions).toContainText('the first push has arrived')
  await instructions.getByRole('button', { name: 'Close' }).last().click()
  const row = here.page.getByRole('row').filter({ hasText: 'edge-north' })
  await expect(row).toContainText('Online')

  // Its checks are on both boards at once.
  const boards = [new HealthPage(here.page), new HealthPage(there.page)]
  await here.page.goto('/health')
  for (const board of boards) {
    await board.expectLive()
    await board.showEverything()
    await board.page.getByPlaceholder('Search by name, description, or endpoint').fill('shop front')
    await expect(board.row('shop front')).toContainText('Healthy')
  }
  // Nobody tells of a change there: the board is read every 5 s.
  await expectWithin(isStrict() ? 8_000 : 3_000, async () => {
    await target.goDown()
    for (const board of boards) await expect(board.row('shop front')).toContainText('Unhealthy')
    const shownAt = Date.now()
    const delayMs = shownAt - (await failedAt(gateway.url, 'shop front'))
    test.info().annotations.push({ type: 'measured', description: `failed run to both boards: ${delayMs} ms` })
    await target.comeBack()
    for (const board of boards) await expect(board.row('shop front')).toContainText('Healthy')
    return delayMs
  })

  // Silent: nobody claims to know how the checks are, and the agents page says so as well.
  await agent.crash()
  await Promise.all(
    boards.map((board) =>
      expect(board.row('shop front')).toContainText(/unknown since \d\d:\d\d/i, { timeout: 15_000 }),
    ),
  )
  await here.page.goto('/settings/agents')
  await expect(row).toContainText('Offline')

  // Heard again, then cut off from the console while it works on: 200 results wait on its disk.
  await agent.restart()
  await expect(row).toContainText('Online')
  await gateway.crash()
  const before = (await agent.keptResults()).length
  await expect
    .poll(async () => ((await agent?.keptResults()) ?? []).length - before, { timeout: 40_000 })
    .toBeGreaterThanOrEqual(200)
  const kept = await agent.keptResults()
  await agent.crash()
  await gateway.restart()
  await agent.restart()

  const stored = async (): Promise<string[]> => {
    const headers = SCRIPT_HEADERS
    const read = async <Row>(path: string): Promise<Row[]> =>
      (await (await fetch(`${gateway.url}/api/db/${path}`, { headers })).json()) as Row[]
    const ids = [...new Set(kept.map((key) => key.split(' ')[0]))].join(',')
    const rows: { check_id: string; time: string }[] = []
    for (;;) {
      const page = await read<{ check_id: string; time: string }>(
        `check_statuses?check_id=in.(${ids})&select=check_id,time&order=time,check_id&limit=1000&offset=${rows.length}`,
      )
      rows.push(...page)
      if (page.length < 1_000) break
    }
    return rows.map(({ check_id: id, time }) => `${id} ${new Date(time).toISOString()}`)
  }
  await expect
    .poll(
      async () => {
        const found = new Set(await stored())
        return kept.filter((key) => !found.has(key)).length
      },
      { timeout: 30_000 },
    )
    .toBe(0)
  const all = await stored()
  expect(new Set(all).size).toBe(all.length)
  await here.leave()
  await there.leave()
})

test('an agent is opened by its name and deleted in two steps', async ({ browser }) => {
  await callBackend(gateway.url, '/agent/generate', { name: 'someone else' })
  const { page, leave } = await openBrowser(browser, gateway)
  await signIn(page, undefined, '/settings/agents')
  await page.getByRole('link', { name: 'someone else' }).click()
  await expect(page).toHaveURL(/[?&]id=[0-9a-f-]{36}/)
  await expect(page.getByRole('dialog')).toContainText('someone else')
  // Two steps: what becomes of its resources, then whether really.
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Yes', { exact: true }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Agent deleted')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'someone else' })).toHaveCount(0)
  await leave()
})
