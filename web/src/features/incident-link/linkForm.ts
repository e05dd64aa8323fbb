import { z } from 'zod'

import { type IncidentDraftFields, IncidentDraftSchema } from '../../api/incidentDraft.ts'

/** Chosen in place of an id: the hypothesis is made with the link. */
export const NEW_HYPOTHESIS = 'new'

/** The dialog's form. Both ways keep what was entered while the other one is looked at. */
export interface LinkFields {
  way: 'existing' | 'new'
  incident: string
  /** Title of the hypothesis when it is to be made: then its id is `NEW_HYPOTHESIS`. */
  hypothesis: { id: string; title: string }
  draft: IncidentDraftFields
  description: string
}

/** What is asked for depends on the way, in the words of the second specification, section 5. */
export const LinkSchema = z.custom<LinkFields>().transform(({ way, incident, hypothesis, draft, ...rest }, context) => {
  const description = rest.description.trim()
  const refuse = (field: keyof LinkFields, message: string): never => {
    context.addIssue({ code: 'custom', path: [field], message })
    return z.NEVER
  }
  if (way === 'existing') {
    if (incident === '') return refuse('incident', 'Must select or create an incident')
    if (hypothesis.id === '') return refuse('hypothesis', 'Must select or create a hypothesis')
    return { way, incidentId: incident, hypothesis, description }
  }
  const parsed = IncidentDraftSchema.safeParse(draft)
  if (parsed.success) return { way, draft: parsed.data, description }
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: 'custom', path: ['draft', ...path], message })
  }
  return z.NEVER
})
