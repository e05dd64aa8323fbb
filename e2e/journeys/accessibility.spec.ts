import { randomUUID } from 'node:crypto'

import type { Browser, Page } from 'playwright/test'

import { isTaken, shareOf } from '../../tests/support/share.ts'
import { findViolations } from '../fixtures/accessibility.ts'
import { callBackend, writeDatabase } from '../fixtures/backend.ts'
import { storeChange, storeItems } from '../fixtures/catalog.ts'
import { ADMIN, DEMO_PASSWORD, type RunningGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const EDITOR = { email: 'editor@demo.watchroom.local', password: DEMO_PASSWORD }

/** Screens of the demo estate: checks pass and fail in it, and results arrive all the time. */
const SCREENS = [
  '/health',
  '/health?hidePassing=false&layout=card',
  '/health?query=nothing-is-called-like-this',
  '/settings/agents',
  '/settings/agents?addAgent=true',
  '/settings/canaries',
  '/settings/canaries/new',
  '/settings/event-queue-status',
  '/settings/event-queue-status?event=check.failed',
  '/settings/logging_backends',
  '/settings/teams',
  '/settings/teams/new',
  '/settings/integrations',
  '/settings/integrations?add=true',
  '/settings/incident_rules',
  '/settings/incident_rules/new',
  '/settings/logging_backends/new',
  '/logs',
  '/incidents',
  '/playbooks',
  '/playbooks/new',
  '/playbooks/runs',
  '/wall',
  '/wall/boards',
]

const TOPOLOGY = ['/topology', '/topology?status=nothing', '/settings/topologies', '/settings/topologies/new']

const CATALOG = [
  '/catalog',
  '/catalog?search=a',
  '/catalog/changes',
  '/catalog/changes?view=lanes',
  '/catalog/insights',
  '/catalog/scrapers',
  '/catalog/scrapers/new',
]

/** Screens that need no session. */
const OUTSIDE = [
  '/wall/device',
  '/login',
  '/recovery',
  '/verification',
  '/registration',
  '/error?error_code=BAD_SESSION',
]

/** Screens of what is set up, and its dialogs. */
const SETTINGS = [
  '/settings/connections',
  '/settings/connections?new=pick',
  '/settings/connections?new=email',
  '/settings/connections?new=git',
  '/settings/jobs',
]

/** Who is told, and why. */
const NOTIFICATIONS = [
  '/settings/notifications',
  '/settings/notifications?add=true',
  '/settings/notifications/history',
  '/settings/notifications/silence',
  '/settings/notifications/silence?add=true',
  '/settings/notifications/why',
]

/** Screens of people, and of what they sign in with. */
const PEOPLE = [
  '/settings/users',
  '/settings/users?invite=true',
  '/settings/feature-flags',
  '/settings/feature-flags?add=true',
  '/settings/access-tokens',
  '/settings/outbox',
  '/kubeconfig',
  '/docs',
  '/profile-settings',
  '/login?refresh=true',
]

// Nothing but reading: both workers share the minutes that this takes.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

interface Judge {
  readonly page: Page
  /** Looks for what breaks the rules on the page as it stands. */
  readonly judge: (name: string) => Promise<void>
  /** Of all that was judged, by name; empty when nothing breaks a rule. */
  readonly violations: Record<string, string[]>
  readonly leave: () => Promise<void>
}

async function openJudge(
  browser: Browser,
  gateway: RunningGateway,
  colorScheme: 'light' | 'dark',
  viewport = { width: 1280, height: 720 },
): Promise<Judge> {
  const { page, leave } = await openBrowser(browser, gateway, { viewport })
  // Without motion, because the colors in the middle of a fade are nobody's choice.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const violations: Record<string, string[]> = {}
  return {
    page,
    judge: async (name) => {
      await expect(page.locator('[aria-busy="true"], .bp6-spinner')).toHaveCount(0)
      const found = await findViolations(page)
      if (found.length > 0) violations[name] = found
    },
    violations,
    leave,
  }
}

/** Opens each of them and judges it. */
async function judgeAll({ page, judge }: Judge, screens: readonly string[]): Promise<void> {
  for (const screen of screens) {
    if (!page.url().endsWith(screen)) await page.goto(screen)
    await expect(page.getByRole('main').first()).toBeVisible()
    await judge(screen)
  }
}

/** Opens each of them with the dialog of one row, and judges that. */
async function judgeDialogs({ page, judge }: Judge, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('dialog').getByRole('button', { name: /^(Save|Update)$/ })).toBeVisible()
    await judge(address)
  }
}

/** Judges a screen whose list the backend refuses. */
async function judgeFailing({ page, judge }: Judge, screen: string, table: string): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api/db/${table}`,
    (route) => route.fulfill({ status: 400, json: { message: 'bad request: no such column' } }),
  )
  await page.goto(screen)
  await expect(page.getByText('no such column').first()).toBeVisible()
  await judge(`${screen}, failing`)
}

/** `npm test` takes one scheme of colors and some of the screens, others with the next commit. All else takes everything. */
const SCHEMES = (['light', 'dark'] as const).filter((_, index) => isTaken(index, 2))
const ofCommit = (screens: readonly string[]): readonly string[] => shareOf(screens, Math.min(15, screens.length))
/** Journeys of which it takes half. */
const inTurn: (() => void)[] = []

for (const colorScheme of SCHEMES) {
  test(`no screen breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
    const judge = await openJudge(browser, gateway, colorScheme)
    await signIn(judge.page, EDITOR)
    await new HealthPage(judge.page).expectLive()
    await judgeAll(judge, [
      ...ofCommit(SCREENS),
      await pathOfRun(gateway, 'pending'),
      await pathOfRun(gateway, 'failed'),
    ])
    await judge.page.getByRole('button', { name: 'Re-run playbook' }).click()
    await expect(judge.page.getByRole('dialog')).toBeVisible()
    await judge.judge('run dialog')
    await showMarked(judge.page, await pathOfLogs(gateway))
    await judge.judge('logs, with a marked line')
    expect(judge.violations).toEqual({})
    await judge.leave()
  })

  inTurn.push(() =>
    test(`no page of a row breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      await signIn(judge.page, EDITOR)
      await judgeAll(judge, ofCommit(await pathsOfRows(gateway)))
      await judge.page.goto(`/settings/teams/${await idOf(gateway, 'teams')}`)
      await judge.page.getByRole('tab', { name: 'Members' }).click()
      await judge.page.getByRole('button', { name: 'Add members' }).click()
      await expect(judge.page.getByRole('dialog')).toBeVisible()
      await judge.judge('members dialog')
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`no screen of the catalog breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      await signIn(judge.page, EDITOR)
      await judgeAll(judge, ofCommit(CATALOG))
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`no screen of the topology breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      await signIn(judge.page, EDITOR)
      await judgeAll(judge, ofCommit([...TOPOLOGY, ...pathsOfPast(), ...(await pathsOfComponent(gateway))]))
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`nor does the topology while much changes, while it stands still and while it can’t be read, ${colorScheme}`, async ({
      browser,
      gateway,
    }) => {
      const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
      const name = `Judged in ${colorScheme}`
      const top = await addParts(gateway, name)
      const turn = (health: string): Promise<number> =>
        writeDatabase(gateway, 'update components set health = $2 where parent_id = $1', [top, health])
      await signIn(page, EDITOR, '/topology')
      await expect(page.getByRole('article', { name, exact: true })).toHaveAttribute('data-health', 'healthy')
      await turn('unhealthy')
      await expect(page.getByText(`5 changes under ${name} within a minute`)).toBeVisible()
      await judge('topology, changes arriving')
      await page.getByRole('button', { name: 'Pause (.)' }).click()
      await turn('warning')
      await expect(page.getByText(/Paused · .* changed/)).toBeVisible()
      await judge('topology, paused')
      await page.route(
        (url) => url.pathname === '/api/canary/api/topology',
        (route) => route.fulfill({ status: 400, json: { message: 'bad request: no such type' } }),
      )
      await page.goto('/topology?type=Service')
      await expect(page.getByText('no such type')).toBeVisible()
      await judge('topology, failing')
      await writeDatabase(gateway, 'update components set deleted_at = now() where $1 in (id, parent_id)', [top])
      expect(violations).toEqual({})
      await leave()
    }),
  )

  inTurn.push(() =>
    test(`no screen of what is set up breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      const job = randomUUID()
      await writeDatabase(
        gateway,
        `insert into job_history (id, name, resource_type, status, time_start, time_end, error_count, details)
       values ($1, 'JobThatIsLookedAt', 'canary', 'FAILED', now(), now(), 1, '{"errors": ["refused"]}')`,
        [job],
      )
      await signIn(judge.page, ADMIN, '/settings/connections')
      await judgeAll(judge, [...ofCommit(SETTINGS), `/settings/jobs?job=${job}`])
      await expect(judge.page.getByRole('dialog')).toBeVisible()
      await judgeDialogs(judge, [`/settings/connections?id=${await idOf(gateway, 'connections')}`])
      await judgeFailing(judge, '/settings/connections', 'connections_with_status')
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`no screen of notifications breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      await signIn(judge.page, ADMIN, '/settings/notifications')
      await judgeAll(judge, ofCommit(NOTIFICATIONS))
      await judgeDialogs(judge, [
        `/settings/notifications?id=${await idOf(gateway, 'notifications')}`,
        `/settings/notifications/silence?id=${await idOf(gateway, 'notification_silences')}`,
      ])
      await judgeFailing(judge, '/settings/notifications', 'notifications_summary')
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`no screen of signing in and of people breaks WCAG 2.2 for certain, ${colorScheme}`, async ({
      browser,
      gateway,
    }) => {
      const judge = await openJudge(browser, gateway, colorScheme)
      await judgeAll(judge, ofCommit(OUTSIDE))
      await signIn(judge.page, ADMIN, '/settings/users')
      await judgeAll(judge, ofCommit(PEOPLE))
      expect(judge.violations).toEqual({})
      await judge.leave()
    }),
  )

  inTurn.push(() =>
    test(`no tab of a check's panel breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
      await signIn(page, EDITOR)
      await new HealthPage(page).openCheck('disk')
      for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
        await tab.click()
        await judge(`check panel, ${await tab.innerText()}`)
      }
      expect(violations).toEqual({})
      await leave()
    }),
  )

  inTurn.push(() =>
    test(`no part of an incident breaks WCAG 2.2 for certain, ${colorScheme}`, async ({ browser, gateway }) => {
      const { page, judge, violations, leave } = await openJudge(browser, gateway, colorScheme)
      await signIn(page, ADMIN, '/incidents')
      await page.getByRole('main').getByRole('link', { name: 'Label prints hang in edge-eu' }).click()
      await expect(page).toHaveURL(/\/incidents\/[\da-f-]{36}/)
      await expect(page.getByRole('tab', { name: 'Action Plan' })).toBeVisible()
      await judge('incident, comments')
      await page.getByRole('tab', { name: 'Action Plan' }).click()
      await page.getByRole('button', { name: 'Expand All' }).click()
      await expect(page.getByRole('tree').first()).toBeVisible()
      await judge('incident, action plan')
      expect(violations).toEqual({})
      await leave()
    }),
  )
}

/** The topology as it was, and as it differs. An instant before the gateway started is none of the two. */
function pathsOfPast(): string[] {
  const [from, to] = [1_000, 500].map((ago) => new Date(Date.now() - ago).toISOString())
  return [`/topology?at=${from}`, `/topology?at=${from}&to=${to}`]
}

/** A component that is made of five others, all of them well. */
async function addParts({ url }: RunningGateway, name: string): Promise<string> {
  const add = async (part: string, above: object): Promise<string> => {
    const row = { external_id: part, name: part, type: 'Service', status: '', health: 'healthy', ...above }
    const [made] = await callBackend<{ id: string }[]>(url, '/db/components', row)
    return made?.id ?? ''
  }
  const top = await add(name, {})
  for (const part of ['one', 'two', 'three', 'four', 'five']) {
    await add(`${name}, ${part}`, { parent_id: top, path: top })
  }
  return top
}

/** A component with its panel, and what others are shown of it. */
async function pathsOfComponent({ url }: RunningGateway): Promise<string[]> {
  const [component] = await callBackend<{ id: string }[]>(url, '/db/components?select=id&deleted_at=is.null&limit=1')
  const id = component?.id ?? ''
  const sections = ['incidents', 'checks', 'none'].map((panel) => `/topology/${id}?panel=${panel}`)
  return [`/topology/${id}`, ...sections, `/view/topology/${id}`, `/view/topology?id=${id}`]
}

/** Of a row of the demo. */
async function idOf({ url }: RunningGateway, table: string): Promise<string> {
  const [row] = await callBackend<{ id: string }[]>(url, `/db/${table}?select=id&deleted_at=is.null&limit=1`)
  if (!row) throw new Error(`the demo has no row of ${table}`)
  return row.id
}

/** The pages of one row of each kind that people set up. */
async function pathsOfRows(gateway: RunningGateway): Promise<string[]> {
  const [playbook, team, topology, rule, scraper, canary] = await Promise.all(
    ['playbooks', 'teams', 'topologies', 'incident_rules', 'config_scrapers', 'canaries'].map((table) =>
      idOf(gateway, table),
    ),
  )
  const logs = await idOf(gateway, 'logging_backends')
  return [
    `/playbooks/${playbook}`,
    `/settings/canaries/${canary}`,
    `/settings/teams/${team}`,
    `/settings/topologies/${topology}`,
    `/settings/integrations/topologies/${topology}`,
    `/settings/incident_rules/${rule}`,
    `/settings/logging_backends/${logs}`,
    `/catalog/scrapers/${scraper}`,
  ]
}

/** Of a run that stays as it is. */
async function pathOfRun({ url }: RunningGateway, status: string): Promise<string> {
  const [run] = await callBackend<{ id: string }[]>(url, `/db/playbook_runs?select=id&status=eq.${status}&limit=1`)
  if (!run) throw new Error(`no run of the demo has ${status}`)
  return `/playbooks/runs/${run.id}`
}

/** Logs of a service that is asked all the time. */
async function pathOfLogs({ url }: RunningGateway): Promise<string> {
  const selectors = encodeURIComponent('[{"type":"DemoService"}]')
  const [component] = await callBackend<{ id: string }[]>(
    url,
    `/db/components?select=id&deleted_at=is.null&log_selectors=cs.${selectors}&limit=1`,
  )
  if (!component) throw new Error('no component of the demo has logs')
  return `/logs?topologyId=${component.id}`
}

/** Lines, and what can be done with one that is marked. */
async function showMarked(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // Its key, because lines move while others come.
  await page.getByRole('group', { name: /: lines$/ }).press('j')
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
}

/** Judges each in a window of 320 pixels. @returns those that need to be moved sideways */
async function judgeNarrow(judge: Judge, screens: readonly string[]): Promise<string[]> {
  const tooWide: string[] = []
  for (const screen of screens) {
    await judgeAll(judge, [screen])
    tooWide.push(...(await tooWideOf(judge.page)))
  }
  return tooWide
}

/** The page, when it needs to be moved sideways. */
async function tooWideOf(page: Page): Promise<string[]> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  return width > 320 ? [`${page.url()}: ${width}`] : []
}

const openNarrow = (browser: Browser, gateway: RunningGateway): Promise<Judge> =>
  openJudge(browser, gateway, 'light', { width: 320, height: 640 })

test('no screen breaks WCAG 2.2 for certain in a window of 320 pixels, or needs to be moved sideways', async ({
  browser,
  gateway,
}) => {
  const judge = await openNarrow(browser, gateway)
  const tooWide = await judgeNarrow(judge, ofCommit(OUTSIDE))
  await signIn(judge.page, ADMIN, '/health')
  const inside = ['/health', '/incidents', '/settings/agents', ...PEOPLE, '/playbooks', '/playbooks/runs', '/logs']
  tooWide.push(...(await judgeNarrow(judge, [...ofCommit(inside), await pathOfRun(gateway, 'pending')])))
  for (const path of [await pathOfRun(gateway, 'failed'), await pathOfLogs(gateway)]) {
    await showMarked(judge.page, path)
    await judge.judge(`${path}, with a marked line`)
    tooWide.push(...(await tooWideOf(judge.page)))
  }
  expect(judge.violations).toEqual({})
  expect(tooWide).toEqual([])
  await judge.leave()
})

inTurn.push(() =>
  test('nor does a screen of the catalog, the topology, settings or notifications in 320 pixels', async ({
    browser,
    gateway,
  }) => {
    const judge = await openNarrow(browser, gateway)
    const screens = [
      ...CATALOG,
      ...TOPOLOGY,
      ...SETTINGS,
      ...NOTIFICATIONS,
      '/settings/integrations',
      '/settings/teams',
    ]
    await signIn(judge.page, ADMIN, '/health')
    const ofComponent = (await pathsOfComponent(gateway)).slice(0, 2)
    const tooWide = await judgeNarrow(judge, [...ofCommit([...screens, ...pathsOfPast()]), ...ofComponent])
    expect(judge.violations).toEqual({})
    expect(tooWide).toEqual([])
    await judge.leave()
  }),
)

inTurn.push(() =>
  test('nor does the catalog while changes arrive, while it is empty and while it can’t be read', async ({
    browser,
    gateway,
  }) => {
    const { page, judge, violations, leave } = await openJudge(browser, gateway, 'light')
    const judgeSchemes = async (name: string): Promise<void> => {
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await judge(`${name}, ${colorScheme}`)
      }
    }
    const list = '/catalog?configType=Journey%3A%3AJudged'
    await signIn(page, EDITOR, list)
    await expect(page.getByText('No matching config items')).toBeVisible()
    await judgeSchemes('no items')
    const [item = ''] = await storeItems(gateway, [{ name: 'judged-1', type: 'Journey::Judged', health: 'healthy' }])
    // Whoever points at a row is about to use it: what would move it waits.
    await page.getByRole('link', { name: 'judged-1' }).hover()
    await storeItems(gateway, [{ name: 'judged-0', type: 'Journey::Judged', health: 'unhealthy' }])
    await expect(page.getByRole('button', { name: '1 new', exact: true })).toBeVisible()
    await judgeSchemes('items, changes arriving')

    await page.goto('/catalog/changes?configTypes=Journey__Judged:1')
    await expect(page.getByText('No changes', { exact: true })).toBeVisible()
    await judgeSchemes('no changes')
    await storeChange(gateway, item, { summary: 'Judged once' })
    await page.getByText('Judged once').hover()
    await storeChange(gateway, item, { summary: 'Judged twice' })
    await expect(page.getByRole('button', { name: '1 new', exact: true })).toBeVisible()
    await judgeSchemes('changes, changes arriving')

    await page.route(
      ({ pathname }) => pathname === '/api/db/configs' || pathname === '/api/catalog/changes',
      (route) => route.fulfill({ status: 400, json: { message: 'bad request: no such thing' } }),
    )
    for (const screen of [list, '/catalog/changes']) {
      await page.goto(screen)
      await expect(page.getByText('no such thing')).toBeVisible()
      await judgeSchemes(`${screen}, failing`)
    }
    expect(violations).toEqual({})
    await leave()
  }),
)

for (const declare of shareOf(inTurn, 2)) declare()
