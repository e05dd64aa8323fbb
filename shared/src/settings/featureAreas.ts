/** Areas of the product that an installation can switch off (first specification, section 6). */
export const FEATURE_AREAS = [
  'topology',
  'health',
  'incidents',
  'config',
  'logs',
  'playbooks',
  'agents',
  'settings.connections',
  'settings.users',
  'settings.teams',
  'settings.rules',
  'settings.config_scraper',
  'settings.topology',
  'settings.health',
  'settings.job_history',
  'settings.feature_flags',
  'settings.logging_backends',
  'settings.event_queue_status',
  'settings.organization_profile',
  'settings.notifications',
  'settings.playbooks',
  'settings.integrations',
] as const
export type FeatureArea = (typeof FEATURE_AREAS)[number]

/** An area that is meaningless without another goes with it. */
const PARENTS: Partial<Record<FeatureArea, FeatureArea>> = {
  'settings.config_scraper': 'config',
  'settings.topology': 'topology',
  'settings.health': 'health',
  'settings.job_history': 'health',
}

/**
 * Areas that are switched off: those with a property `{area}.disable` whose value is the text `true`, and their children.
 *
 * @param properties rows of GET /properties
 */
export function toDisabledAreas(
  properties: readonly { readonly name: string; readonly value: string }[],
): ReadonlySet<FeatureArea> {
  const switchedOff = new Set(properties.filter(({ value }) => value === 'true').map(({ name }) => name))
  const isOff = (area: FeatureArea): boolean => {
    const parent = PARENTS[area]
    return switchedOff.has(`${area}.disable`) || (parent !== undefined && isOff(parent))
  }
  return new Set(FEATURE_AREAS.filter(isOff))
}
