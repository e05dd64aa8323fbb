import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { type CheckDetail, type Related, toRelated } from './queries.ts'

/** Components and configuration items that the check belongs to; a row leads there. */
export function RelationshipsTab({ detail }: { detail: UseQueryResult<CheckDetail | null> }) {
  if (detail.data === undefined) {
    if (!detail.isError) return <LoadingSkeleton rows={4} label="Loading relationships" />
    return (
      <ErrorState
        title="The relationships could not be loaded"
        message={errorText(detail.error)}
        onRetry={() => void detail.refetch()}
        isRetrying={detail.isFetching}
      />
    )
  }
  const related = detail.data === null ? [] : toRelated(detail.data)
  if (related.length === 0) {
    return <EmptyState>No component and no configuration item is related to this check.</EmptyState>
  }
  return (
    <table className="result-table related-table" aria-label="Relationships">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">Type</th>
        </tr>
      </thead>
      <tbody>
        {related.map((item) => (
          <RelatedRow key={item.href} item={item} />
        ))}
      </tbody>
    </table>
  )
}

function RelatedRow({ item }: { item: Related }) {
  const navigate = useNavigate()
  return (
    <tr
      onClick={(event) => {
        // The name is a link of its own, with everything that a link can do.
        if (event.target instanceof Element && event.target.closest('a')) return
        void navigate({ to: item.href })
      }}
    >
      <td>
        <a
          href={item.href}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            void navigate({ to: item.href })
          }}
        >
          {item.name}
        </a>
      </td>
      <td>{item.kind === 'component' ? 'Component' : 'Config'}</td>
      <td>{item.type ?? <span className="wr-muted">–</span>}</td>
    </tr>
  )
}
