import { checkDraft, type DraftErrors, type DraftFields } from '../../draft.ts'

/** Chosen in place of an id: the hypothesis is made with the link. */
export const NEW_HYPOTHESIS = 'new'

/** The dialog's form. Both ways keep what was entered while the other one is looked at. */
export interface LinkFields {
  readonly way: 'existing' | 'new'
  /** Empty: none chosen. */
  readonly incidentId: string
  readonly hypothesisId: string
  /** Of a hypothesis that is to be made, when `hypothesisId` is `NEW_HYPOTHESIS`. */
  readonly hypothesisTitle: string
  readonly draft: DraftFields
}

export type LinkErrors = DraftErrors & { readonly incident?: string; readonly hypothesis?: string }

/** What is wrong with the form, in the words of the second specification, section 5; empty when nothing is. */
export function checkLink({ way, incidentId, hypothesisId, draft }: LinkFields): LinkErrors {
  if (way === 'new') return checkDraft(draft).errors ?? {}
  if (incidentId === '') return { incident: 'Must select or create an incident' }
  return hypothesisId === '' ? { hypothesis: 'Must select or create a hypothesis' } : {}
}
