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
export { agentsTopic } from './topics/agents.ts'
export { catalogSummaryTopic } from './topics/catalogSummary.ts'
export { checksTopic } from './topics/checks.ts'
export { configTopic } from './topics/config.ts'
export { type ConfigChangesParams, configChangesTopic, toConfigChangesParams } from './topics/configChanges.ts'
export { configInsightsTopic, type InsightState } from './topics/configInsights.ts'
export { configRelationshipsTopic, type RelatedAt } from './topics/configRelationships.ts'
export { CONFIGS_WINDOW, configsTopic } from './topics/configs.ts'
export { definitionOfDoneTopic } from './topics/definitionOfDone.ts'
export { eventQueueTopic, type QueueVersion } from './topics/eventQueue.ts'
export { featureFlagsTopic } from './topics/featureFlags.ts'
export { incidentTopic } from './topics/incidentEvents.ts'
export { incidentsTopic } from './topics/incidents.ts'
export { type TopicName, TOPICS } from './topics/index.ts'
export { type JobState, jobsTopic } from './topics/jobs.ts'
export { logTailTopic } from './topics/logTail.ts'
export { type NotificationActivity, notificationsTopic } from './topics/notifications.ts'
export { peopleTopic } from './topics/people.ts'
export { playbookOutputTopic } from './topics/playbookOutput.ts'
export { playbookRunTopic } from './topics/playbookRun.ts'
export { playbookRunsTopic } from './topics/playbookRuns.ts'
export { playbooksTopic } from './topics/playbooks.ts'
export { PRESENCE_PAGES, type PresencePage, presenceTopic, type PresentTab } from './topics/presence.ts'
export { scrapersTopic } from './topics/scrapers.ts'
export { settingsTopic, type SettingsVersion } from './topics/settings.ts'
export { type Silence, silencesTopic } from './topics/silences.ts'
export { topologyTopic } from './topics/topology.ts'
export { type TransitionVersion, transitionsTopic } from './topics/transitions.ts'
export { isAwaited, type WaitingRun, waitingRunsTopic } from './topics/waitingRuns.ts'
export { wallTopic } from './topics/wall.ts'
export { negotiateVersion, PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './version.ts'
export { toWakePayload, tryParseWake, type Wake, WAKE_CHANNEL, type WakeName } from './wake.ts'
