import { highestRole } from '@watchroom/shared/access'

import { isStandalone, type Session } from '../../api/session.tsx'
import type { Viewpoint } from '../navigation.ts'
import { type ScreenEntry, SCREENS } from '../screens.ts'

type Place = Pick<ScreenEntry, 'path' | 'title' | 'icon'>

/** Only for people who sign in. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['/profile-settings', '/settings/access-tokens', '/kubeconfig'])

const ENTRIES: readonly ScreenEntry[] = SCREENS

/** The screens that can be opened directly, by the same rules as in the sidebar. Screens for a single row are left out. */
export function visiblePlaces({
  roles,
  can,
  disabledAreas,
  missing,
  user,
}: Viewpoint & Pick<Session, 'user'>): Place[] {
  const isViewer = highestRole(roles) === 'viewer'
  return ENTRIES.filter(({ path, frame, resource, object, area, needs }) => {
    if (isStandalone(user) && OF_PEOPLE.has(path)) return false
    if (frame === 'bare') return path === '/profile-settings'
    if (path.includes('$')) return false
    // No forms for lists that the person may not change, and no settings for viewers.
    if (/\/(?:new|silence)$/.test(path) && resource !== undefined && !can('write', resource, object)) return false
    if (isViewer && resource !== undefined && path.startsWith('/settings/')) return false
    return (
      (resource === undefined || can('read', resource, object)) &&
      (area === undefined || !disabledAreas.has(area)) &&
      (needs === undefined || !missing.includes(needs))
    )
  })
}
