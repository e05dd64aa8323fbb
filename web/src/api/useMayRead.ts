import type { Resource } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'

import { useDisabledAreas } from './featureFlags.tsx'
import { useSession } from './session.tsx'

/** Whether the person may read what another area adds to a page, and the area is on in this installation. */
export function useMayRead(): (resource: Resource, area: FeatureArea) => boolean {
  const { can } = useSession()
  const areas = useDisabledAreas()
  return (resource, area) => can('read', resource) && !areas.has(area)
}
