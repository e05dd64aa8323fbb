// The catalog as one part of the backend: what fills it, and what may be saved of that.
import { lookApart } from '../../check-runner/lookApart.ts'
import type { BackendContext } from '../server/context.ts'
import type { RowJudges } from '../server/judgeWrite.ts'
import { createScrapers, type Scrapers } from './createScrapers.ts'
import { createScrapeTrials, type ScrapeTrials } from './createScrapeTrials.ts'
import type { Family } from './family.ts'
import { createRowJudge } from './judgeSpec.ts'

export interface Catalog {
  readonly scrapers: Scrapers
  readonly scrapeTrials: ScrapeTrials
  readonly rowJudges: RowJudges
}

export function createCatalog(context: BackendContext, families: ReadonlyMap<string, Family>): Catalog {
  const judge = createRowJudge(families, lookApart)
  return {
    scrapers: createScrapers(context, families),
    scrapeTrials: createScrapeTrials({ ...context, families, lookUp: lookApart, judge }),
    rowJudges: new Map([['config_scrapers', judge]]),
  }
}
