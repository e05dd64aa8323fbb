import * as encoding from 'lib0/encoding'

/** Text of a client whose letters are neighbors to insertions; the update below refers to it. */
export interface LongText {
  readonly clientId: number
  /** Clock of its first letter. */
  readonly clock: number
  readonly length: number
}

/**
 * An update of `count` insertions at the start of a text, each with a right neighbor one letter further away. Applying them
 * naively takes time with the square of their number: 10,000 in 60 kB half a minute.
 */
export function buildSlowUpdate(text: LongText, clientId: number, count: number): Uint8Array {
  const HAS_RIGHT_NEIGHBOR = 0x40
  const STRING = 4
  const encoder = encoding.createEncoder()
  for (const value of [1, count, clientId, 0]) encoding.writeVarUint(encoder, value)
  for (let index = 0; index < count; index++) {
    encoding.writeUint8(encoder, HAS_RIGHT_NEIGHBOR | STRING)
    encoding.writeVarUint(encoder, text.clientId)
    encoding.writeVarUint(encoder, text.clock + 1 + (index % (text.length - 1)))
    encoding.writeVarString(encoder, 'x')
  }
  encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}
