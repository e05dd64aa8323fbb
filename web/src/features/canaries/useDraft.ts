import { useEffect, useState } from 'react'

import { clearDraft, readDraft, writeDraft } from '../../preferences/sessionDraft.ts'
import { type Draft, isSameDraft, StoredDraftSchema } from './draft.ts'

export interface DraftState {
  readonly draft: Draft
  readonly isDirty: boolean
  /** The draft was found in this tab's storage: somebody reloaded the page, or came back to it. */
  readonly wasRestored: boolean
  /** It was begun on another version than `base`: saving it as it is would undo what came between. */
  readonly isOutdated: boolean
  readonly set: (draft: Draft) => void
  /** Begins anew from a version. */
  readonly reset: (base: Draft) => void
  /** The stored copy is gone; for a draft that was saved or given up. */
  readonly forget: () => void
}

/** What somebody writes, kept in this tab until it is saved or given up. */
export function useDraft(key: string, base: Draft): DraftState {
  const [state, setState] = useState(() => {
    const stored = readDraft(key, StoredDraftSchema)
    const isWork = stored !== null && !isSameDraft(stored.draft, stored.base) && !isSameDraft(stored.draft, base)
    return isWork
      ? { ...stored, wasRestored: true, isOutdated: !isSameDraft(stored.base, base) }
      : { draft: base, base, wasRestored: false, isOutdated: false }
  })
  const isDirty = !isSameDraft(state.draft, state.base)

  useEffect(() => {
    if (isDirty) writeDraft(key, { draft: state.draft, base: state.base })
    else clearDraft(key)
  }, [key, isDirty, state.draft, state.base])

  return {
    draft: state.draft,
    isDirty,
    wasRestored: state.wasRestored,
    isOutdated: state.isOutdated,
    set: (draft) => setState((current) => ({ ...current, draft })),
    reset: (next) => setState({ draft: next, base: next, wasRestored: false, isOutdated: false }),
    forget: () => clearDraft(key),
  }
}
