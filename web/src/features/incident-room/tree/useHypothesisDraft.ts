import { HypothesisTypeSchema } from '@watchroom/shared/incidents'
import { useState } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { clearDraft, readDraft, writeDraft } from '../../../preferences/drafts.ts'

const DraftSchema = z.object({
  parentId: z.string().nullable(),
  afterId: z.string().nullable(),
  /** The row it is shown after, including everything below that; null for the end. */
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
  /** It was started earlier, before the plan was last left. */
  readonly isRestored: boolean
  /** How often it was started here; each time its field takes the focus. */
  readonly beginCount: number
  /** A half-written draft moves to the new place. */
  readonly begin: (place: Omit<HypothesisDraft, 'type' | 'title'>) => void
  readonly change: (patch: Partial<Pick<HypothesisDraft, 'type' | 'title'>>) => void
  readonly end: () => void
}

/** The new hypothesis being written. It survives switching tabs and reloading the page. */
export function useHypothesisDraft(incidentId: string): KeptHypothesisDraft {
  const key = `hypothesis/${useIncidentPart((room) => room.self.user.id)}/${incidentId}`
  const [state, setState] = useState(() => restore(key))
  const { draft, isRestored, beginCount } = state.key === key ? state : restore(key)
  const set = (next: Pick<typeof state, 'draft' | 'isRestored' | 'beginCount'>): void => {
    setState({ key, ...next })
    // An empty line is not kept: one key opens it again.
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
