import type { PastTransitions } from '@watchroom/shared/topology/history'

import { parseMoment } from '../../ui/formatTime.ts'
import type { GlyphStatus } from '../../ui/StatusGlyph.tsx'

/** Something that happened, to step to. */
export interface Moment {
  readonly key: string
  readonly at: number
  readonly kind: 'Component' | 'Incident' | 'Change'
  readonly text: string
  readonly glyph?: GlyphStatus
}

type Transition = PastTransitions['transitions'][number]

function toText({ name, from, to }: Transition): string {
  if (from === null) return `${name} appeared, ${to?.health ?? 'unknown'}`
  if (to === null) return `${name} went away`
  if (from.health !== to.health) return `${name}: ${from.health} → ${to.health}`
  return `${name}: ${from.status || 'no status'} → ${to.status || 'no status'}`
}

interface Happened {
  transitions: readonly Transition[]
  incidents: readonly { id: string; title?: string | null | undefined; created_at: string }[]
  changes: readonly {
    id: string
    name?: string | null | undefined
    change_type?: string | null | undefined
    created_at: string
  }[]
}

/** In order of time, each once. */
export function toMoments({ transitions, incidents, changes }: Happened): Moment[] {
  const moments: Moment[] = [
    ...transitions.map((one): Moment => ({
      key: `${one.at} ${one.id}`,
      at: one.at,
      kind: 'Component',
      text: toText(one),
      glyph: one.to?.health ?? 'deleted',
    })),
    ...incidents.map((one): Moment => ({
      key: one.id,
      at: parseMoment(one.created_at),
      kind: 'Incident',
      text: `Incident began: ${one.title ?? ''}`,
    })),
    ...changes.map((one): Moment => ({
      key: one.id,
      at: parseMoment(one.created_at),
      kind: 'Change',
      text: [one.name, one.change_type].filter(Boolean).join(': '),
    })),
  ]
  const known = new Map(moments.map((moment) => [moment.key, moment]))
  return [...known.values()].filter(({ at }) => !Number.isNaN(at)).toSorted((a, b) => a.at - b.at)
}

/** The given number of them around an instant. */
export function momentsAround(moments: readonly Moment[], at: number, most: number): readonly Moment[] {
  const later = moments.findIndex((moment) => moment.at > at)
  const middle = later === -1 ? moments.length : later
  const first = Math.max(0, Math.min(middle - Math.floor(most / 2), moments.length - most))
  return moments.slice(first, first + most)
}

/** The next one in time; several at one instant are one step. */
export const nextMoment = (moments: readonly Moment[], at: number): number | undefined =>
  moments.find((moment) => moment.at > at)?.at

export const previousMoment = (moments: readonly Moment[], at: number): number | undefined =>
  moments.findLast((moment) => moment.at < at)?.at
