import { useState } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { keepDraft, readDraft } from '../../../preferences/keptDrafts.ts'

const CommentDraftSchema = z.object({
  text: z.string(),
  mentions: z.array(z.object({ name: z.string(), userId: z.string() })),
  /** Hypothesis that was chosen for it; empty where none was. */
  hypothesisId: z.string(),
})
/** A comment that is still being written. */
export type CommentDraft = Readonly<z.infer<typeof CommentDraftSchema>>

const NOTHING: CommentDraft = { text: '', mentions: [], hypothesisId: '' }

/**
 * The comment being written at one place. It is there again after another tab was looked at and after the page was reloaded.
 *
 * @param place where it is written: an incident's timeline, or a hypothesis
 */
export function useCommentDraft(
  place: string,
): readonly [draft: CommentDraft, change: (patch: Partial<CommentDraft>) => void, clear: () => void] {
  const key = `${useIncidentPart((room) => room.self.user.id)}/${place}`
  const [state, setState] = useState(() => ({ key, draft: parseDraft(readDraft(key)) }))
  const draft = state.key === key ? state.draft : parseDraft(readDraft(key))
  const set = (next: CommentDraft): void => {
    setState({ key, draft: next })
    keepDraft(key, next.text === '' && next.hypothesisId === '' ? null : JSON.stringify(next))
  }
  return [draft, (patch) => set({ ...draft, ...patch }), () => set({ ...NOTHING, hypothesisId: draft.hypothesisId })]
}

function parseDraft(stored: string | null): CommentDraft {
  if (stored === null) return NOTHING
  try {
    const parsed = CommentDraftSchema.safeParse(JSON.parse(stored))
    return parsed.success ? parsed.data : NOTHING
  } catch {
    // Another version of this page may have written it.
    return NOTHING
  }
}
