import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { useDisabledAreas } from '../api/featureFlags.tsx'
import { useSession } from '../api/session.tsx'
import { LinkTabs } from '../ui/LinkTabs.tsx'
import { type ScreenEntry, SCREENS } from './screens.ts'

import styles from './catalogFrame.module.css'

interface CatalogTab {
  readonly path: string
  readonly title: string
  /** Whether the selected type carries over to this page. */
  readonly carriesType: boolean
}

/** In the order of the third specification, section 2. */
const TABS: readonly CatalogTab[] = [
  { path: '/catalog', title: 'Catalog', carriesType: true },
  { path: '/catalog/changes', title: 'Changes', carriesType: true },
  { path: '/catalog/insights', title: 'Insights', carriesType: true },
  { path: '/catalog/scrapers', title: 'Scrapers', carriesType: false },
]

/** A page of the catalog under the tabs to the other pages: those that exist here and that the person may open. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const configType = useLocation({ select: ({ search }) => search.configType })
  const screens: readonly ScreenEntry[] = SCREENS
  const tabs = TABS.filter(({ path }) => {
    const { resource, area } = screens.find((screen) => screen.path === path) ?? {}
    return resource !== undefined && can('read', resource) && (area === undefined || !disabledAreas.has(area))
  })
  return (
    <div className={styles['frame']}>
      {tabs.length > 1 ? (
        <LinkTabs label="Catalog pages">
          {tabs.map(({ path, title, carriesType }) => (
            <Link
              key={path}
              to={path}
              search={carriesType && typeof configType === 'string' ? { configType } : {}}
              // A page under another one does not count as that one.
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {title}
            </Link>
          ))}
        </LinkTabs>
      ) : null}
      {children}
    </div>
  )
}
