export {
  type EventQueue,
  EventIdsSchema,
  EventQueueSchema,
  EventsChangedSchema,
  type FailedEvent,
  FailedEventSchema,
  MAX_EVENTS,
} from './eventQueue.ts'
export { FEATURE_AREAS, type FeatureArea, toDisabledAreas } from './featureAreas.ts'
export { type FeatureFlag, FeatureFlagSchema } from './featureFlag.ts'
export {
  JOB_RESOURCE_TYPES,
  JOB_STATUSES,
  jobErrors,
  type JobHistory,
  JobHistorySchema,
  toJobPlace,
} from './jobHistory.ts'
export {
  INTEGRATION_TABLES,
  type Integration,
  IntegrationSchema,
  type IntegrationType,
  isIntegrationType,
} from './integration.ts'
export { SETTINGS_RESOURCES, type SettingsTable } from './resources/index.ts'
export { type ReadOnlyReason, toOriginWord, toReadOnlyReason, toSettingsOrigin } from './settingsOrigin.ts'
export {
  placeOf,
  type SettingsField,
  type SettingsResource,
  type SettingsRow,
  SettingsRowSchema,
  versionColumns,
  versionOf,
} from './settingsResource.ts'
export { settingsTexts } from './settingsTexts.ts'
