import type { JobState } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ResourceJobs } from '../../../../web/src/features/jobs/components/ResourceJobs.tsx'
import { JobsScreen } from '../../../../web/src/features/jobs/screens/JobsScreen.tsx'

let live: JobState[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

const ID = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`
const AGENT = ID(9)
const JOB = {
  id: ID(1),
  name: 'ScrapeConfigs',
  status: 'FAILED',
  resource_type: 'config_scraper',
  resource_id: ID(2),
  resource_name: 'cluster',
  agent: { id: AGENT, name: 'edge' },
  created_at: '2026-01-01T00:00:00Z',
  time_start: '2026-01-01T00:00:00Z',
  duration_millis: 1_200,
  success_count: 3,
  error_count: 1,
  details: { errors: ['no such host'], summary: { added: 2 } },
}

let screen: RenderedScreen
let server: FakeServer
let page: Page
let jobs: object[]
beforeEach(() => {
  live = []
  jobs = [JOB]
  page = pageOf()
  server = createFakeServer()
  server.on('GET /api/db/job_histories', () => json(jobs))
  server.on('GET /api/db/job_history_names', () => json([{ name: 'ScrapeConfigs' }, { name: 'SyncCanary' }]))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(query = ''): Promise<void> {
  screen = await renderScreen(<JobsScreen />, { address: `/settings/jobs${query}` })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading jobs'))
}
/** What was last asked of the list. */
const asked = (): URLSearchParams => {
  const line = server.requests.findLast((request) => request.includes('/api/db/job_histories?select=*&created_at'))
  const last = line ?? server.requests.findLast((request) => request.includes('limit='))
  return new URL(last?.split(' ').at(-1) ?? '', 'http://x').searchParams
}
const chips = (): string[] => page.all('listitem').map(({ textContent }) => textContent)

describe('the job history', () => {
  it('says so when a link names a job that is gone', async () => {
    server.on('GET /api/db/job_histories', (url) => json(url.searchParams.has('id') ? [] : jobs))
    await open(`?job=${JOB.id}`)
    await screen.waitFor(() => expect(page.text()).toContain('This job doesn’t exist or was deleted.'))
  })

  it('shows every column of a job, with what went wrong in sight', async () => {
    await open()
    expect(page.all('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Time',
      'Job',
      'Resource type',
      'Resource',
      'Agent',
      'Status',
      'Duration',
      'Succeeded',
      'Errors',
      'Details',
    ])
    expect(page.rows()[0]?.slice(1)).toEqual([
      'ScrapeConfigs',
      'config_scraper',
      'cluster',
      'edge',
      'Failed',
      '1.2s',
      '3',
      '1',
      'no such host',
    ])
    expect(page.get('button', 'Details for job ScrapeConfigs: no such host').textContent).toBe('no such host')
    expect(page.get('link', 'edge').getAttribute('href')).toBe(`/settings/agents?id=${AGENT}`)
  })

  it('leads from a row to its details, in the address, and nowhere where there is nothing to read', async () => {
    jobs = [JOB, { ...JOB, id: ID(3), name: 'Idle', details: null }]
    server.on(`GET /api/db/job_histories?select=*&id=eq.${JOB.id}`, () => json([JOB]))
    await open()
    expect(page.find('link', 'Idle')).toBeNull()
    await screen.click(page.get('link', 'ScrapeConfigs'))
    expect(screen.search()).toBe(`?job=${JOB.id}`)
    await screen.waitFor(() => expect(page.get('dialog').textContent).toContain('Errors (1)'))
  })

  it('asks for 150 of the last two days without those that succeeded, and says so', async () => {
    await open()
    const query = asked()
    expect(query.getAll('status')).toEqual(['not.in.("SUCCESS")'])
    expect(query.get('limit')).toBe('150')
    expect(query.get('order')).toBe('created_at.desc.nullslast')
    const [from] = query.getAll('created_at')
    expect(screen.clock.now() - Date.parse(from?.slice('gte.'.length) ?? '')).toBe(2 * 86_400_000)
    expect(chips()).toEqual(expect.arrayContaining(['Status: !success', 'Time: Last 2 days']))
    expect(page.find('button', 'Reset filters')).toBeNull()
  })

  it('filters by name, type, status, duration and time, and resets all of them at once', async () => {
    const filters = 'name=ScrapeConfigs:1&resource_type=canary:-1&status=FAILED:1&runDuration=10s'
    await open(`?${filters}&rangeType=absolute&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
    const query = asked()
    expect(query.get('name')).toBe('in.("ScrapeConfigs")')
    expect(query.get('resource_type')).toBe('not.in.("canary")')
    expect(query.get('status')).toBe('in.("FAILED")')
    expect(query.get('duration_millis')).toBe('gte.10000')
    expect(query.getAll('created_at')).toEqual(['gte.2026-01-01T00:00:00.000Z', 'lte.2026-01-02T00:00:00.000Z'])
    await screen.click(page.get('button', 'Reset filters'))
    expect(screen.search()).toBe('')
    await screen.waitFor(() => expect(asked().get('status')).toBe('not.in.("SUCCESS")'))
  })

  it('shows those that succeeded, too, once that filter is removed', async () => {
    await open()
    await screen.click(page.get('button', 'Remove filter Status: not success'))
    await screen.waitFor(() => expect(asked().has('status')).toBe(false))
    expect(screen.search()).toBe('?status=any')
  })

  it.each([
    ['canary', `/settings/canaries/${ID(2)}`],
    ['config_scraper', `/catalog/scrapers/${ID(2)}`],
    ['topology', `/settings/topologies/${ID(2)}`],
    ['config', `/catalog/${ID(2)}`],
    ['playbook', `/playbooks/${ID(2)}`],
  ])('leads from a %s to its page', async (resource_type, href) => {
    jobs = [{ ...JOB, resource_type }]
    await open()
    expect(page.get('link', 'cluster').getAttribute('href')).toBe(href)
  })

  it('does not lead into areas that are switched off', async () => {
    screen = await renderScreen(<JobsScreen />, { disabled: ['settings.config_scraper', 'agents'] })
    await screen.waitFor(() => expect(page.rows()[0]).toEqual(expect.arrayContaining(['cluster', 'edge'])))
    for (const name of ['cluster', 'edge']) expect([name, page.find('link', name)]).toEqual([name, null])
  })

  it('leads nowhere from work of the program itself, which has the name of its machine', async () => {
    jobs = [{ ...JOB, resource_type: 'check_statuses', resource_id: 'host-1', resource_name: 'host-1', agent: null }]
    await open()
    expect(page.rows()[0]).toContain('host-1')
    expect(page.find('link', 'host-1')).toBeNull()
  })

  it('counts the seconds of what runs', async () => {
    jobs = [{ ...JOB, status: 'RUNNING', duration_millis: null, time_start: '2025-12-31T23:59:50Z' }]
    await open()
    const before = page.rows()[0]?.[6]
    await screen.advance(5_000)
    expect(page.rows()[0]?.[6]).not.toBe(before)
  })

  it.each([
    ['RUNNING', 'running'],
    ['SUCCESS', 'healthy'],
    ['WARNING', 'warning'],
    ['FAILED', 'unhealthy'],
    ['STOPPED', 'unhealthy'],
    ['STALE', 'warning'],
    ['SKIPPED', 'paused'],
  ])('has a word and a shape for the status %s', async (status, shape) => {
    jobs = [{ ...JOB, status }]
    await open()
    expect(page.rows()[0]?.[5]).toBe(status.charAt(0) + status.slice(1).toLowerCase())
    expect(document.querySelector('tbody [data-status]')?.getAttribute('data-status')).toBe(shape)
  })

  it('is read again when a job begins or ends', async () => {
    await open()
    jobs = [{ ...JOB, name: 'SyncCanary' }]
    live = [{ id: ID(1), status: 'FAILED' }]
    await screen.rerender(<JobsScreen />)
    await screen.waitFor(() => expect(page.rows()[0]?.[1]).toBe('SyncCanary'))
  })

  it('says why it cannot be read', async () => {
    server.on('GET /api/db/job_histories', () => json({ error: { code: 'X', message: 'the database is away' } }, 500))
    await open()
    expect(page.text()).toContain('the database is away')
  })
})

describe('the details of a job', () => {
  const show = async (details: object): Promise<void> => {
    jobs = [{ ...JOB, details }]
    await open()
    await screen.click(page.get('button', /Details for job/))
    await screen.waitFor(() => expect(page.find('dialog')).not.toBeNull())
  }

  it.each([
    [{ errors: ['e'], scrape_summary: { a: 1 }, summary: { b: 1 } }, 'Errors (1)'],
    [{ scrape_summary: { Pod: { added: 1 } }, summary: { b: 1 } }, 'Scrape Summary'],
    [{ errors: [], scrape_summary: {}, summary: { b: 1 } }, 'Reconcile Summary'],
  ])('%j open on the first tab that holds something', async (details, title) => {
    await show(details)
    expect(page.text()).toContain('Details for job ScrapeConfigs')
    const tabs = page.all('tab')
    expect(tabs.map(({ textContent }) => textContent.replace(/ \(.*/, ''))).toEqual([
      'Errors',
      'Scrape Summary',
      'Reconcile Summary',
    ])
    expect(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true')?.textContent).toBe(title)
    expect(screen.search()).toBe(`?job=${ID(1)}`)
  })

  it('name what lies deeper by its path', async () => {
    await show({ scrape_summary: { Pod: { added: 1, gone: ['x'] } } })
    expect(page.text()).toContain('Pod · added')
    expect(page.text()).toContain('["x"]')
  })

  it('say counts of one type in one line, without those that are zero', async () => {
    const none = { added: 0, deleted: 0 }
    await show({ scrape_summary: { 'Host::Disk': { added: 3, updated: 0, unchanged: 20_000 }, Pod: none } })
    const lines = [...page.get('dialog').querySelectorAll('dl > div')].map(({ textContent }) => textContent)
    expect(lines).toEqual([`Host::Disk3 added · ${(20_000).toLocaleString()} unchanged`, 'Pod0 added · 0 deleted'])
  })

  it('say an error once, and how often it happened', async () => {
    await show({ errors: ['no such host', 'refused', 'no such host'] })
    expect(page.text()).toContain('Errors (3)')
    expect(
      page
        .within(page.get('dialog'))
        .all('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['2 × no such host', 'refused'])
  })

  it('are not offered, nor shown by a link, where all tabs are empty', async () => {
    jobs = [{ ...JOB, details: { errors: [], scrape_summary: {} } }]
    await open(`?job=${ID(1)}`)
    expect(page.find('button', /Details for job/)).toBeNull()
    expect(page.find('dialog')).toBeNull()
  })
})

it('lists the jobs of one resource, without saying which, and opens what went wrong', async () => {
  screen = await renderScreen(<ResourceJobs resourceType="canary" resourceId={ID(2)} noun="check" />)
  await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
  expect(page.headers()).not.toContain('Resource')
  expect(server.requests.some((line) => line.includes(`resource_type=eq.canary&resource_id=eq.${ID(2)}`))).toBe(true)
  await screen.click(page.get('button', 'Details for job ScrapeConfigs: no such host'))
  await screen.waitFor(() => expect(page.text()).toContain('Errors (1)'))
  expect(screen.search()).toBe(`?job=${JOB.id}`)
})
