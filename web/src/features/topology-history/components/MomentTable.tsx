import { Button } from '@blueprintjs/core'
import { useMemo } from 'react'

import { toReadyState } from '../../../ui/dataState.ts'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import type { Moment } from '../moments.ts'

import styles from '../past.module.css'

interface MomentTableProps {
  moments: readonly Moment[]
  isCut: boolean
  at: number
  onSeek: (at: number) => void
}

const MAX_ROWS = 200
const keyOf = ({ key }: Moment): string => key

/** What the scrubber shows, in words: the newest first, each leads to its instant. */
export function MomentTable({ moments, isCut, at, onSeek }: MomentTableProps) {
  const toExact = useExactTime()
  const newest = moments.toReversed().slice(0, MAX_ROWS)
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
  const openKey = newest.find((moment) => moment.at === at)?.key
  return (
    <details className={styles['moments']}>
      <summary>{`What happened (${moments.length.toLocaleString()}${isCut ? ' and more' : ''})`}</summary>
      <ResourceTable
        name="topology-moments"
        label="What happened"
        place="part"
        state={toReadyState('events', newest)}
        columns={columns}
        keyOf={keyOf}
        openKey={openKey}
        empty={{ title: 'Nothing happened in this range' }}
      />
      {isCut || moments.length > newest.length ? (
        <p className="wr-muted">Only the newest are listed. Choose a shorter range for the rest.</p>
      ) : null}
    </details>
  )
}
