import * as Y from 'yjs'

/** People who come back have state vectors of their own; more of these are not worth their memory. */
const MAX_CACHED = 16
/** State vector of someone who has nothing. */
const NOTHING = Y.encodeStateVector(new Y.Doc())

/** What a document answers to those who ask for what they lack. */
export interface Answers {
  /** What someone lacks whose state vector this is. Those who come together have the same one, and are answered for the price of one. */
  since(stateVector: Uint8Array): Uint8Array
  /** All of it. */
  whole(): Uint8Array
  /** All that was deleted, which is part of every answer of an honest peer besides its news. */
  deletions(): Uint8Array
}

export function createAnswers(doc: Y.Doc): Answers {
  /** By state vector, all of the same content. */
  const cached = new Map<string, Uint8Array>()
  doc.on('update', () => cached.clear())

  const since = (stateVector: Uint8Array): Uint8Array => {
    const key = Buffer.from(stateVector).toString('latin1')
    const known = cached.get(key)
    if (known) return known
    const answer = Y.encodeStateAsUpdate(doc, stateVector)
    if (cached.size < MAX_CACHED) cached.set(key, answer)
    return answer
  }

  return {
    since,
    whole: () => since(NOTHING),
    deletions: () => Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)),
  }
}
