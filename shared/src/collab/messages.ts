import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { z } from 'zod'

/** First number of a frame. 0 to 3 are the y-websocket protocol; 100 and above are ours and unknown to a stock client (COLLAB-2). */
export const FRAME = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  ack: 100,
  rejected: 101,
  role: 102,
  saved: 103,
  beat: 104,
} as const

/** Second number of a sync frame. */
export const SYNC = { step1: 0, step2: 1, update: 2 } as const

/**
 * How many update frames of this connection are in the log, and the sequence that the newest of them got (COLLAB-4).
 * Counting frames covers deletions, which a state vector does not.
 */
const AckSchema = z.object({ received: z.number().int(), sequence: z.number().int() })
export type Ack = z.infer<typeof AckSchema>

/** An update that was refused: where, and why in words for the person who made it (COLLAB-7). */
const RejectedSchema = z.object({ code: z.string(), path: z.string(), message: z.string() })
export type Rejected = z.infer<typeof RejectedSchema>

/** What this connection may do from now on (COLLAB-8). */
const RoleSchema = z.object({ canWrite: z.boolean() })
export type RoleMessage = z.infer<typeof RoleSchema>

/**
 * Up to which sequence the backend's tables hold the document, which one it has now, and what could not be written (COLLAB-5).
 */
const SavedSchema = z.object({
  sequence: z.number().int(),
  latest: z.number().int(),
  problems: z.array(z.object({ entity: z.string(), id: z.string(), message: z.string() })),
})
export type Saved = z.infer<typeof SavedSchema>

/** The link is alive: something comes at least every so often, to clients that asked for it (COLLAB-27). */
const BeatSchema = z.object({ everyMs: z.number().int().positive() })
export type Beat = z.infer<typeof BeatSchema>

export type OwnFrame =
  | { type: 'ack'; value: Ack }
  | { type: 'rejected'; value: Rejected }
  | { type: 'role'; value: RoleMessage }
  | { type: 'saved'; value: Saved }
  | { type: 'beat'; value: Beat }

const SCHEMAS = {
  ack: AckSchema,
  rejected: RejectedSchema,
  role: RoleSchema,
  saved: SavedSchema,
  beat: BeatSchema,
} as const

/** One of our own frames: its number, then JSON. */
export function encodeOwnFrame(frame: OwnFrame): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME[frame.type])
  encoding.writeVarString(encoder, JSON.stringify(frame.value))
  return encoding.toUint8Array(encoder)
}

/**
 * Body of one of our own frames, the number already read. Null when it does not parse: a newer gateway may say more than
 * this client knows.
 */
export function tryReadOwnFrame<Type extends OwnFrame['type']>(
  type: Type,
  decoder: decoding.Decoder,
): z.infer<(typeof SCHEMAS)[Type]> | null {
  try {
    const parsed = SCHEMAS[type].safeParse(JSON.parse(decoding.readVarString(decoder)))
    return parsed.success ? (parsed.data as z.infer<(typeof SCHEMAS)[Type]>) : null
  } catch {
    // Cut short or not JSON: the same as not parsing.
    return null
  }
}
