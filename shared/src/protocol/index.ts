export { type ApiError, ApiErrorSchema } from './apiError.ts'
export {
  applyDelta,
  applySnapshotPage,
  type PartialSnapshot,
  type ResyncReason,
  type RowReader,
  type TableState,
} from './applyOps.ts'
export { CLOSE_CODES, type CloseName, closeReaction, type CloseReaction } from './closeCodes.ts'
export { deepEqual } from './deepEqual.ts'
export {
  type ClientMessage,
  ClientMessageSchema,
  type Hello,
  HelloSchema,
  LIVE_EVENT,
  MAX_CLIENT_MESSAGE_BYTES,
  type Op,
  PACKED_ENCODING,
  type PackedBody,
  PackedBodySchema,
  type Position,
  type Refusal,
  RefusalSchema,
  type ServerMessage,
  ServerMessageSchema,
  type SourceProblem,
} from './messages.ts'
export { PackedRowsSchema, packRows, unpackRows } from './packRows.ts'
export type { Topic, TopicRow } from './topic.ts'
export { topicAddress, topicKey } from './topicKey.ts'
export {
  agentsTopic,
  catalogSummaryTopic,
  checksTopic,
  configChangesTopic,
  configInsightsTopic,
  configRelationshipsTopic,
  configsTopic,
  configTopic,
  definitionOfDoneTopic,
  featureFlagsTopic,
  incidentsTopic,
  incidentTopic,
  logTailTopic,
  jobsTopic,
  notificationsTopic,
  peopleTopic,
  playbookOutputTopic,
  playbookRunsTopic,
  playbookRunTopic,
  playbooksTopic,
  presenceTopic,
  scrapersTopic,
  settingsTopic,
  type TopicName,
  TOPICS,
  topologyTopic,
  waitingRunsTopic,
  wallTopic,
} from './topics/index.ts'
export { type ConfigChangesParams, toConfigChangesParams } from './topics/configChanges.ts'
export type { InsightState } from './topics/configInsights.ts'
export type { RelatedAt } from './topics/configRelationships.ts'
export type { JobState } from './topics/jobs.ts'
export type { NotificationActivity } from './topics/notifications.ts'
export { PRESENCE_PAGES, type PresencePage, type PresentTab } from './topics/presence.ts'
export type { SettingsVersion } from './topics/settings.ts'
export { isAwaited, type WaitingRun } from './topics/waitingRuns.ts'
export { negotiateVersion, PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './version.ts'
export { toWakePayload, tryParseWake, type Wake, WAKE_CHANNEL, type WakeName } from './wake.ts'
