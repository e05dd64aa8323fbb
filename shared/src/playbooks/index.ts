export { MAX_STEP_FILE_BYTES, MAX_STEP_FILES, type StepFile, StepFileSchema } from './artifacts.ts'
export { MAX_CHUNK_LENGTH, type OutputChunk, OutputChunkSchema } from './output.ts'
export { type Parameter, parameterLabel, ParameterSchema, withSizeUnit } from './parameter.ts'
export { parameterFault } from './parameterFault.ts'
export {
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
  type PlaybookCard,
  PlaybookCardSchema,
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
export {
  ACTION_STATUSES,
  type ActionStatus,
  ENDED_RUN_STATUSES,
  isEnded,
  RUN_STATUSES,
  type RunStatus,
} from './runStatus.ts'
