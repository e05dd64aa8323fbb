import { z } from 'zod'

const timestamp = z.string().nullish()
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null)

/** Name and picture of a person or a team, as lists show them. */
export const FaceSchema = z.object({
  id: z.string(),
  name: optionalText,
  /** A picture's address for people, an icon's name for teams. */
  avatar: optionalText,
})
export type Face = z.infer<typeof FaceSchema>

const faces = z
  .array(FaceSchema)
  .nullish()
  .catch(null)
  .transform((list) => list ?? [])

/** A row of the view `incident_summary`: what the list of incidents shows and filters by. */
export const IncidentSummarySchema = z.object({
  id: z.string(),
  /** For people, for example INC-12. */
  incident_id: z.string(),
  title: z.string(),
  severity: z.string(),
  type: z.string(),
  status: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  commander: FaceSchema.nullish()
    .catch(null)
    .transform((face) => face ?? null),
  responders: faces,
  commenters: faces,
  /** The Owner filter; null on backends whose view has no such column. */
  created_by: optionalText,
  /** Components that the evidence is about, for the Component filter; empty where the view has no such column. */
  component_ids: z
    .array(z.string())
    .nullish()
    .transform((ids) => ids ?? []),
  /** The newest entry of its history; null where the view has no such column. */
  last_event: z
    .object({ type: optionalText, description: optionalText, created_at: timestamp })
    .nullish()
    .catch(null)
    .transform((event) => event ?? null),
})
export type IncidentSummary = z.infer<typeof IncidentSummarySchema>
