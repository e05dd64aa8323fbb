import type { Resource } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'

import { useDisabledAreas } from './featureFlags.tsx'
import { useSession } from './session.tsx'

/** Whether whoever is here may read what another area brings to a page, and this installation has that area. */
export function useMayRead(): (resource: Resource, area: FeatureArea) => boolean {
  const { can } = useSession()
  const areas = useDisabledAreas()
  return (resource, area) => can('read', resource) && !areas.has(area)
}
