import { SettingsRowSchema } from '@watchroom/shared/settings'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'

import { RunScraper } from '../../../../web/src/features/scrapers/RunScraper.tsx'
import { SCRAPER_COLUMNS } from '../../../../web/src/features/scrapers/scraperColumns.ts'
import { summaryText } from '../../../../web/src/features/scrapers/scrapeSummary.ts'
import { showErrorToast, showToast } from '../../../../web/src/ui/toaster.ts'

vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: vi.fn<() => void>(),
  showErrorToast: vi.fn<() => void>(),
}))

const rowOf = (more: object) => SettingsRowSchema.parse({ id: 's1', name: 'files', ...more })
const cellsOf = (more: object) => SCRAPER_COLUMNS.map(({ value }) => value(rowOf(more)))
const SUMMARY = {
  File: { added: 3, updated: 1, unchanged: 20, deleted: 2, changes: 5 },
  Host: { added: 0, unchanged: 1 },
  odd: 'text',
}

describe('the list of scrapers (third specification, section 2)', () => {
  it('says how many items the last run saw, and when the next one is', () => {
    const row = {
      spec: { schedule: '@every 1h' },
      job_time_start: '2026-01-01T10:00:00Z',
      job_details: { scrape_summary: SUMMARY },
    }
    expect(cellsOf(row)).toEqual([25, '@every 1h', '2026-01-01T11:00:00.000Z'])
    const ofCalendar = { spec: { schedule: '@daily' }, job_time_start: '2026-01-01T10:00:00Z' }
    expect(cellsOf(ofCalendar)).toEqual([null, '@daily', '2026-01-02T00:00:00.000Z'])
  })

  it('does not claim what nobody knows', () => {
    expect(cellsOf({})).toEqual([null, '@every 30m', null])
    expect(cellsOf({ spec: { schedule: '@daily' }, job_details: 'odd' })).toEqual([null, '@daily', null])
    // A run that failed, or was not for this program.
    expect(cellsOf({ job_details: { scrape_summary: {} } })).toEqual([null, '@every 30m', null])
  })

  it('tells what a run did in a few words', () => {
    expect(summaryText(SUMMARY)).toBe('3 added, 1 updated, 2 deleted, 5 changes')
    expect(summaryText({ File: { unchanged: 1200 } })).toBe('nothing changed in 1,200 items')
  })
})

describe('Run now', () => {
  let screen: RenderedScreen
  let shown: Page
  afterEach(async () => {
    await screen.close()
    vi.clearAllMocks()
    vi.unstubAllGlobals()
  })

  async function open(
    answer: () => Response,
    { roles, agent = null }: Pick<ScreenOptions, 'roles'> & { agent?: string | null } = {},
  ) {
    const server = createFakeServer()
    server.on('POST /api/config/run/s1', answer)
    screen = await renderScreen(
      <RunScraper row={{ id: 's1', name: 'files', agent_id: agent }} />,
      roles ? { roles } : {},
    )
    shown = pageOf(screen.container)
  }
  const run = () => screen.click(shown.get('button', 'Run now'))

  it('runs the scraper and says what it did', async () => {
    await open(() => json({ status: 'SUCCESS', errors: [], scrape_summary: SUMMARY }))
    await run()
    await screen.waitFor(() =>
      expect(showToast).toHaveBeenCalledWith('files: 3 added, 1 updated, 2 deleted, 5 changes'),
    )
  })

  it('says what went wrong in the run, or why there was none', async () => {
    await open(() => json({ status: 'FAILED', errors: ['the source is gone'], scrape_summary: {} }))
    await run()
    await screen.waitFor(() => expect(showErrorToast).toHaveBeenCalledWith('files: the source is gone'))
    await screen.close()
    await open(() => json(refusal('CONFLICT', 'this scraper is running already'), 409))
    await run()
    await screen.waitFor(() => expect(showErrorToast).toHaveBeenCalledWith('this scraper is running already'))
  })

  it('is not offered to those who may not, and not for what agents run', async () => {
    await open(() => json({}), { roles: ['viewer'] })
    expect(shown.find('button')).toBeNull()
    await screen.close()
    await open(() => json({}), { agent: '018f0000-0000-7000-8000-000000000009' })
    expect(shown.get('button', 'Run now')).toHaveProperty('disabled', true)
  })
})
