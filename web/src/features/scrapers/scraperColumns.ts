import { nextRun, tryParseSchedule } from '@watchroom/shared/health/check-types'
import type { SettingsRow } from '@watchroom/shared/settings'
import { scheduleInForce } from '@watchroom/shared/specs'
import { parseTimestamp } from '@watchroom/shared/time'

import type { TableColumn } from '../../ui/table/column.ts'
import { itemsOf } from './scrapeSummary.ts'

type Column = TableColumn<SettingsRow>

const scheduleOf = (row: SettingsRow): string | null => scheduleInForce('config_scrapers', row)

/** When it runs next: after its last run, as its schedule says. */
function nextRunOf(row: SettingsRow): string | null {
  const schedule = tryParseSchedule(scheduleOf(row) ?? '')
  const lastRunAt = parseTimestamp(row.job_time_start)
  const at = schedule && lastRunAt !== null ? nextRun(schedule, lastRunAt) : null
  return at === null ? null : new Date(at).toISOString()
}

/** What a list of scrapers says of each beside what all settings say. */
export const SCRAPER_COLUMNS: readonly Column[] = [
  {
    key: 'items',
    title: 'Items',
    kind: 'number',
    value: ({ job_details: details }) => itemsOf(details?.scrape_summary),
  },
  { key: 'schedule', title: 'Schedule', kind: 'code', value: scheduleOf },
  { key: 'next_run', title: 'Next run', kind: 'time', value: nextRunOf },
]
