import { useState } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { clearDraft, readDraft, writeDraft } from '../../../preferences/drafts.ts'

const CommentDraftSchema = z.object({
  text: z.string(),
  mentions: z.array(z.object({ name: z.string(), userId: z.string() })),
  /** Hypothesis chosen for it; empty if none. */
  hypothesisId: z.string(),
})
/** A comment that is still being written. */
export type CommentDraft = Readonly<z.infer<typeof CommentDraftSchema>>

const NOTHING: CommentDraft = { text: '', mentions: [], hypothesisId: '' }

/**
 * The comment being written at one place. It survives switching tabs and reloading the page.
 *
 * @param place where it is written: an incident's timeline, or a hypothesis
 */
export function useCommentDraft(
  place: string,
): readonly [draft: CommentDraft, change: (patch: Partial<CommentDraft>) => void, clear: () => void] {
  const key = `comment/${useIncidentPart((room) => room.self.user.id)}/${place}`
  const [state, setState] = useState(() => ({ key, draft: readComment(key) }))
  const draft = state.key === key ? state.draft : readComment(key)
  const set = (next: CommentDraft): void => {
    setState({ key, draft: next })
    if (next.text === '' && next.hypothesisId === '') clearDraft(key)
    else writeDraft(key, next)
  }
  return [draft, (patch) => set({ ...draft, ...patch }), () => set({ ...NOTHING, hypothesisId: draft.hypothesisId })]
}

const readComment = (key: string): CommentDraft => readDraft(key, CommentDraftSchema) ?? NOTHING
