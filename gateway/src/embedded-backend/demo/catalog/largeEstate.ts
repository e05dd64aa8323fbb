// The scraper of the profile `large`, its past and its files.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sleep } from '@watchroom/shared/kernel'

import type { Family } from '../../catalog/family.ts'
import type { RawItem } from '../../catalog/item.ts'
import type { ScraperSeed } from '../seedScrapers.ts'
import { ITEM_RULES } from './estateScraper.ts'
import {
  LARGE_ITEMS,
  largeChanges,
  largeEdit,
  largeFileOf,
  type LargeItem,
  largeItems,
  LARGE_EDIT_DAYS,
} from './largeItems.ts'
import type { EstatePast } from './runPast.ts'

/** Below `sources` of the data directory. */
export const LARGE_FOLDER = 'large-estate'
const ITEMS_PER_BATCH = 200

const RULES = {
  ...ITEM_RULES,
  format: 'json',
  paths: [LARGE_FOLDER],
  tags: { cluster: '$.cluster', namespace: '$.namespace' },
}

export const LARGE_ESTATE: ScraperSeed = {
  id: '01980000-0000-7000-8000-000000000003',
  name: 'Large estate',
  description: 'Many items for load work, from files',
  spec: { schedule: '@every 6h', labels: { demo: 'true' }, file: [{ ...RULES, items: '$[*]' }] },
}

const placeOf = (item: LargeItem): string => `${LARGE_FOLDER}/${largeFileOf(item)}`

/** The first run finds all items, and each of the others finds all of them changed: ten times 50,000. */
export const toLargePast = (count = LARGE_ITEMS, stepDays = LARGE_EDIT_DAYS): EstatePast => ({
  scraperId: LARGE_ESTATE.id,
  firstDays: 0,
  stepDays,
  // Told one by one, each with what happened to it.
  toRow: (row) => ({ ...row, spec: { ...LARGE_ESTATE.spec, file: [RULES] } }),
  toFamily: ({ since, before, at }): Family => ({
    name: 'file',
    async *read(_element, { clock, signal }) {
      const items = largeItems(count, at)
      for (let from = 0; from < items.length; from += ITEMS_PER_BATCH) {
        const batch = items.slice(from, from + ITEMS_PER_BATCH)
        yield { items: batch.map((item) => toRaw(item, at, largeChanges(item, since, before, at))), warnings: [] }
        // The rest of the product has its turn.
        await sleep(clock, 0, signal)
      }
    },
  }),
})

/** Who edited it last, and when, is known as it is of the files of a repository. */
const toRaw = (item: LargeItem, at: number, changes: RawItem['facts']['changes']): RawItem => ({
  config: item,
  facts: { icon: 'cube', changes },
  place: { source: placeOf(item) },
  authorship: () => Promise.resolve({ author: `${item.team}-bot`, at: largeEdit(item.id, at).editedAt }),
})

/** A line for each item: edit one, and see the change arrive. */
export async function writeLargeEstate(sources: string, at: number, count = LARGE_ITEMS): Promise<void> {
  await mkdir(join(sources, LARGE_FOLDER), { recursive: true })
  const files = new Map<string, LargeItem[]>()
  for (const item of largeItems(count, at)) {
    const told = files.get(placeOf(item))
    if (told) told.push(item)
    else files.set(placeOf(item), [item])
  }
  for (const [path, items] of files) {
    await writeFile(join(sources, path), `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`)
  }
}
