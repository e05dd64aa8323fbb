// What may have led to something: changes, runs of playbooks and agents, the most likely first. The nearer in time and in the graph of
// the catalog, the more likely; what came later can hardly be the cause, but clocks differ.
import { z } from 'zod'

import { formatDuration } from '../time/index.ts'
import { severitiesFrom, type Severity, tryParseSeverity } from './severity.ts'

export const LENS_STARTS = ['config', 'check', 'component', 'incident', 'instant'] as const
export type LensStartKind = (typeof LENS_STARTS)[number]

/** Body of POST /catalog/what-changed. */
export const WhatChangedRequestSchema = z
  .object({
    start: z.enum(LENS_STARTS),
    /** Of what it starts from; an instant has none. */
    id: z.guid().nullish(),
    /** When it was noticed; else what the start itself says, else now. */
    at: z.iso.datetime({ offset: true }).nullish(),
  })
  .refine(({ start, id }) => start === 'instant' || Boolean(id), { message: 'This field is required', path: ['id'] })
export type WhatChangedRequest = z.infer<typeof WhatChangedRequestSchema>

const SuspectSchema = z.object({
  kind: z.enum(['change', 'run', 'agent']),
  id: z.string(),
  /** What happened. */
  title: z.string(),
  /** To what. */
  subject: z.string(),
  config_id: z.string().nullable(),
  at: z.string(),
  /** Steps in the graph from what it starts from; null where nothing leads there. */
  distance: z.number().int().min(0).nullable(),
  severity: z.string().nullable(),
})
export type Suspect = z.infer<typeof SuspectSchema>

export const WhatChangedSchema = z.object({
  /** The moment that times are compared with. */
  at: z.string(),
  /** The most likely first. */
  suspects: z.array(SuspectSchema),
})
export type WhatChanged = z.infer<typeof WhatChangedSchema>

/** Twice as far in time as this is half as likely, roughly. */
const TIME_SCALE_MS = 10 * 60_000
/** Further than the graph is walked. */
const UNRELATED = 8
const LATER_FACTOR = 4
/** A severe change is nearer than it stands. */
const SEVERE_FACTOR = 0.8
const SEVERE: ReadonlySet<Severity | null> = new Set(severitiesFrom('high'))

const isSevere = ({ severity }: Suspect): boolean => SEVERE.has(tryParseSeverity(severity))

/** The less, the more likely. */
function unlikelihood(suspect: Suspect, at: number): number {
  const distanceMs = at - Date.parse(suspect.at)
  const inTime = 1 + Math.abs(distanceMs) / TIME_SCALE_MS
  const inGraph = 1 + (suspect.distance ?? UNRELATED)
  const later = distanceMs < 0 ? LATER_FACTOR : 1
  return inTime * inGraph * later * (isSevere(suspect) ? SEVERE_FACTOR : 1)
}

/**
 * The most likely first, each once.
 *
 * @param at ISO moment that they are compared with
 */
export function rankSuspects(suspects: readonly Suspect[], at: string, limit: number): Suspect[] {
  const moment = Date.parse(at)
  const unique = new Map(suspects.map((suspect) => [`${suspect.kind} ${suspect.id}`, suspect]))
  return [...unique.values()]
    .map((suspect) => ({ suspect, unlikely: unlikelihood(suspect, moment) }))
    .toSorted(
      (a, b) =>
        a.unlikely - b.unlikely ||
        Date.parse(b.suspect.at) - Date.parse(a.suspect.at) ||
        (a.suspect.id < b.suspect.id ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ suspect }) => suspect)
}

/** Why it stands where it stands, in words. Nothing is related to an instant. */
export function reasonsOf(suspect: Suspect, at: string, start: LensStartKind): string[] {
  const distanceMs = Date.parse(at) - Date.parse(suspect.at)
  const duration = formatDuration(Math.abs(distanceMs))
  return [
    distanceMs < 0 ? `${duration} later` : `${duration} before`,
    ...(start === 'instant' ? [] : [describeDistance(suspect.distance)]),
    ...(isSevere(suspect) ? [`severity ${suspect.severity}`] : []),
  ]
}

function describeDistance(distance: number | null): string {
  if (distance === null) return 'not related'
  if (distance === 0) return 'directly linked'
  return distance === 1 ? '1 step away' : `${distance} steps away`
}
