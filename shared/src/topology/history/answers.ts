// What the gateway answers about the past of the topology, and how it is asked.
import { z } from 'zod'

import { parseTimestamp } from '../../time/index.ts'
import { TopologyAnswerSchema } from '../component.ts'
import { COMPONENT_HEALTHS } from '../componentHealth.ts'
import { ComparedComponentSchema } from './estateDiff.ts'

/** Times that every table holds: the years 1 to 9999. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** Milliseconds since the epoch, from a time such as `2026-01-31T12:00:00Z`. */
export const InstantSchema = z.string().transform((text, context): number => {
  const at = parseTimestamp(text)
  if (at !== null && at >= FIRST && at <= LAST) return at
  context.addIssue({ code: 'custom', message: 'Must be a time such as 2026-01-31T12:00:00Z' })
  return z.NEVER
})

/** Nobody wrote down what happened in it. Both ends in milliseconds; an end of null is still open. */
const HoleSchema = z.object({ from: z.number(), until: z.number().nullable() })
export type RecordingHole = z.infer<typeof HoleSchema>

const RecordingSchema = z.object({
  /** Since when it can be known; null where nothing was recorded yet. */
  recordedSince: z.number().nullable(),
  holes: z.array(HoleSchema),
})

/** A page of the topology as it was. */
export const PastPageSchema = RecordingSchema.extend({
  at: z.number(),
  /** Null where nobody knows; within a hole what was seen last. */
  page: TopologyAnswerSchema.nullable(),
  /** From the top down to what the component of the page is in. */
  above: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type PastPage = z.infer<typeof PastPageSchema>

const MomentSchema = z.object({ health: z.enum(COMPONENT_HEALTHS), status: z.string() })

const TransitionSchema = z.object({
  at: z.number(),
  id: z.string(),
  name: z.string(),
  /** Null where it was not there. */
  from: MomentSchema.nullable(),
  to: MomentSchema.nullable(),
})
export type PastTransition = z.infer<typeof TransitionSchema>

export const PastTransitionsSchema = RecordingSchema.extend({
  transitions: z.array(TransitionSchema),
  /** More happened than is listed. */
  isCut: z.boolean(),
  /** How many in each part of the range, of equal length, and how many of them to unhealthy. Empty parts are left out. */
  density: z.array(z.object({ at: z.number(), count: z.number(), unhealthy: z.number() })),
  /** The component that was asked about and what was below it, the nearest first, as many as are named. */
  below: z.array(z.string()).default([]),
})
/** Of what is below a component, so that an address can name them. */
export const NAMED_BELOW = 100

export type PastTransitions = z.infer<typeof PastTransitionsSchema>

export const PastDiffSchema = RecordingSchema.extend({
  from: z.number(),
  to: z.number(),
  /** Null where one of the instants is not known. */
  components: z.array(ComparedComponentSchema).nullable(),
  /** How many components differ, and how many of those at the top are not listed. */
  differences: z.number(),
  moreTop: z.number(),
})
