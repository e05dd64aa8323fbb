import { z } from 'zod'

/** The one Socket.IO event that carries messages, in both directions. */
export const LIVE_EVENT = 'live'

/** Largest message a client may send, in bytes. A subscription is below 300. */
export const MAX_CLIENT_MESSAGE_BYTES = 8 * 1024

const subscriptionId = z.string().min(1).max(64)
const epoch = z.string().min(1).max(64)
const offset = z.number().int().nonnegative()
/** Wall clock of the gateway, milliseconds since the epoch. */
const serverTime = z.number()

/** Sent by clients that unpack what this build packs (LIVE-40): every form of columns in `packColumns.ts`. */
export const PACKED_ENCODING = 'deflate-columns'

/** A place in a topic: offsets count ops within one epoch (LIVE-1, LIVE-2). */
export const PositionSchema = z.object({ epoch, offset })
export type Position = z.infer<typeof PositionSchema>

/** First words of a client, in Socket.IO's `auth` field. */
export const HelloSchema = z.object({
  versions: z.array(z.number().int()).min(1).max(16),
  /** Which packed messages are understood (LIVE-40). */
  encodings: z.array(z.string().max(32)).max(8).default([]),
  /** Which credential counts: a person's session, or that of a screen on a wall. Never both (LIVE-58). */
  as: z.enum(['person', 'device']).default('person'),
})
export type Hello = z.infer<typeof HelloSchema>

export const ClientMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('subscribe'),
    id: subscriptionId,
    topic: z.string().min(1).max(64),
    params: z.record(z.string().max(64), z.string().max(256)).default({}),
    since: PositionSchema.optional(),
  }),
  z.object({ type: z.literal('unsubscribe'), id: subscriptionId }),
  /** Ask the gateway to read the source now (LIVE-35). */
  z.object({ type: z.literal('refresh'), id: subscriptionId }),
])
export type ClientMessage = z.infer<typeof ClientMessageSchema>

const row = z.record(z.string(), z.unknown())

export const OpSchema = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('upsert'),
    key: z.string(),
    /** Changed fields, each replaced as a whole. */
    set: row,
    /** Fields that are gone. */
    unset: z.array(z.string()).optional(),
    /** `set` is the whole row: the row is new, or came back (LIVE-11). */
    whole: z.literal(true).optional(),
  }),
  z.object({ op: z.literal('remove'), key: z.string() }),
])
export type Op = z.infer<typeof OpSchema>

/** State of the source behind a topic, when it is not well (LIVE-34). Null again once a read succeeds. */
export const SourceProblemSchema = z.object({
  /** Code of the error catalogue (docs/errors.md). */
  code: z.string(),
  message: z.string(),
  consecutiveFailures: z.number().int().positive(),
  nextAttemptAt: serverTime.nullable(),
})
export type SourceProblem = z.infer<typeof SourceProblemSchema>

const snapshotBody = {
  type: z.literal('snapshot'),
  ...PositionSchema.shape,
  asOf: serverTime,
  now: serverTime,
  /** Data younger than this is normal for the topic; older is shown as delayed. Milliseconds. */
  freshForMs: z.number().positive(),
  page: z.number().int().nonnegative(),
  pages: z.number().int().positive(),
}
const deltaBody = {
  type: z.literal('delta'),
  epoch,
  /** The ops lead from offset `from` to offset `to`. */
  from: offset,
  to: offset,
  ops: z.array(OpSchema),
  asOf: serverTime,
}
const heartbeatBody = { type: z.literal('heartbeat'), ...PositionSchema.shape, asOf: serverTime, now: serverTime }

/** What a packed message holds: a snapshot page by column, or a delta. */
export const PackedBodySchema = z.discriminatedUnion('type', [
  z.object({ ...snapshotBody, table: z.unknown() }),
  z.object(deltaBody),
])
export type PackedBody = z.infer<typeof PackedBodySchema>

export const ServerMessageSchema = z.discriminatedUnion('type', [
  /** First message on every socket. */
  z.object({
    type: z.literal('welcome'),
    version: z.number().int(),
    now: serverTime,
    /** Something is sent at least this often; silence of more than twice that means a dead link (LIVE-41). */
    beatMs: z.number().positive(),
  }),
  z.object({ type: z.literal('beat'), now: serverTime }),
  z.object({ ...snapshotBody, id: subscriptionId, rows: z.array(row) }),
  z.object({ ...deltaBody, id: subscriptionId }),
  z.object({ ...heartbeatBody, id: subscriptionId }),
  /** The body of a snapshot page or delta as raw deflate of JSON, made once for all sockets (LIVE-40). */
  z.object({
    type: z.literal('packed'),
    id: subscriptionId,
    data: z.union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)]),
  }),
  z.object({ type: z.literal('source'), id: subscriptionId, problem: SourceProblemSchema.nullable(), now: serverTime }),
  z.object({ type: z.literal('denied'), id: subscriptionId, code: z.string(), message: z.string() }),
  /** The roles of whoever opened the socket have changed (LIVE-67). */
  z.object({ type: z.literal('rights') }),
  /** Last message of a socket; `closeCodes.ts` says what follows. */
  z.object({
    type: z.literal('bye'),
    code: z.number().int(),
    message: z.string(),
    retryMs: z.number().nonnegative().optional(),
  }),
])
export type ServerMessage = z.infer<typeof ServerMessageSchema>
export type SnapshotMessage = Extract<ServerMessage, { type: 'snapshot' }>
export type DeltaMessage = Extract<ServerMessage, { type: 'delta' }>

/** Reason of a refused handshake, in the `data` of Socket.IO's connect_error. */
export const RefusalSchema = z.object({
  code: z.number().int(),
  message: z.string(),
  retryMs: z.number().nonnegative().optional(),
})
export type Refusal = z.infer<typeof RefusalSchema>
