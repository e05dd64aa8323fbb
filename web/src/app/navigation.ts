import { type CapabilityName, highestRole, type Resource } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'

import { useBackendFacts } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { type Session, useSession } from '../api/session.tsx'
import { type ScreenEntry, SCREENS } from './screens.ts'

/** A screen that the sidebar leads to. */
export type NavigationEntry = ScreenEntry & {
  readonly icon: NonNullable<ScreenEntry['icon']>
  readonly resource: Resource
}

const isEntry = (screen: ScreenEntry): screen is NavigationEntry =>
  screen.icon !== undefined && screen.resource !== undefined
const isSetting = ({ path }: ScreenEntry): boolean => path.startsWith('/settings/')

const entries = SCREENS.filter((screen: ScreenEntry) => isEntry(screen)) as readonly NavigationEntry[]

/** The sidebar, in the order of the specification. */
export const MAIN_ENTRIES: readonly NavigationEntry[] = entries.filter((entry) => !isSetting(entry))

/** The Settings submenu, sorted by name. */
export const SETTINGS_ENTRIES: readonly NavigationEntry[] = entries
  .filter(isSetting)
  .toSorted((a, b) => (a.title < b.title ? -1 : 1))

export interface Viewpoint extends Pick<Session, 'roles' | 'can'> {
  readonly disabledAreas: ReadonlySet<FeatureArea>
  /** What the backend cannot do. */
  readonly missing: readonly CapabilityName[]
}

/** What the sidebar shows to a person. `settings` is empty for viewers, whatever they may read. */
export function visibleNavigation({ roles, can, disabledAreas, missing }: Viewpoint): {
  main: NavigationEntry[]
  settings: NavigationEntry[]
} {
  const isVisible = ({ resource, object, area, needs }: NavigationEntry): boolean =>
    can('read', resource, object) &&
    (area === undefined || !disabledAreas.has(area)) &&
    (needs === undefined || !missing.includes(needs))
  return {
    main: MAIN_ENTRIES.filter(isVisible),
    settings: highestRole(roles) === 'viewer' ? [] : SETTINGS_ENTRIES.filter(isVisible),
  }
}

/** The same for the current person. */
export function useNavigation(): ReturnType<typeof visibleNavigation> {
  const { roles, can } = useSession()
  const disabledAreas = useDisabledAreas()
  const missing = useBackendFacts()?.missing ?? []
  return visibleNavigation({ roles, can, disabledAreas, missing })
}
