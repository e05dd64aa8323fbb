import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'

import { clearDraft, readDraft, writeDraft } from '../../preferences/drafts.ts'

export interface DraftState<Work> {
  readonly draft: Work
  readonly isDirty: boolean
  /** The draft was found in this tab's storage: someone reloaded the page, or came back to it. */
  readonly wasRestored: boolean
  /** It was begun on another version than `base`: saving it as it is would undo what came between. */
  readonly isOutdated: boolean
  readonly set: (draft: Work) => void
  /** Begins anew from a version. */
  readonly reset: (base: Work) => void
  /** Begins anew from `base`. */
  readonly discard: () => void
  /** Asked when someone leaves: what has just been saved is none. */
  readonly hasUnsavedWork: () => boolean
  /** The stored copy goes, with the work that was given up. */
  readonly forget: () => void
  /** It was saved, or what it is about was deleted: nothing of it can be lost any more. */
  readonly finish: () => void
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What a draft was begun with. */
export interface BegunDraft<Work> {
  readonly draft: Work
  readonly base: Work
  readonly wasRestored: boolean
  readonly isOutdated: boolean
}

export const freshDraft = <Work>(base: Work): BegunDraft<Work> => ({
  draft: base,
  base,
  wasRestored: false,
  isOutdated: false,
})

/** What is kept in this tab under the key, where that is work of someone and fits; else a draft without any. */
export function beginDraft<Work>(key: string, schema: z.ZodType<Work>, base: Work): BegunDraft<Work> {
  const stored = readDraft(key, z.object({ draft: schema, base: schema }))
  const isWork = stored !== null && !isSame(stored.draft, stored.base) && !isSame(stored.draft, base)
  return isWork ? { ...stored, wasRestored: true, isOutdated: !isSame(stored.base, base) } : freshDraft(base)
}

/**
 * What someone writes, kept in this tab until it is saved or given up. Not for secrets: what a tab keeps can be read there.
 *
 * @param key of person and place
 */
export function useDraft<Work>(key: string, schema: z.ZodType<Work>, base: Work): DraftState<Work> {
  const [state, setState] = useState(() => beginDraft(key, schema, base))
  const isDirty = !isSame(state.draft, state.base)
  const isDone = useRef(false)

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
    reset: (next) => setState(freshDraft(next)),
    discard: () => setState(freshDraft(base)),
    hasUnsavedWork: () => isDirty && !isDone.current,
    forget: () => clearDraft(key),
    finish: () => {
      isDone.current = true
      clearDraft(key)
    },
  }
}
