export { FEATURE_AREAS, type FeatureArea, toDisabledAreas } from './featureAreas.ts'
