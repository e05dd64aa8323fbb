// What a rule that is being written would say, and what it would have sent.
import { z } from 'zod'

export const RuleDraftSchema = z.object({
  events: z.array(z.string().max(100)).max(50),
  title: z.string().max(1_000).nullish(),
  filter: z.string().max(10_000).nullish(),
  template: z.string().max(100_000).nullish(),
})
export type RuleDraft = z.infer<typeof RuleDraftSchema>

const FaultSchema = z.object({ field: z.enum(['title', 'filter', 'template']), message: z.string() })
export type RuleFault = z.infer<typeof FaultSchema>

export const RulePreviewSchema = z.object({
  faults: z.array(FaultSchema),
  /** Null where it cannot be made; of the resource that an event was about last. */
  sample: z
    .object({
      event: z.string(),
      resource: z.string(),
      title: z.string(),
      text: z.string(),
      /** Whether the filter lets it through; null when it cannot be asked about this one. */
      passes: z.boolean().nullable(),
    })
    .nullable(),
})
export type RulePreview = z.infer<typeof RulePreviewSchema>

/** How far back a rule is tried; what happened is kept as long. */
export const REHEARSED_DAYS = 7

export const RehearsalDraftSchema = RuleDraftSchema.pick({ events: true, filter: true }).extend({
  /** The rule that is being edited: what it sent before those days may keep it quiet during them. */
  id: z.guid().nullish(),
  person_id: z.guid().nullish(),
  team_id: z.guid().nullish(),
  custom_services: z
    .array(z.looseObject({ connection: z.string().max(300).nullish() }))
    .max(20)
    .nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  repeat_interval: z.string().max(20).nullish(),
  /** Nanoseconds. */
  wait_for: z.number().min(0).nullish(),
  group_by: z.array(z.string().max(200)).max(20).nullish(),
})
export type RehearsalDraft = z.infer<typeof RehearsalDraftSchema>

const count = z.number()
export const RehearsalSchema = z.object({
  /** What is wrong with the filter; nothing was tried then. */
  faults: z.array(FaultSchema),
  /** When the first of the transitions happened that were tried; later than a week ago where there were too many. */
  since: z.iso.datetime(),
  /** Transitions that the rule asks for. */
  transitions: count,
  /** By what would have become of them: messages to each recipient, and what was not sent. */
  counts: z.object({
    pending: count,
    sent: count,
    grouped: count,
    'held-back': count,
    silenced: count,
    'repeat-interval': count,
    'rate-limited': count,
    error: count,
    filtered: count,
  }),
})
export type Rehearsal = z.infer<typeof RehearsalSchema>
