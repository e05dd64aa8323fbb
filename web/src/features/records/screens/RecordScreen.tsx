import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { errorText } from '../../../api/request.ts'
import { CopyText } from '../../../ui/CopyText.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { StaleNotice } from '../../../ui/StaleNotice.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { recordDefinition, type RecordKind } from '../definitions.ts'
import { recordQuery, type RecordRow } from '../queries.ts'

import '../records.css'

/** Everything the backend knows about one record, read only, for areas whose own screen does not exist yet. */
export function RecordScreen({ kind }: { kind: RecordKind }) {
  const definition = recordDefinition(kind)
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(recordQuery(definition, id))
  const row = query.data
  return (
    <>
      <PageHeader title={row ? titleOf(row, definition.title) : definition.title} />
      <section className="wr-records">
        {query.isPending ? <LoadingSkeleton label="Loading the record" /> : null}
        {query.isError && row !== undefined ? (
          <StaleNotice
            what="These details"
            reason={errorText(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : null}
        {query.isError && row === undefined ? (
          <ErrorState
            title="Could not load this record"
            message={errorText(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : null}
        {row === null ? (
          <EmptyState title="Details not found">{`None of the ${definition.noun} has this id: ${id}`}</EmptyState>
        ) : null}
        {row ? (
          <dl className="wr-record">
            {Object.entries(row)
              .filter(([, value]) => value !== null && value !== '')
              .map(([key, value]) => (
                <div key={key}>
                  <dt>{key.replaceAll('_', ' ')}</dt>
                  <dd>
                    <FieldValue name={key} value={value} />
                  </dd>
                </div>
              ))}
          </dl>
        ) : null}
      </section>
    </>
  )
}

function titleOf(row: RecordRow, fallback: string): string {
  const title = row['title'] ?? row['name']
  return typeof title === 'string' && title !== '' ? title : fallback
}

function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'object') return <pre>{JSON.stringify(value, null, 2)}</pre>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'id' || name.endsWith('_id')) return <CopyText text={text} what={name} />
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? <TimeAgo at={text} /> : text
}
