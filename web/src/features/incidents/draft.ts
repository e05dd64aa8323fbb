import { IncidentSeveritySchema, IncidentStatusSchema, IncidentTypeSchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

/** Texts of the second specification, sections 5 and 8. */
export const DRAFT_TEXTS = {
  required: 'This field is required',
  severity: 'Please select incident severity',
  type: 'Please select an incident type',
} as const

/** A new incident as its form holds it; empty where nothing is chosen yet. */
export interface DraftFields {
  readonly title: string
  readonly description: string
  readonly severity: string
  readonly status: string
  readonly type: string
}

/** What a new incident starts with (second specification, section 9). */
export const NEW_INCIDENT: DraftFields = {
  title: '',
  description: '',
  severity: 'low',
  status: 'open',
  type: 'availability',
}

const DraftSchema = z.object({
  title: z.string().trim().min(1),
  description: z.string().trim(),
  severity: IncidentSeveritySchema,
  status: IncidentStatusSchema,
  type: IncidentTypeSchema,
})
type Draft = z.infer<typeof DraftSchema>

export type DraftErrors = Readonly<Partial<Record<keyof DraftFields, string>>>

const TEXT_OF: Record<keyof DraftFields, string> = {
  title: DRAFT_TEXTS.required,
  description: DRAFT_TEXTS.required,
  severity: DRAFT_TEXTS.severity,
  status: DRAFT_TEXTS.required,
  type: DRAFT_TEXTS.type,
}

/** The draft, or what is wrong with it by field. */
export function checkDraft(
  fields: DraftFields,
): { readonly draft: Draft; readonly errors: null } | { readonly draft: null; readonly errors: DraftErrors } {
  const parsed = DraftSchema.safeParse(fields)
  if (parsed.success) return { draft: parsed.data, errors: null }
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const errors = Object.entries(TEXT_OF).filter(([field]) => wrong.has(field))
  return { draft: null, errors: Object.fromEntries(errors) }
}
