import { Outlet, type StaticDataRouteOption, useLocation, useMatches } from '@tanstack/react-router'
import type { CapabilityName, PolicyObject, Resource } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { type ReactNode, Suspense, useState } from 'react'

import { useMissing } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { useSession } from '../api/session.tsx'
import { LocalTime } from '../live/ServerTime.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { RegionErrorBoundary } from '../ui/RegionErrorBoundary.tsx'
import { PaletteHost } from './palette/PaletteHost.tsx'
import { Shell } from './Shell.tsx'
import { SignedIn } from './SignedIn.tsx'
import { SwitchedOffNotice } from './SwitchedOffNotice.tsx'

// Few page views see one of them.
const DisabledAreaPage = lazyPart(async () => (await import('./StatusPages.tsx')).DisabledAreaPage)
const NotOfferedPage = lazyPart(async () => (await import('./StatusPages.tsx')).NotOfferedPage)
const UnauthorizedPage = lazyPart(async () => (await import('./StatusPages.tsx')).UnauthorizedPage)

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** As in `screens.ts`. Default: `shell`. */
    frame?: 'shell' | 'bare' | 'alone' | 'view'
    /** Read on it is needed. */
    resource?: Resource
    /** Of another backend's policy, where it is not that of the resource. */
    object?: PolicyObject
    /** The screen is gone where the area is switched off. */
    area?: FeatureArea
    /** The screen has nothing to show where the backend cannot do it. */
    needs?: CapabilityName
  }
}

/** Puts every screen into its frame and lets nobody see one that is not theirs to see. */
export function RootFrame() {
  const { frame, resource, object, area, needs } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })
  const pathname = useLocation({ select: (location) => location.pathname })
  if (frame === 'bare') {
    return (
      <LocalTime>
        <Outlet />
      </LocalTime>
    )
  }
  const screen = (
    <RegionErrorBoundary resetKey={pathname}>
      <Allowed pathname={pathname} resource={resource} object={object} area={area}>
        {needs === undefined ? <Outlet /> : <Offered needs={needs} />}
      </Allowed>
    </RegionErrorBoundary>
  )
  return <SignedIn awaitsFlags={frame !== 'view'}>{toFrame(frame, screen)}</SignedIn>
}

function toFrame(frame: StaticDataRouteOption['frame'], screen: ReactNode): ReactNode {
  // What is shared is one page: it leads nowhere else.
  if (frame === 'view') return screen
  if (frame !== 'alone') return <Shell>{screen}</Shell>
  return (
    <>
      {screen}
      <PaletteHost isKeyAlone />
    </>
  )
}

function Offered({ needs }: { needs: CapabilityName }): ReactNode {
  const missing = useMissing(needs)
  if (missing === null) return <Outlet />
  return (
    <Suspense>
      <NotOfferedPage reason={missing} />
    </Suspense>
  )
}

interface AllowedProps {
  pathname: string
  resource: Resource | undefined
  object: PolicyObject | undefined
  area: FeatureArea | undefined
  children: ReactNode
}

function Allowed({ pathname, resource, object, area, children }: AllowedProps): ReactNode {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const isOff = area !== undefined && disabledAreas.has(area)
  // Of this page: whoever is in the middle of something keeps what is on the screen, and is told.
  const [arrival, setArrival] = useState({ pathname, isOff })
  if (arrival.pathname !== pathname) setArrival({ pathname, isOff })
  if (isOff && (arrival.isOff || arrival.pathname !== pathname)) {
    return (
      <Suspense>
        <DisabledAreaPage />
      </Suspense>
    )
  }
  if (resource !== undefined && !can('read', resource, object)) {
    return (
      <Suspense>
        <UnauthorizedPage resource={resource} />
      </Suspense>
    )
  }
  return (
    <>
      {isOff ? <SwitchedOffNotice /> : null}
      {children}
    </>
  )
}
