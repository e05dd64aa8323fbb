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

// Rarely shown.
const DisabledAreaPage = lazyPart(async () => (await import('./StatusPages.tsx')).DisabledAreaPage)
const NotOfferedPage = lazyPart(async () => (await import('./StatusPages.tsx')).NotOfferedPage)
const UnauthorizedPage = lazyPart(async () => (await import('./StatusPages.tsx')).UnauthorizedPage)

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** As in `screens.ts`. Default: `shell`. */
    frame?: 'shell' | 'bare' | 'alone' | 'view'
    /** The right to read it is required. */
    resource?: Resource
    /** The object in another backend's policy, if not that of the resource. */
    object?: PolicyObject
    /** The screen is gone where the area is switched off. */
    area?: FeatureArea
    /** Without this capability of the backend, the screen has nothing to show. */
    needs?: CapabilityName
  }
}

/** Puts every screen into its frame, and shows it only to people who may see it. */
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
  // A shared view is a single page without navigation.
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
  // As it was when the page was opened: someone in the middle of something keeps the page, with a notice.
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
