import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { capitalize } from '@watchroom/shared/kernel'
import { type ReactNode, useState } from 'react'

import type { DataState } from '../dataState.ts'
import { DataStates } from '../DataStates.tsx'
import { type QueryLook, toQueryState } from '../QueryStates.tsx'
import { SizedDialog } from '../SizedDialog.tsx'

interface OpenedProps<Row> {
  /** What it is, in lower case: `connection`. */
  noun: string
  onClose: () => void
  children: (row: Row) => ReactNode
}

/**
 * A dialog that the address opens. Until its row is there, when it cannot be loaded, and where there is none, it says so. A row
 * that is deleted while it stands open stays as it was: what was typed over it is not taken away. One row per mounting.
 */
export function OpenedState<Row>(props: OpenedProps<Row> & { state: DataState<Row | null> }): ReactNode {
  const { state, noun, onClose, children } = props
  const [last, setLast] = useState(state.data)
  if (state.data && state.data !== last) setLast(state.data)
  const row = state.data ?? last
  if (row) return children(row)
  return (
    <SizedDialog isOpen size="small" title={capitalize(noun)} onClose={onClose}>
      <DialogBody>
        <DataStates state={state}>{() => <p>This {noun} doesn’t exist or was deleted.</p>}</DataStates>
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </SizedDialog>
  )
}

/** The same for the row of a query. */
export const OpenedRow = <Row,>({
  query,
  ...props
}: OpenedProps<Row> & { query: QueryLook<Row | null> }): ReactNode => (
  <OpenedState state={toQueryState(query, `the ${props.noun}`)} {...props} />
)
