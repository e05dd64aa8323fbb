// A depot of Harbour Parcel that is read once a night: what is known of it is some hours old, and shown as such.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import type { RawItem } from '../../catalog/item.ts'
import type { ScraperSeed } from '../seedScrapers.ts'
import { toDocuments } from './estateFiles.ts'
import { depotItems, type EstateItem, type Machine } from './estateItems.ts'
import { DEPOT_INSIGHTS, toElement } from './estateScraper.ts'
import type { EstatePast } from './runPast.ts'

/** Below `sources` of the data directory. */
export const FAR_DEPOT_FOLDER = 'harbour-parcel-edge-us'
const FILE = 'denver.yaml'
const PLACE = `${FAR_DEPOT_FOLDER}/${FILE}`

const MACHINES: readonly Machine[] = [
  { name: 'denver/sorter', namespace: 'edge-us', isFailing: false },
  { name: 'denver/gate', namespace: 'edge-us', isFailing: false },
]

export const FAR_DEPOT: ScraperSeed = {
  id: '01980000-0000-7000-8000-000000000004',
  name: 'Harbour Parcel, Edge US',
  description: 'A depot of the invented courier that is read once a night, from a file. By day it is some hours old.',
  spec: {
    schedule: '30 2 * * *',
    labels: { demo: 'true' },
    // Nobody watches it: what is watched is read at each start as well.
    file: [{ ...toElement([PLACE], DEPOT_INSIGHTS), watch: false }],
  },
}

/** The depot, and the machines in it. */
const farDepotItems = (at: number): EstateItem[] => depotItems(MACHINES, at)

export const FAR_DEPOT_PAST: EstatePast = {
  scraperId: FAR_DEPOT.id,
  firstDays: 1,
  stepDays: 7,
  toRow: (row) => row,
  toFamily: ({ at }) => ({
    name: 'file',
    async *read() {
      const items = farDepotItems(at).map((item): RawItem => ({
        config: item,
        facts: { icon: 'cube' },
        place: { source: PLACE },
      }))
      yield { items, warnings: [] }
    },
  }),
}

/** The database dates a write by its own clock: each item was updated when it last changed. */
export async function dateFarDepot(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query(
    `update config_items set updated_at = coalesce(
       (select max(created_at) from config_changes where config_id = config_items.id), config_items.created_at)
     where scraper_id = $1`,
    [FAR_DEPOT.id],
  )
}

export async function writeFarDepot(sources: string, at: number): Promise<void> {
  await mkdir(join(sources, FAR_DEPOT_FOLDER), { recursive: true })
  await writeFile(join(sources, PLACE), toDocuments(farDepotItems(at)))
}
