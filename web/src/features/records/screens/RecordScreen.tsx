import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { CopyText } from '../../../ui/CopyText.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { toText } from '../../../ui/table/sortRows.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { recordDefinition, type RecordKind, recordTable } from '../definitions.ts'

import styles from '../records.module.css'

interface RecordScreenProps {
  kind: RecordKind
  /** What other areas bring to a record that is there. */
  renderControls?: (record: { readonly id: string; readonly name: string }) => ReactNode
}

/** Everything the backend knows about one record, read only, for areas whose own screen does not exist yet. */
export function RecordScreen({ kind, renderControls }: RecordScreenProps) {
  const definition = recordDefinition(kind)
  const [table] = useState(() => recordTable(definition))
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(table.oneQuery(id))
  const { title, name } = query.data ?? {}
  return (
    <>
      <PageHeader
        title={toText(title) || toText(name) || definition.title}
        controls={query.data ? renderControls?.({ id, name: toText(name) || id }) : null}
      />
      <section className={styles['panel']}>
        <QueryStates query={query} what="details">
          {(row) =>
            row === null ? (
              <EmptyState title="Details not found">{`None of the ${definition.noun} has this id: ${id}`}</EmptyState>
            ) : (
              <dl className={styles['record']}>
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
            )
          }
        </QueryStates>
      </section>
    </>
  )
}

function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'object') return <pre>{JSON.stringify(value, null, 2)}</pre>
  const text = toText(value)
  if (name === 'id' || name.endsWith('_id')) return <CopyText text={text} what={name} />
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? <TimeAgo at={text} /> : text
}
