import type * as Y from 'yjs'

import { readIncident, rootOf, toDodKey } from './readIncident.ts'

/**
 * Writes what the evaluation found about an item of the definition of done, in nobody's name. Nothing happens when the item is
 * gone or says so already: a person may have been faster.
 *
 * @param verdict.at RFC 3339
 */
export function writeVerdict(doc: Y.Doc, evidenceId: string, verdict: { done: boolean; at: string }): void {
  const item = readIncident(doc).evidence.find(({ id }) => id === evidenceId)
  if (!item || item.removed || !item.isDefinitionOfDone || item.done === verdict.done) return
  rootOf(doc, 'dod').set(toDodKey(evidenceId, 'done'), { ...verdict, by: null })
}
