import { DEFAULT_INTERVAL_S } from '../health/checkTypes/index.ts'
import { ownValue } from '../kernel/index.ts'
import { DEFAULT_SCRAPER_SCHEDULE } from './scraperSpec.ts'
import { DEFAULT_TOPOLOGY_SCHEDULE } from './topologySpec.ts'

const DEFAULTS: Readonly<Record<string, string>> = {
  canaries: `@every ${DEFAULT_INTERVAL_S}s`,
  config_scrapers: DEFAULT_SCRAPER_SCHEDULE,
  topologies: DEFAULT_TOPOLOGY_SCHEDULE,
}

/** Where a row may say when it runs. */
interface ScheduledRow {
  /** Beside the spec, where it counts more. */
  readonly schedule?: string | null | undefined
  readonly spec?: Readonly<Record<string, unknown>> | null | undefined
  /** Seconds, or a duration; of canaries. */
  readonly interval?: string | null | undefined
}

/** How often a row of a table of settings runs: as it says, or as all that say nothing. Null: of such a table nothing runs. */
export function scheduleInForce(table: string, { schedule, spec, interval }: ScheduledRow): string | null {
  const written = schedule || spec?.['schedule']
  if (typeof written === 'string' && written !== '') return written
  if (interval) return `@every ${/^\d+$/.test(interval) ? `${interval}s` : interval}`
  return ownValue(DEFAULTS, table) ?? null
}
