import { z } from 'zod'

import { FaceSchema } from './incidentSummary.ts'

const timestamp = z.string().nullish()
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
const face = FaceSchema.nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** Of a team's settings only what a screen links with: the rest holds credentials of ticket systems. */
const TeamSchema = z.object({
  id: z.string(),
  name: optionalText,
  icon: optionalText,
  spec: z
    .object({ responder_clients: z.record(z.string(), z.object({ linkUrl: z.string().optional() })).optional() })
    .nullish()
    .catch(null),
})

/** Changes of an incident that its topic carries, the newest ones. */
export const MAX_HISTORY = 500

/** Someone who was called in. */
export const ResponderEventSchema = z.object({
  kind: z.literal('responder'),
  id: z.string(),
  /** Stored as `system` for persons too by older consoles; a `person_id` is what tells them apart. */
  type: z.string(),
  person_id: optionalText,
  team_id: optionalText,
  /** Ticket in the other system, once there is one. */
  external_id: optionalText,
  properties: z.record(z.string(), z.unknown()).nullish().catch(null),
  acknowledged: timestamp,
  resolved: timestamp,
  closed: timestamp,
  created_at: timestamp,
  created_by: face,
  person: face,
  team: TeamSchema.nullish()
    .catch(null)
    .transform((team) => team ?? null),
})
export type ResponderEvent = z.infer<typeof ResponderEventSchema>

const named = z
  .looseObject({ id: z.string() })
  .nullish()
  .catch(null)
  .transform((row) => row ?? null)

/** One entry of an incident's changelog, with what it is about as far as that still exists. */
export const HistoryEventSchema = z.object({
  kind: z.literal('history'),
  id: z.string(),
  type: optionalText,
  description: optionalText,
  created_at: timestamp,
  created_by: face,
  hypothesis: z
    .object({ id: z.string(), title: z.string() })
    .nullish()
    .catch(null)
    .transform((row) => row ?? null),
  comment: z
    .object({ id: z.string(), comment: z.string() })
    .nullish()
    .catch(null)
    .transform((row) => row ?? null),
  responder: z
    .object({ id: z.string(), person: face, team: TeamSchema.nullish().catch(null) })
    .nullish()
    .catch(null)
    .transform((row) => row ?? null),
  evidence: z
    .object({
      id: z.string(),
      description: optionalText,
      type: z.string(),
      components: named,
      configs: named,
      config_changes: named,
      config_analysis: named,
      checks: named,
    })
    .nullish()
    .catch(null)
    .transform((row) => row ?? null),
})
export type HistoryEvent = z.infer<typeof HistoryEventSchema>

/** What belongs to one incident and is not in its shared document. */
export const IncidentEventSchema = z.discriminatedUnion('kind', [ResponderEventSchema, HistoryEventSchema])
export type IncidentEvent = z.infer<typeof IncidentEventSchema>
