export { MAX_CHUNK_LENGTH, type OutputChunk, OutputChunkSchema } from './output.ts'
export {
  FIELD_SIZES,
  type Parameter,
  PARAMETER_TYPES,
  parameterLabel,
  ParameterPropertiesSchema,
  ParameterSchema,
  type ParameterType,
  type ResourceSelector,
  ResourceSelectorSchema,
} from './parameter.ts'
export { parameterFault } from './parameterFault.ts'
export {
  ACTION_KINDS,
  type ActionKind,
  ActionSchema,
  type PlaybookAction,
  type PlaybookSpec,
  PlaybookSpecSchema,
  TARGET_KINDS,
  type TargetKind,
  targetKindsOf,
  toPlaybookJsonSchema,
} from './playbookSpec.ts'
export {
  type PlaybookApproval,
  PlaybookApprovalSchema,
  type PlaybookName,
  PlaybookNameSchema,
  type PlaybookRun,
  type PlaybookRunAction,
  PlaybookRunActionSchema,
  type PlaybookRunPart,
  PlaybookRunPartSchema,
  PlaybookRunSchema,
  type PlaybookRunSummary,
  PlaybookRunSummarySchema,
} from './rows.ts'
export { ACTION_STATUSES, type ActionStatus, isEnded, RUN_STATUSES, type RunStatus, StatusSchema } from './runStatus.ts'
