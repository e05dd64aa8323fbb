import * as Y from 'yjs'

const META = 'meta'

/** What an update brings, read from its bytes before anything is applied. */
export interface UpdateFacts {
  readonly structs: ReturnType<typeof Y.decodeUpdate>['structs']
  /** Ranges it deletes, and how many they are. */
  readonly deleted: ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>
  readonly deletes: number
  readonly clientIds: ReadonlySet<number>
}

/** Null when the bytes are no update. */
export function inspectUpdate(update: Uint8Array): UpdateFacts | null {
  try {
    const { structs, ds } = Y.decodeUpdate(update)
    let deletes = 0
    for (const ranges of ds.clients.values()) deletes += ranges.length
    return { structs, deleted: ds.clients, deletes, clientIds: new Set(structs.map(({ id }) => id.client)) }
  } catch {
    // Truncated or made up: the same answer for both.
    return null
  }
}

/**
 * The epoch of the document that an update is of, where it brings that along: a copy of another lineage, which a client without
 * the means to say so kept while the document was replaced (COLLAB-19). Null for every other update.
 */
export function epochIn({ structs }: UpdateFacts): string | null {
  for (const struct of structs) {
    // The first value of a key names its place by the word; later ones only by what they follow.
    if (!(struct instanceof Y.Item) || (struct.parent as unknown) !== META || struct.parentSub !== 'epoch') continue
    const [epoch] = struct.content instanceof Y.ContentAny ? (struct.content.arr as unknown[]) : []
    if (typeof epoch === 'string') return epoch
  }
  return null
}
