import type { ReactNode } from 'react'

import type { DataState } from './dataState.ts'
import { DataStates } from './DataStates.tsx'
import { EndlessList } from './EndlessList.tsx'
import { LoadingSkeleton } from './LoadingSkeleton.tsx'

/** Rows that can be extended on demand. */
export interface FoundRows<Row> {
  readonly state: DataState<readonly Row[]>
  /** All that match; undefined before the first answer. */
  readonly total: number | undefined
  readonly onMore: () => void
}

export interface EndlessRowsProps<Row> {
  title: string
  found: FoundRows<Row>
  keyOf: (row: Row) => string
  renderRow: (row: Row) => ReactNode
  /** Why there are none. */
  empty: string
}

/** Any number of rows with their four looks. */
export function EndlessRows<Row>({ title, found, keyOf, renderRow, empty }: EndlessRowsProps<Row>) {
  return (
    <DataStates state={found.state} skeleton={<LoadingSkeleton rows={2} label={`Loading ${found.state.what}`} />}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="wr-muted">{empty}</p>
        ) : (
          <EndlessList
            label={title}
            rows={rows}
            total={found.total ?? rows.length}
            keyOf={keyOf}
            renderRow={renderRow}
            onMore={found.onMore}
          />
        )
      }
    </DataStates>
  )
}
