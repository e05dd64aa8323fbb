import * as Y from 'yjs'

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
