import type { ReactNode } from 'react'

import { AccordionSection } from './Accordion.tsx'
import type { DataState } from './dataState.ts'
import { DataStates } from './DataStates.tsx'
import { EndlessList } from './EndlessList.tsx'
import { LoadingSkeleton } from './LoadingSkeleton.tsx'

/** Rows that can be extended on demand. */
interface FoundRows<Row> {
  readonly state: DataState<readonly Row[]>
  /** All that match; undefined before the first answer. */
  readonly total: number | undefined
  readonly onMore: () => void
}

interface EndlessSectionProps<Row> {
  name: string
  title: string
  found: FoundRows<Row>
  keyOf: (row: Row) => string
  renderRow: (row: Row) => ReactNode
  /** Why there are none. */
  empty: string
  /** What the rows leave out. */
  note?: string | undefined
  /** Above the rows. */
  children?: ReactNode
}

/** An accordion section that lists any number of rows. */
export function EndlessSection<Row>(props: EndlessSectionProps<Row>) {
  const { name, title, found, keyOf, renderRow, empty, note, children } = props
  return (
    <AccordionSection name={name} title={title} count={found.total} note={note}>
      {children}
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
    </AccordionSection>
  )
}
