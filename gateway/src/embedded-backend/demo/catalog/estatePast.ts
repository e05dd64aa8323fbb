// A month of Harbour Parcel, and what its systems would have told meanwhile.
import type { ItemRules } from '@watchroom/shared/specs'

import type { Family } from '../../catalog/family.ts'
import type { ItemChange, RawItem } from '../../catalog/item.ts'
import type { ScraperRow } from '../../catalog/run/runScraper.ts'
import { noise } from '../behavior.ts'
import { estateWorkloads, seedOf } from '../harbourParcel.ts'
import { DAY_MS, deployDays, deployMoment, type EstateItem, estateItems, fileOf, workloadId } from './estateItems.ts'
import { ESTATE, ESTATE_FOLDER, ESTATE_SOURCES } from './estateScraper.ts'
import { type EstatePast, PAST_DAYS, type PastDeps, type PastTimes, runPast } from './runPast.ts'

const FIRST_DAYS = 1
const STEP_DAYS = 5
/** Services that are given more and fewer replicas with their load, and how often a day. */
const SCALED_EVERY = 4
const SCALES_A_DAY = 8
const PEOPLE = ['mira', 'jonas', 'aiko', 'deploy-bot'] as const

/** What happened to an item up to a moment, as its systems tell it. */
function estateChanges({ id, type }: EstateItem, since: number, at: number): ItemChange[] {
  const days = Array.from({ length: PAST_DAYS }, (_, index) => Math.floor(since / DAY_MS) + index)
  const isPast = ({ createdAt }: ItemChange): boolean =>
    createdAt !== undefined && createdAt.getTime() >= since && createdAt.getTime() <= at
  if (type === 'Cloud::Database') return days.map((day) => toBackup(id, day)).filter(isPast)
  const workload = estateWorkloads().find((each) => workloadId(each) === id)
  if (workload === undefined) return []
  const deploys = deployDays(workload, since, at).map((day) => toDeploy(id, day))
  const isScaled = seedOf(id) % SCALED_EVERY === 0
  const scales = isScaled
    ? days.flatMap((day) => Array.from({ length: SCALES_A_DAY }, (_, slot) => toScale(id, day, slot)))
    : []
  return [...deploys, ...scales].filter(isPast)
}

const toBackup = (id: string, day: number): ItemChange => {
  const isSlow = noise(seedOf(id), day) < 0.05
  return {
    id: `backup/${id}/${day}`,
    type: isSlow ? 'BackupFailed' : 'BackupCompleted',
    severity: isSlow ? 'high' : 'info',
    source: 'backups',
    summary: isSlow ? 'The backup did not end in time' : 'The backup is complete',
    createdAt: new Date(day * DAY_MS + 3 * 3_600_000),
  }
}

const toDeploy = (id: string, day: number): ItemChange => {
  const seed = seedOf(id)
  return {
    id: `deploy/${id}/${day}`,
    type: 'Deployed',
    severity: noise(seed + 2, day) < 0.2 ? 'medium' : 'low',
    source: 'pipeline',
    summary: 'A new release was rolled out',
    createdBy: PEOPLE[Math.floor(noise(seed + 3, day) * PEOPLE.length)],
    createdAt: new Date(deployMoment(seed, day)),
    details: {
      pipeline: `release-${seed % 900}-${day % 1_000}`,
      durationS: 40 + Math.floor(noise(seed + 4, day) * 200),
    },
  }
}

const toScale = (id: string, day: number, slot: number): ItemChange => {
  const at = day * DAY_MS + ((slot + noise(seedOf(id) + slot, day)) / SCALES_A_DAY) * DAY_MS
  return {
    id: `scale/${id}/${day}/${slot}`,
    type: 'ScalingReplicaSet',
    severity: 'info',
    source: 'kubernetes',
    summary: slot % 2 === 0 ? 'Scaled up with its load' : 'Scaled down with its load',
    createdAt: new Date(at),
  }
}

const placeOf = (item: EstateItem): string => `${ESTATE_FOLDER}/${fileOf(item)}`

/** Stands where the family of files does, and tells what the files would have said at a moment. */
const pastFamily = (since: number, at: number, isLast: boolean): Family => ({
  name: 'file',
  async *read(element) {
    const { paths } = element as ItemRules & { readonly paths: readonly string[] }
    const told = estateItems(since, at).filter((item) => paths.includes(placeOf(item)))
    const items = told.map((item): RawItem => ({
      config: item,
      facts: { icon: 'cube', ...(isLast && { changes: estateChanges(item, since, at) }) },
      place: { source: placeOf(item) },
    }))
    yield { items, warnings: [] }
  },
})

/** Insights are of what is there now: expressions over what is gone would take most of the time. */
const withoutInsights = (row: ScraperRow): ScraperRow => ({
  ...row,
  spec: { ...ESTATE.spec, file: ESTATE_SOURCES.map((source) => ({ ...source, insights: [] })) },
})

/** @returns whether it was made; not where someone else runs the scraper, or deleted it */
export const makePast = (deps: PastDeps, times: PastTimes): Promise<boolean> => runPast(deps, HARBOUR_PAST, times)

const HARBOUR_PAST: EstatePast = {
  scraperId: ESTATE.id,
  firstDays: FIRST_DAYS,
  stepDays: STEP_DAYS,
  toRow: (row, isLast) => (isLast ? row : withoutInsights(row)),
  // What its systems told is told once, by the last run.
  toFamily: ({ since, at, isLast }) => pastFamily(since, at, isLast),
}
