import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'
import { Suspense } from 'react'

import { EmptyState } from '../../../ui/EmptyState.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { useComponentBase } from '../componentLink.ts'
import { storedQuery } from '../queries.ts'
import { titleOf } from './ComponentCard.tsx'

// Most visits are to what is there.
const ComponentDetails = lazyPart(async () => (await import('../panel/ComponentDetails.tsx')).ComponentDetails)

/** The last instant at which a component was still there, for all that is recorded. */
const BEFORE_MS = 1_000

/** Deleted, or never there. */
export function MissingComponent({ id }: { id: string }) {
  const stored = useQuery(storedQuery(id))
  return (
    <QueryStates query={stored} what="the component" skeleton={<LoadingSkeleton label="Loading the component" />}>
      {(row) =>
        row?.deleted_at ? <DeletedComponent component={row} deletedAt={row.deleted_at} /> : <NoComponent id={id} />
      }
    </QueryStates>
  )
}

/** What is known of it still. Nothing here can be changed. */
function DeletedComponent({ component, deletedAt }: { component: Component; deletedAt: string }) {
  const isAlone = useComponentBase() !== '/topology/$id'
  const at = new Date(parseMoment(deletedAt) - BEFORE_MS).toISOString()
  return (
    <>
      <EmptyState title={`${titleOf(component)} was deleted`}>
        <TimeAgo at={deletedAt} />
        {isAlone ? null : (
          <>
            {' · '}
            <Link to="/topology/$id" params={{ id: component.id }} search={{ at }}>
              As it was before
            </Link>
          </>
        )}
      </EmptyState>
      <Suspense fallback={<LoadingSkeleton label="Loading details" />}>
        <section aria-label="Details">
          <ComponentDetails component={component} />
        </section>
      </Suspense>
    </>
  )
}

export const NoComponent = ({ id }: { id: string }) => (
  <EmptyState title="Component not found">{`There’s no component with this ID: ${id}`}</EmptyState>
)
