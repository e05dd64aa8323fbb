import { z } from 'zod'

/** Largest state of one peer as JSON, in bytes. */
export const MAX_AWARENESS_BYTES = 2048

/** Who a peer is. Stamped by the server from the session; what a client says about itself here is replaced (COLLAB-9). */
const PeerUserSchema = z.object({ id: z.string(), name: z.string(), avatar: z.string().nullable() })
export type PeerUser = z.infer<typeof PeerUserSchema>

/** Where someone looks or types: an entity of the document, one of its fields, and the caret within a text. */
const PlaceSchema = z.object({
  entity: z.string().max(200),
  field: z.string().max(40).optional(),
  /** Relative positions of the selection's ends, base64. */
  anchor: z.string().max(200).optional(),
  head: z.string().max(200).optional(),
})

/** What a peer may tell about itself. Unknown keys are dropped. */
export const PeerStateSchema = z.object({
  viewing: PlaceSchema.nullish(),
  editing: PlaceSchema.nullish(),
  typing: z.boolean().nullish(),
  /** The tab that is open, and the section of the side panel, as the address names them. */
  screen: z.object({ tab: z.string().max(40), panel: z.string().max(40) }).nullish(),
  /** Nobody at the keyboard for a minute, or the tab hidden. */
  presence: z.enum(['active', 'idle', 'away']).nullish(),
  /** Agrees to be followed; followed is `screen`, in it `viewing`, and how far down it is scrolled, 0 to 1. */
  leading: z.object({ ratio: z.number().min(0).max(1) }).nullish(),
  following: z.string().max(40).nullish(),
})
export type PeerState = z.infer<typeof PeerStateSchema>

/** A peer as others see it. */
export const PeerSchema = PeerStateSchema.extend({ user: PeerUserSchema, canWrite: z.boolean() })
export type Peer = z.infer<typeof PeerSchema>
