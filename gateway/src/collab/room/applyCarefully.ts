// Applies an update to a document and gives up when that takes out of all proportion. Yjs looks for the place of an insertion
// among everything between its two neighbors; an update made for it (60 kB, 10,000 insertions with neighbors far apart)
// would hold the event loop, and later every browser, for half a minute.

import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

/** Insertions applied at a stretch. An honest one takes 1 to 5 µs. */
const CHUNK_STRUCTS = 64
/** What no honest stretch exceeds by its own work. */
const FAIR_CHUNK_MS = 1
/**
 * What all stretches of an update may take beyond that. A garbage collection or code that is not yet compiled falls into some
 * stretch; work made to take long is in every one.
 */
const SPARE_MS = 20

/**
 * `slow`: applied, but it took long. A single stretch cannot tell bad luck from bad will; whoever sends several means it.
 * `tooSlow`: given up; the document holds a part of it and must be thrown away.
 */
export type Application = 'applied' | 'slow' | 'tooSlow'

type Structs = ReturnType<typeof Y.decodeUpdate>['structs']

/**
 * @param structs of the update, as decoded
 * @param cpuMs processor time of this process: what other processes take away does not count
 */
export function applyCarefully(
  doc: Y.Doc,
  update: Uint8Array,
  structs: Structs,
  cpuMs: () => number = processorTimeMs,
): Application {
  let excessMs = 0
  const isBearable = (chunk: Uint8Array): boolean => {
    const startedAt = cpuMs()
    Y.applyUpdate(doc, chunk)
    excessMs += Math.max(0, cpuMs() - startedAt - FAIR_CHUNK_MS)
    return excessMs <= SPARE_MS
  }
  if (structs.length <= CHUNK_STRUCTS) return isBearable(update) ? 'applied' : 'slow'
  let application: Application = 'applied'
  // One transaction: an entry whose parts fall into several stretches is judged when it is complete.
  doc.transact(() => {
    for (let at = 0; at < structs.length; at += CHUNK_STRUCTS) {
      if (isBearable(toUpdate(structs.slice(at, at + CHUNK_STRUCTS)))) continue
      application = 'tooSlow'
      return
    }
    // What is left are its deletions.
    Y.applyUpdate(doc, update)
  })
  return application
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
