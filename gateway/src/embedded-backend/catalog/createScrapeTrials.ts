// A run that writes nothing: reads what a spec names, and says what would be added, changed and deleted. Bounded like trials of
// checks: how long, how many at once, how much is shown.
import { MAX_TRIED_ITEMS, toConfigText, type TriedItem, type TryScrapeResponse } from '@watchroom/shared/catalog'
import { NIL_UUID, type Result, toUnifiedDiff } from '@watchroom/shared/kernel'
import { ScraperSpecSchema } from '@watchroom/shared/specs'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { createTrialGate, type TrialRefusal } from '../jobs/createTrialGate.ts'
import type { BackendContext } from '../server/context.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { type Family, SourceFault } from './family.ts'
import { type PlannedItem, sortKeys } from './run/plan.ts'
import { readItems, type Reading, sourcesOf } from './run/readItems.ts'
import { describeWarning } from './run/runScraper.ts'
import { readStored, type StoredItem } from './run/stored.ts'
import { tryReading } from './tryReading.ts'

/** Of the whole backend: each holds documents in memory. */
const MAX_TRIALS = 2
const MAX_DIFF_CHARACTERS = 20_000
const MAX_PROBLEMS = 50

export interface ScrapeTrials {
  /**
   * @param personId one trial at a time each
   * @param signal ends it, for example when the person has gone
   */
  run(personId: string, tried: TriedScraper, signal: AbortSignal): Promise<Result<TryScrapeResponse, TrialRefusal>>
}

export interface TriedScraper {
  /** With its secrets in place. */
  readonly spec: Record<string, unknown>
  readonly secrets: readonly string[]
  /** Null for one that is not stored. */
  readonly id: string | null
}

interface Deps extends Pick<BackendContext, 'pool' | 'clock'> {
  readonly families: ReadonlyMap<string, Family>
  readonly lookUp: LookUp
  readonly judge: JudgeRow
}

export function createScrapeTrials(deps: Deps): ScrapeTrials {
  const { pool, clock, judge } = deps
  const gate = createTrialGate({ maxTrials: MAX_TRIALS, doing: 'trying scrapers' })

  const tryOnce = async ({ spec, secrets, id }: TriedScraper, signal: AbortSignal): Promise<TryScrapeResponse> => {
    const parsed = ScraperSpecSchema.parse(spec)
    const { here, elsewhere } = sourcesOf(parsed, deps.families)
    // Of a stored one that still says what goes: all of its items.
    if (id === null && here.length + elsewhere.length === 0) {
      throw new SourceFault(`spec: Add a source: ${[...deps.families.keys()].toSorted().join(', ')}`)
    }
    const stored = id === null ? [] : await readStored(pool, id)
    const context = { scraper: { id: id ?? NIL_UUID, name: 'trial' }, clock, signal }
    const reading = await readItems({ spec: parsed, secrets, stored }, context, deps)
    return toResponse(reading, elsewhere, await readContents(pool, reading))
  }

  return {
    run: (personId, tried, gone) =>
      gate.run(personId, gone, () =>
        tryReading({ spec: tried.spec, judge, clock, gone }, (signal) => tryOnce(tried, signal)),
      ),
  }
}

/** Of the items that would change and are shown. */
async function readContents(pool: Deps['pool'], { plan }: Reading): Promise<ReadonlyMap<string, unknown>> {
  const ids = changedOf(plan.items.values())
    .slice(0, MAX_TRIED_ITEMS)
    .map(({ id }) => id)
  const { rows } = await pool.query<{ id: string; config: unknown }>(
    'select id, config from config_items where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, config }) => [id, config]))
}

const changedOf = (items: Iterable<PlannedItem>): PlannedItem[] =>
  [...items].filter(({ written, stored }) => written !== null && stored !== null)

function toResponse(
  { plan, warnings, isComplete }: Reading,
  elsewhere: readonly string[],
  contents: ReadonlyMap<string, unknown>,
): TryScrapeResponse {
  const items = [...plan.items.values()]
  const changed = changedOf(items)
  const added = items.filter(({ stored }) => stored === null)
  const deleted = isComplete ? plan.unseen() : []
  const problems = [
    ...elsewhere.map((name) => `${name}: scrapers of this family run elsewhere`),
    ...warnings.map(describeWarning),
  ]
  return {
    added: toKind(added, (item) => toTried(item, null)),
    changed: toKind(changed, (item) => ({ ...toTried(item, toDiff(item, contents)), config_id: item.id })),
    deleted: toKind(deleted, toDeleted),
    unchanged: items.length - changed.length - added.length,
    problems: problems.slice(0, MAX_PROBLEMS),
  }
}

const toKind = <Item>(items: readonly Item[], show: (item: Item) => TriedItem) => ({
  total: items.length,
  items: items.slice(0, MAX_TRIED_ITEMS).map(show),
})

const toTried = ({ name, type }: PlannedItem, diff: string | null): TriedItem => ({ name, type, config_id: null, diff })

const toDeleted = ({ id, key, type }: StoredItem): TriedItem => ({ name: key, type, config_id: id, diff: null })

function toDiff({ id, written }: PlannedItem, contents: ReadonlyMap<string, unknown>): string | null {
  const diff = toUnifiedDiff(toConfigText(sortKeys(contents.get(id))), toConfigText(sortKeys(written?.config)))
  return diff === '' ? null : diff.slice(0, MAX_DIFF_CHARACTERS)
}
