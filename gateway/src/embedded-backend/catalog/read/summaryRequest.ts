// What `POST /catalog/summary` is asked (backend reference 7.1): which items, grouped by what, with which figures.
import { parseWordFilter, type WordFilter } from '@watchroom/shared/catalog'
import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { Refusal } from '../../../platform/http/refusal.ts'

const MAX_GROUPS = 5
const MAX_KEYS = 50
const MAX_TEXT_CHARACTERS = 4_000

const text = z.string().max(MAX_TEXT_CHARACTERS).nullish()
const words = z.record(z.string().max(200), z.string().max(MAX_TEXT_CHARACTERS)).nullish()
const window = z.object({ since: text }).nullish()

export const SummaryRequestSchema = z.object({
  groupBy: z.array(z.string().trim().min(1).max(200)).max(MAX_GROUPS).nullish(),
  deleted: z.boolean().nullish(),
  filter: words,
  tags: words,
  health: text,
  status: text,
  changes: window,
  analysis: window,
  cost: text,
})
export type SummaryRequest = z.infer<typeof SummaryRequestSchema>

export const COST_WINDOWS = ['1d', '7d', '30d'] as const
export type CostWindow = (typeof COST_WINDOWS)[number]

export interface SummaryQuestion {
  /** `type`, or keys of tags. */
  readonly groupBy: readonly string[]
  readonly includesDeleted: boolean
  readonly labels: readonly { readonly key: string; readonly filter: WordFilter }[]
  readonly tags: readonly { readonly key: string; readonly filter: WordFilter }[]
  readonly health: WordFilter
  readonly status: WordFilter
  /** Counted from this moment on, where they are asked for. */
  readonly changesSince: Date | null
  readonly analysisSince: Date | null
  readonly cost: CostWindow | null
}

/** @throws Refusal with the reason */
export function parseSummaryRequest(request: SummaryRequest, now: number): SummaryQuestion {
  const groupBy = request.groupBy?.length ? [...new Set(request.groupBy)] : ['type']
  return {
    groupBy,
    includesDeleted: request.deleted ?? false,
    labels: toKeyFilters('filter', request.filter),
    tags: toKeyFilters('tags', request.tags),
    health: parseWordFilter(request.health ?? ''),
    status: parseWordFilter(request.status ?? ''),
    changesSince: parseSince('changes', request.changes?.since, now),
    analysisSince: parseSince('analysis', request.analysis?.since, now),
    cost: parseCost(request.cost ?? ''),
  }
}

function toKeyFilters(name: string, filters: SummaryRequest['filter']): { key: string; filter: WordFilter }[] {
  const entries = Object.entries(filters ?? {})
  if (entries.length > MAX_KEYS) throw refuse(`${name} has more than ${MAX_KEYS} keys`)
  return entries.map(([key, value]) => ({ key, filter: parseWordFilter(value, 'encoded') }))
}

function parseSince(name: string, since: string | null | undefined, now: number): Date | null {
  if (!since) return null
  const durationMs = tryParseDuration(since)
  if (durationMs === null || durationMs <= 0) throw refuse(`${name} since is invalid: ${since} is no duration`)
  const moment = new Date(now - durationMs)
  if (Number.isNaN(moment.getTime())) throw refuse(`${name} since is invalid: ${since} is too long`)
  return moment
}

function parseCost(cost: string): CostWindow | null {
  if (cost === '') return null
  const known = COST_WINDOWS.find((window) => window === cost)
  if (!known) throw refuse(`cost must be one of ${COST_WINDOWS.join(', ')}, not ${cost}`)
  return known
}

const refuse = (reason: string): Refusal => new Refusal(400, { error: reason })
