export { FEATURE_AREAS, type FeatureArea, toDisabledAreas } from './featureAreas.ts'
export { type JobHistory, JobHistorySchema } from './jobHistory.ts'
