// When the server took an entry (DOC-24). What a client says about the time of its own entries is kept in them as said; what
// orders them for everyone, and stands in the rows, is the moment at which the log took them.

import type * as Y from 'yjs'

import type { Root } from './schema.ts'

const STAMPS: Root = 'sync'

/** Written by the server alone, together with the entries themselves. @param paths such as `comments/<id>` @param at RFC 3339 */
export function stampEntries(doc: Y.Doc, paths: readonly string[], at: string): void {
  const sync = doc.getMap(STAMPS)
  for (const path of paths) if (!sync.has(path)) sync.set(path, at)
}

/** Null for entries of the server itself, and for those that are older than this rule. */
export function acceptedAt(doc: Y.Doc, root: 'hypotheses' | 'comments' | 'evidence', id: string): string | null {
  const at = doc.getMap(STAMPS).get(`${root}/${id}`)
  return typeof at === 'string' ? at : null
}
