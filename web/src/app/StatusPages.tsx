import { Disable, Lock, Search, SwapHorizontal } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { Resource } from '@watchroom/shared/access'
import { Suspense } from 'react'

import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="There’s no page at this address"
        icon={<Search size={24} />}
        action={<Link to="/">Go to the start page</Link>}
      >
        The link may be outdated or mistyped.
      </EmptyState>
    </>
  )
}

// Rarely shown.
const RightRequest = lazyPart(async () => (await import('./RightRequest.tsx')).RightRequest)

/** @param resource that the screen needs the right to read */
export function UnauthorizedPage({ resource }: { resource: Resource }) {
  return (
    <>
      <PageHeader title="Unauthorized" />
      <EmptyState title="Unauthorized" icon={<Lock size={24} />}>
        You do not have permission to access this page
      </EmptyState>
      <Suspense>
        <RightRequest resource={resource} />
      </Suspense>
    </>
  )
}

/** @param reason why the backend has nothing to show here */
export function NotOfferedPage({ reason }: { reason: string }) {
  return (
    <>
      <PageHeader title="Not available here" />
      <EmptyState title="Not available here" icon={<Disable size={24} />}>
        {reason}
      </EmptyState>
    </>
  )
}

export function DisabledAreaPage() {
  return (
    <>
      <PageHeader title="Switched off" />
      <EmptyState title="This area is turned off" icon={<SwapHorizontal size={24} />}>
        An administrator turned it off for this installation (Settings, Feature Flags).
      </EmptyState>
    </>
  )
}
