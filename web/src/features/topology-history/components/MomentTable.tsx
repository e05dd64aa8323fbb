import { Button } from '@blueprintjs/core'
import { NAMED_BELOW } from '@watchroom/shared/topology/history'
import { useMemo } from 'react'

import type { DataState } from '../../../ui/dataState.ts'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { type Moment, momentsAround } from '../moments.ts'

import styles from '../past.module.css'

interface MomentTableProps {
  /** Those that there are, or the ones near the instant where there are too many. */
  state: DataState<readonly Moment[]>
  /** Of the whole range. */
  count: number | undefined
  at: number
  onSeek: (at: number) => void
  /** More is below the component than incidents and changes are listed of. */
  areSomeMarked: boolean
}

const MAX_ROWS = 200
const keyOf = ({ key }: Moment): string => key

/** What the scrubber shows, in words, around its instant: the newest first, each leads to its own instant. */
export function MomentTable({ state, count, at, onSeek, areSomeMarked }: MomentTableProps) {
  const toExact = useExactTime()
  const listed = state.data && momentsAround(state.data, at, MAX_ROWS).toReversed()
  const columns = useMemo(
    (): readonly TableColumn<Moment>[] => [
      {
        key: 'at',
        title: 'Time',
        kind: 'text',
        value: (moment) => moment.at,
        render: (moment) => (
          <Button variant="outlined" size="small" text={toExact(moment.at)} onClick={() => onSeek(moment.at)} />
        ),
      },
      { key: 'kind', title: 'Of', kind: 'text', value: ({ kind }) => kind },
      {
        key: 'text',
        title: 'What',
        kind: 'text',
        isMain: true,
        isWrapped: true,
        value: ({ text }) => text,
        render: ({ text, glyph }) => (glyph === undefined ? text : <StatusGlyph status={glyph} word={text} />),
      },
    ],
    [toExact, onSeek],
  )
  const openKey = listed?.find((moment) => moment.at === at)?.key
  return (
    <details className={styles['moments']}>
      <summary>{`What happened${count === undefined ? '' : ` (${count.toLocaleString()})`}`}</summary>
      <ResourceTable
        name="topology-moments"
        label="What happened"
        place="part"
        state={{ ...state, data: listed }}
        columns={columns}
        keyOf={keyOf}
        openKey={openKey}
        empty={{ title: 'Nothing happened in this range' }}
      />
      {listed !== undefined && count !== undefined && count > listed.length ? (
        <p className="wr-muted">Only the events around this instant are listed. Move it to see others.</p>
      ) : null}
      {areSomeMarked ? (
        <p className="wr-muted">{`Incidents and changes are those of the ${NAMED_BELOW} nearest components.`}</p>
      ) : null}
    </details>
  )
}
