import { highestRole } from '@watchroom/shared/access'

import { isStandalone, type Session } from '../../api/session.tsx'
import type { Viewpoint } from '../navigation.ts'
import { type ScreenEntry, SCREENS } from '../screens.ts'

type Place = Pick<ScreenEntry, 'path' | 'title' | 'icon'>

/** Of people who sign in. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['/profile-settings', '/settings/access-tokens', '/kubeconfig'])

const ENTRIES: readonly ScreenEntry[] = SCREENS

/** The screens of the product that stand for themselves, under the guard of the sidebar: those of one row have no address of their own. */
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
    // Whose list is not theirs to change gets no form for it, and viewers no settings of the installation.
    if (/\/(?:new|silence)$/.test(path) && resource !== undefined && !can('write', resource, object)) return false
    if (isViewer && resource !== undefined && path.startsWith('/settings/')) return false
    return (
      (resource === undefined || can('read', resource, object)) &&
      (area === undefined || !disabledAreas.has(area)) &&
      (needs === undefined || !missing.includes(needs))
    )
  })
}
