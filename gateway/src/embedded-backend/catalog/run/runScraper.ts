// One run of a scraper: read, compare, write, relate, delete. Ends with an outcome, whatever happens; its row in the job history is
// written by whoever asked for it.
import { messageOf } from '@watchroom/shared/kernel'
import { findSpecFault, type ScraperSpec, ScraperSpecSchema } from '@watchroom/shared/specs'
import { tryParseDuration } from '@watchroom/shared/time'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import { oldestChangeKept } from '../../jobs/properties.ts'
import type { Vault } from '../../secrets/createVault.ts'
import type { LocalProperties } from '../../settings/readProperty.ts'
import type { ReadContext } from '../family.ts'
import type { ItemChange, SourceWarning } from '../item.ts'
import { deleteUnseen } from './deleteUnseen.ts'
import { placeItems } from './placeItems.ts'
import { type ReadDeps, readItems, type Reading, sourcesOf } from './readItems.ts'
import { relateItems } from './relateItems.ts'
import { createResolver } from './resolve.ts'
import { findForeign, readStored } from './stored.ts'
import { createSummary, type Summary } from './summary.ts'
import { type WriteDeps, writeItems } from './writeItems.ts'

export interface RunDeps extends ReadDeps {
  readonly pool: Pool
  readonly vault: Pick<Vault, 'list' | 'fillIn'>
  readonly logger: Logger
  readonly localProperties?: LocalProperties
}

export interface ScraperRow {
  readonly id: string
  readonly name: string
  /** With *** for its secrets. */
  readonly spec: unknown
}

export interface RunOutcome {
  /** For people: what could not be used, with file and line; why it failed. */
  readonly errors: readonly string[]
  readonly summary: Summary
  readonly isSkipped: boolean
}

export async function runScraper(row: ScraperRow, context: ReadContext, deps: RunDeps): Promise<RunOutcome> {
  const summary = createSummary()
  try {
    const { spec: filled, secrets } = await fillIn(row, deps)
    const fault = findSpecFault('config_scrapers', filled)
    if (fault !== null) return { errors: [fault], summary, isSkipped: false }
    const spec = ScraperSpecSchema.parse(filled)
    const { here, elsewhere } = sourcesOf(spec, deps.families)
    const notHere = elsewhere.map((name) => `${name}: scrapers of this family run elsewhere`)
    if (here.length === 0) {
      return { errors: notHere.length > 0 ? notHere : ['the spec names nothing to scrape'], summary, isSkipped: true }
    }
    const stored = await readStored(deps.pool, row.id)
    const reading = await readItems({ spec, secrets, stored }, context, deps)
    const keptChanges = await createChangeFilter(spec.retention, context, deps)
    const warnings = await apply(reading, row, context, { ...deps, summary, keptChanges })
    return {
      errors: [...notHere, ...[...reading.warnings, ...warnings].map(describeWarning)],
      summary,
      isSkipped: false,
    }
  } catch (error) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : error
    if (!context.signal.aborted) deps.logger.warn({ err: error, scraperId: row.id }, 'scraper failed')
    return { errors: [messageOf(reason)], summary, isSkipped: false }
  }
}

/** @throws SecretUnreadable */
async function fillIn({ id, spec }: ScraperRow, { pool, vault }: Pick<RunDeps, 'pool' | 'vault'>) {
  const stored = (await vault.list(pool, 'config_scrapers', [id])).get(id) ?? []
  const { document, credentials: secrets } = await vault.fillIn({ spec }, stored)
  return { spec: (document as { spec: unknown }).spec, secrets }
}

/** Sources tell for long of what happened long ago. */
async function createChangeFilter(
  retention: ScraperSpec['retention'],
  { clock }: ReadContext,
  { pool, localProperties = {} }: Pick<RunDeps, 'pool' | 'localProperties'>,
): Promise<WriteDeps['keptChanges']> {
  const now = clock.now()
  // The job that deletes reports a property that makes no sense.
  const oldest = await oldestChangeKept({ pool, localProperties, now, report: { failure: () => undefined } })
  const momentOf = ({ createdAt }: ItemChange): number => createdAt?.getTime() ?? now
  return (changes) =>
    (retention?.changes ?? []).reduce(
      (left, { name, age, count }) => {
        const since = now - ((age && tryParseDuration(age)) || Infinity)
        const isYoung = (change: ItemChange): boolean => momentOf(change) >= since
        const newest = left
          .filter((change) => change.type === name && change.createdAt !== undefined && isYoung(change))
          .toSorted((a, b) => momentOf(b) - momentOf(a))
        // A change reported twice is one. One without a date is of now in every run: the job that deletes knows when it first came.
        const counted = new Set([...new Set(newest.map(({ id }) => id))].slice(0, count))
        const isKept = ({ id, createdAt }: ItemChange): boolean => createdAt === undefined || counted.has(id)
        return left.filter((change) => change.type !== name || (isYoung(change) && isKept(change)))
      },
      changes.filter((change) => momentOf(change) >= oldest.getTime()),
    )
}

async function apply(
  { plan, isComplete }: Reading,
  scraper: ScraperRow,
  { clock, signal }: ReadContext,
  { pool, summary, keptChanges }: Pick<RunDeps, 'pool'> & Pick<WriteDeps, 'summary' | 'keptChanges'>,
): Promise<readonly SourceWarning[]> {
  const deps = { pool, scraper, signal, summary, keptChanges, now: new Date(clock.now()) }
  const items = [...plan.items.values()]
  const unseen = plan.unseen()
  // What is about to be deleted is no parent and no relative of anything.
  const kept = isComplete ? [] : unseen
  const own = createResolver(items, kept)
  const elsewhere = items
    .flatMap(({ parent, relationships }) => [...(parent ? [parent] : []), ...relationships.map(({ to }) => to)])
    .filter((reference) => own(reference) === null)
  const resolve = createResolver(items, kept, await findForeign(pool, scraper.id, elsewhere))
  const { placed, warnings } = placeItems(items, resolve)
  await writeItems(placed, deps)
  const more = await relateItems(items, resolve, isComplete, deps)
  if (isComplete) await deleteUnseen(unseen, deps)
  return [...warnings, ...more]
}

export const describeWarning = ({ source, line, message }: SourceWarning): string =>
  `${source}${line === undefined ? '' : `:${line}`}: ${message}`
