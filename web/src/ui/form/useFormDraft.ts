import { ownValue } from '@watchroom/shared/kernel'
import { useEffect, useEffectEvent, useState } from 'react'
import { z } from 'zod'

import { clearDraft, writeDraft } from '../../preferences/drafts.ts'
import { beginDraft, freshDraft } from './useDraft.ts'

/** What a form keeps in this tab of what was typed into it. */
export interface FormDraft {
  /** Unsaved work was found: someone reloaded the page, or their session ended. */
  readonly wasRestored: boolean
  /** It was begun on other values than the form has now: saving it as it is would undo what came between. */
  readonly isOutdated: boolean
  /** For what was saved or given up. */
  readonly forget: () => void
  /** Begins anew without it. */
  readonly discard: () => void
}

interface FormDraftOptions<Values> {
  /** Undefined: nothing is kept. */
  key: string | undefined
  /** What the form starts with. */
  initial: Values
  values: Values
  toKept: ((values: Values) => Values) | undefined
  isUnsaved: () => boolean
  isDirty: boolean
  onRestore: (values: Values) => void
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

/** A release may have changed the fields since. */
function isOfForm(kept: unknown, initial: object): boolean {
  const isRecord = typeof kept === 'object' && kept !== null && !Array.isArray(kept)
  return (
    isRecord &&
    Object.keys(kept).length === Object.keys(initial).length &&
    Object.entries(initial).every(([key, value]) => kindOf(ownValue({ ...kept }, key)) === kindOf(value))
  )
}

/** Keeps what is typed until it is saved or given up, for the same person at the same place in this tab. */
export function useFormDraft<Values extends object>(
  options: FormDraftOptions<Values>,
): Omit<FormDraft, 'discard'> & { readonly beginAnew: (base: Values) => void } {
  const { key, initial, values, isUnsaved, isDirty, onRestore } = options
  const [begun, setBegun] = useState(() =>
    key === undefined
      ? freshDraft(initial)
      : beginDraft(
          key,
          z.custom<Values>((kept) => isOfForm(kept, initial)),
          initial,
        ),
  )
  const { base, draft, wasRestored, isOutdated } = begun

  const restore = useEffectEvent(onRestore)
  useEffect(() => {
    if (wasRestored) restore(draft)
  }, [wasRestored, draft])

  // What has just been saved is dirty until its page goes.
  const isKept = useEffectEvent(isUnsaved)
  const toKept = useEffectEvent((all: Values) => options.toKept?.(all) ?? all)
  useEffect(() => {
    if (key === undefined) return
    if (!isDirty) clearDraft(key)
    else if (isKept()) writeDraft(key, { draft: toKept(values), base: toKept(base) })
  }, [key, isDirty, values, base])

  return {
    wasRestored,
    isOutdated,
    forget: () => {
      if (key !== undefined) clearDraft(key)
    },
    beginAnew: (next) => setBegun(freshDraft(next)),
  }
}
