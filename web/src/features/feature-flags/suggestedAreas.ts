import { FEATURE_AREAS, type FeatureArea } from '@watchroom/shared/settings'

const NOT_SUGGESTED: ReadonlySet<FeatureArea> = new Set<FeatureArea>([
  // Turning off this page removes the page that turns it on again. People who want that know its name, and have to confirm.
  'settings.feature_flags',
  // Names of the specification for pages that this product does not have.
  'settings.organization_profile',
  'settings.playbooks',
])

/** The names that have a meaning in this version; others are kept for other readers. */
export const SUGGESTED_AREAS = FEATURE_AREAS.filter((area) => !NOT_SUGGESTED.has(area))
