export type { Clause, Decision } from './decision.ts'
export { isNotificationEvent, NOTIFICATION_EVENTS, type NotificationEvent } from './events.ts'
export { findMissing } from './filterScope.ts'
export { createSilenceFinder, type SilencedResource, type SilenceFinder } from './createSilenceFinder.ts'
export { isGroupKey } from './groupBy.ts'
export { REPEAT_INTERVALS, tryParseRepeatInterval } from './repeatInterval.ts'
export {
  type Rehearsal,
  type RehearsalDraft,
  RehearsalDraftSchema,
  RehearsalSchema,
  REHEARSED_DAYS,
  type RuleDraft,
  RuleDraftSchema,
  type RuleFault,
  type RulePreview,
  RulePreviewSchema,
} from './rulePreview.ts'
export { SEND_STATUSES, type SendStatus } from './sendStatus.ts'
export { type SilencePreview, SilencePreviewSchema } from './silencePreview.ts'
export {
  type Explanation,
  ExplanationSchema,
  TransitionAskSchema,
  TransitionPageSchema,
  type TransitionSummary,
} from './transition.ts'
