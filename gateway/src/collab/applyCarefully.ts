// Applies an update to a document and gives up when that takes out of all proportion. Yjs looks for the place of an insertion
// among everything between its two neighbours; an update made for it (60 kB, 10,000 insertions with neighbours far apart)
// would hold the event loop, and later every browser, for half a minute.

import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

/** Insertions applied at a stretch. An honest one takes 1 to 5 µs. */
const CHUNK_STRUCTS = 64
/** Longer than this, one stretch may take because of a garbage collection or code that is not yet compiled, but not many. */
const SLOW_CHUNK_MS = 3
const MAX_SLOW_CHUNKS = 2
/** No honest stretch takes so long. */
const HOPELESS_CHUNK_MS = 15

type Structs = ReturnType<typeof Y.decodeUpdate>['structs']

/**
 * @param structs of the update, as decoded
 * @param cpuMs processor time of this process: what other processes take away does not count
 * @returns whether the update was applied; if not, the document holds a part of it and must be thrown away
 */
export function applyCarefully(
  doc: Y.Doc,
  update: Uint8Array,
  structs: Structs,
  cpuMs: () => number = processorTimeMs,
): boolean {
  let slowChunks = 0
  const isBearable = (chunk: Uint8Array): boolean => {
    const startedAt = cpuMs()
    Y.applyUpdate(doc, chunk)
    const tookMs = cpuMs() - startedAt
    if (tookMs > SLOW_CHUNK_MS) slowChunks += 1
    return tookMs <= HOPELESS_CHUNK_MS && slowChunks <= MAX_SLOW_CHUNKS
  }
  let isApplied = true
  // One transaction: an entry whose parts fall into several stretches is judged when it is complete.
  doc.transact(() => {
    for (let at = 0; at < structs.length && structs.length > CHUNK_STRUCTS; at += CHUNK_STRUCTS) {
      if (isBearable(toUpdate(structs.slice(at, at + CHUNK_STRUCTS)))) continue
      isApplied = false
      return
    }
    // What is left of a large update are its deletions; of a small one it is everything.
    const isSmall = structs.length <= CHUNK_STRUCTS
    if (isSmall) isApplied = isBearable(update)
    else Y.applyUpdate(doc, update)
  })
  return isApplied
}

/** Consecutive structs of a decoded update as an update of their own, without deletions. */
function toUpdate(structs: Structs): Uint8Array {
  const runs: Structs[] = []
  for (const struct of structs) {
    const run = runs.at(-1)
    if (run?.[0]?.id.client === struct.id.client) run.push(struct)
    else runs.push([struct])
  }
  const encoder = new Y.UpdateEncoderV1()
  encoding.writeVarUint(encoder.restEncoder, runs.length)
  for (const run of runs) {
    const [first] = run
    if (!first) continue
    encoding.writeVarUint(encoder.restEncoder, run.length)
    encoder.writeClient(first.id.client)
    encoding.writeVarUint(encoder.restEncoder, first.id.clock)
    for (const struct of run) struct.write(encoder, 0)
  }
  // No deletions.
  encoding.writeVarUint(encoder.restEncoder, 0)
  return encoder.toUint8Array()
}

function processorTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
