import { IncidentSeveritySchema, IncidentStatusSchema, IncidentTypeSchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { choiceOf, requiredText } from '../ui/form/rules.ts'

/** A new incident, with the texts of the second specification, sections 5 and 8. */
export const IncidentDraftSchema = z.object({
  title: requiredText,
  description: z.string().trim(),
  severity: choiceOf(IncidentSeveritySchema.options, 'Please select incident severity'),
  status: choiceOf(IncidentStatusSchema.options),
  type: choiceOf(IncidentTypeSchema.options, 'Please select an incident type'),
})
export type IncidentDraft = z.output<typeof IncidentDraftSchema>
/** As its form holds it; empty where nothing is chosen yet. */
export type IncidentDraftFields = z.input<typeof IncidentDraftSchema>

/** What a new incident starts with (second specification, section 9). */
export const NEW_INCIDENT: IncidentDraftFields = {
  title: '',
  description: '',
  severity: 'low',
  status: 'open',
  type: 'availability',
}
