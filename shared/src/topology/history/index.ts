export {
  InstantSchema,
  NAMED_BELOW,
  PastDiffSchema,
  type PastPage,
  PastPageSchema,
  type PastTransition,
  type PastTransitions,
  PastTransitionsSchema,
  type RecordingHole,
} from './answers.ts'
export { type ComparedComponent, SHOWN_DIFFERENCES, toEstateDiff } from './estateDiff.ts'
export { toRecordedBursts } from './recordedBursts.ts'
export { toPastEstate } from './pastEstate.ts'
export {
  type EstateChanges,
  type RecordedEstate,
  type RecordedState,
  RecordedStateSchema,
  type RecordedStructure,
  RecordedStructureSchema,
  toEstateChanges,
  toRecordedEstate,
} from './recorded.ts'
