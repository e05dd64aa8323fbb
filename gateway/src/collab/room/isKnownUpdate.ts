import * as Y from 'yjs'

import type { UpdateFacts } from './inspectUpdate.ts'

/**
 * Whether nothing is new in an update: the answer to our state vector when both sides are equal, or a repeated frame. Looks
 * only at what the update names, not at the whole document.
 */
export function isKnownUpdate(doc: Y.Doc, { structs, deleted }: UpdateFacts): boolean {
  for (const { id, length } of structs) if (id.clock + length > Y.getState(doc.store, id.client)) return false
  for (const [client, ranges] of deleted) {
    const known = doc.store.clients.get(client)
    for (const { clock, len } of ranges) {
      if (len === 0) continue
      if (!known || clock + len > Y.getState(doc.store, client)) return false
      for (let index = Y.findIndexSS(known, clock); ; index++) {
        const struct = known[index]
        if (!struct || struct.id.clock >= clock + len) break
        if (!struct.deleted) return false
      }
    }
  }
  return true
}
