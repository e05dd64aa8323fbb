// The tray: texts of own edits that were not accepted and are sent again only by hand (COLLAB-7).

import type { IncidentView } from '@watchroom/shared/collab'

import type { RejectedText } from './contract.ts'
import { toLostTexts, withoutKnown } from './toRejectedTexts.ts'
import { uuidV7 } from './uuidV7.ts'

export interface RefusedTexts {
  readonly all: () => readonly RejectedText[]
  /** @param fields that the edits touched, in a document that still has the edits */
  readonly add: (view: IncidentView, fields: readonly string[], reason: string) => void
  readonly dismiss: (id: string) => void
  /** Adds what this browser had stored. */
  readonly restore: (stored: readonly RejectedText[]) => void
  /** What this browser should store, given what it has stored: only other tabs may dismiss their texts. */
  readonly toStore: (stored: readonly RejectedText[]) => RejectedText[]
  /** Removes those that the gateway's document contains: they had arrived, and only the acknowledgement was lost. */
  readonly compare: (news: IncidentView) => void
}

export function createRefusedTexts(deps: { readonly now: () => number; readonly random: () => number }): RefusedTexts {
  let texts: readonly RejectedText[] = []
  /** Ids that have ever been in this tab's tray. */
  const own = new Set<string>()

  const put = (added: readonly RejectedText[]): void => {
    texts = [...texts, ...added]
    for (const { id } of added) own.add(id)
  }

  return {
    all: () => texts,
    add: (view, fields, reason) => {
      const lost = toLostTexts(view, fields)
      const named = lost.length > 0 ? lost : [{ field: '', label: 'A change without text', text: '' }]
      const at = deps.now()
      put(named.map((text) => ({ ...text, id: uuidV7(at, deps.random), reason, at })))
    },
    dismiss: (id) => {
      texts = texts.filter((text) => text.id !== id)
    },
    restore: (stored) => put(stored.filter(({ id }) => !texts.some((text) => text.id === id))),
    toStore: (stored) => [...stored.filter(({ id }) => !own.has(id)), ...texts],
    compare: (news) => {
      texts = withoutKnown(texts, news)
    },
  }
}
