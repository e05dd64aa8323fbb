import { FEATURE_AREAS, type FeatureArea } from '@watchroom/shared/settings'

const NOT_SUGGESTED: ReadonlySet<FeatureArea> = new Set<FeatureArea>([
  // Turning this page off takes away the page that turns it on again: whoever wants that knows its name, and is asked.
  'settings.feature_flags',
  // Names of the specification for pages that this product does not have.
  'settings.organization_profile',
  'settings.playbooks',
])

/** The names that mean something to this version; others are kept for whoever reads them. */
export const SUGGESTED_AREAS = FEATURE_AREAS.filter((area) => !NOT_SUGGESTED.has(area))
