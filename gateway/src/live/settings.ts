import { SESSION_WATCH_SETTINGS, type SessionWatchSettings } from '../platform/createSessionWatch.ts'

/** Bounds and intervals of the live capability. Tests shorten them; production uses these. */
export interface LiveSettings {
  /** From a change to the flush that carries it: changes within are one message. */
  readonly flushMs: number
  /** Unsent bytes at which a session waits with further messages, so that they conflate instead of queueing. */
  readonly highWaterBytes: number
  /** Unsent bytes at which a socket is cut (LIVE-22). */
  readonly cutBytes: number
  /** A socket that takes nothing for this long is cut (LIVE-22). */
  readonly cutMs: number
  readonly heartbeatMs: number
  /** Least time between two heartbeats that only tell that the data was confirmed. */
  readonly confirmMs: number
  /** Longest silence of a healthy socket. */
  readonly beatMs: number
  /** Ops that a topic remembers, and how long. */
  readonly logOps: number
  readonly logAgeMs: number
  readonly pageRows: number
  /** Ops in one delta, before conflation. */
  readonly deltaOps: number
  /** Characters of the ops in one delta, before conflation: what a socket takes at once, and what is packed at a stretch. */
  readonly deltaBytes: number
  /** A delta shorter than this is not worth packing. */
  readonly packBytes: number
  /** A packed snapshot serves newcomers for this long; a delta brings them up to date. */
  readonly snapshotReuseMs: number
  readonly maxSubscriptions: number
  /** Over all sockets of one person or one device. */
  readonly maxSubscriptionsPerPerson: number
  /** Topics open at once in this gateway, all parameters counted. */
  readonly maxTopics: number
  /** Those among them that are read for one person alone: each costs the backend what the shared one does. */
  readonly maxPersonalTopics: number
  /** For one of them: nobody takes all of these places. */
  readonly maxPersonalTopicsPerOwner: number
  /** A topic of something that was chosen closes when nobody watched it for this long. */
  readonly idleTopicMs: number
  /** Messages of one socket: steady rate and burst. */
  readonly messagesPerSecond: number
  readonly messageBurst: number
  /** The same over all sockets of one person or one device: a dozen busy tabs. */
  readonly messagesPerSecondPerPerson: number
  readonly messageBurstPerPerson: number
  /** Sockets of one person or one device that may be cut for sending too much before the next one is refused. */
  readonly cutBurstPerPerson: number
  readonly cutsPerSecondPerPerson: number
  readonly maxSockets: number
  /** Tabs of one person, or screens behind one link. */
  readonly maxSocketsPerPerson: number
  /** A site behind one address, with a tab or two for everyone. */
  readonly maxSocketsPerAddress: number
  /** Sockets that came without a valid credential, or whose credential is still being looked up. */
  readonly maxPendingSockets: number
  readonly maxPendingSocketsPerAddress: number
  /** From the upgrade to a confirmed session. */
  readonly handshakeMs: number
  /** When sessions and rights are looked up again; a change announced by `Access` acts at once. */
  readonly watch: SessionWatchSettings
  /** Between two questions about a subscription that nobody could answer. */
  readonly sightRetryMs: number
  /** Devices are looked up again this often: nobody else tells of them. */
  readonly deviceRecheckMs: number
}

export const LIVE_SETTINGS: LiveSettings = {
  flushMs: 75,
  highWaterBytes: 64 * 1024,
  cutBytes: 1024 * 1024,
  cutMs: 15_000,
  heartbeatMs: 10_000,
  confirmMs: 1_000,
  beatMs: 2_000,
  logOps: 2_000,
  logAgeMs: 600_000,
  pageRows: 1_000,
  deltaOps: 1_000,
  deltaBytes: 256 * 1024,
  packBytes: 600,
  snapshotReuseMs: 2_000,
  maxSubscriptions: 32,
  maxSubscriptionsPerPerson: 256,
  maxTopics: 1_000,
  maxPersonalTopics: 300,
  maxPersonalTopicsPerOwner: 100,
  idleTopicMs: 60_000,
  messagesPerSecond: 20,
  messageBurst: 60,
  messagesPerSecondPerPerson: 200,
  messageBurstPerPerson: 600,
  cutBurstPerPerson: 5,
  cutsPerSecondPerPerson: 1 / 5,
  maxSockets: 5_000,
  maxSocketsPerPerson: 100,
  maxSocketsPerAddress: 2_000,
  maxPendingSockets: 400,
  maxPendingSocketsPerAddress: 100,
  handshakeMs: 10_000,
  watch: SESSION_WATCH_SETTINGS,
  sightRetryMs: 1_000,
  deviceRecheckMs: 5_000,
}
