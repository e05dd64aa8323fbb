import { z } from 'zod'

/** Lengths of the scrubber. */
export const SPANS = ['1h', '6h', '24h', '7d', '14d'] as const
export type Span = (typeof SPANS)[number]

const HOUR_MS = 3_600_000
export const SPAN_MS: Readonly<Record<Span, number>> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '14d': 14 * 24 * HOUR_MS,
}

const instant = z.iso.datetime({ offset: true }).catch('')

/** What a link into the past carries; an instant that is none leads to the present. */
export const PastSearchSchema = z.object({
  /** The instant that is shown, or the earlier one of two. */
  at: instant,
  /** The later one: then both are compared. */
  to: instant,
  span: z.enum(SPANS).catch('24h'),
})
export type PastSearch = z.infer<typeof PastSearchSchema>

export const toInstant = (moment: number): string => new Date(moment).toISOString()
