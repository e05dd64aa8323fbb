import { HypothesisTypeSchema } from '@watchroom/shared/incidents'
import { useState } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { clearDraft, readDraft, writeDraft } from '../../../preferences/drafts.ts'

const DraftSchema = z.object({
  parentId: z.string().nullable(),
  afterId: z.string().nullable(),
  /** Row it is shown behind, with all that is below that; null at the end. */
  behindId: z.string().nullable(),
  level: z.number(),
  /** Type that is offered first, and the one that was chosen. */
  offered: HypothesisTypeSchema,
  type: HypothesisTypeSchema,
  title: z.string(),
})
/** A new hypothesis that is still being written, and where it will stand. */
export type HypothesisDraft = Readonly<z.infer<typeof DraftSchema>>

export interface KeptHypothesisDraft {
  readonly draft: HypothesisDraft | null
  /** It was begun before, and the plan was not on screen meanwhile. */
  readonly isRestored: boolean
  /** How often it was begun here: each time its field takes the focus. */
  readonly beginCount: number
  /** What is half-written moves to the new place. */
  readonly begin: (place: Omit<HypothesisDraft, 'type' | 'title'>) => void
  readonly change: (patch: Partial<Pick<HypothesisDraft, 'type' | 'title'>>) => void
  readonly end: () => void
}

/** The new hypothesis of an incident. It is there again after another tab was looked at and after the page was reloaded. */
export function useHypothesisDraft(incidentId: string): KeptHypothesisDraft {
  const key = `hypothesis/${useIncidentPart((room) => room.self.user.id)}/${incidentId}`
  const [state, setState] = useState(() => restore(key))
  const { draft, isRestored, beginCount } = state.key === key ? state : restore(key)
  const set = (next: Pick<typeof state, 'draft' | 'isRestored' | 'beginCount'>): void => {
    setState({ key, ...next })
    // A line that nothing was written in is opened again with one key.
    if (next.draft === null || next.draft.title === '') clearDraft(key)
    else writeDraft(key, next.draft)
  }
  return {
    draft,
    isRestored,
    beginCount,
    begin: (place) => {
      const type = draft?.offered === place.offered ? draft.type : place.offered
      set({ draft: { ...place, type, title: draft?.title ?? '' }, isRestored: false, beginCount: beginCount + 1 })
    },
    change: (patch) => (draft === null ? undefined : set({ draft: { ...draft, ...patch }, isRestored, beginCount })),
    end: () => set({ draft: null, isRestored: false, beginCount }),
  }
}

const restore = (key: string) => ({ key, draft: readDraft(key, DraftSchema), isRestored: true, beginCount: 0 })
