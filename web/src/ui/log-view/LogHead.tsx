import type { KeyboardEvent } from 'react'

import type { LogColumnSizes } from '../../preferences/logColumns.ts'
import { dragWidth, toWidth, toWidthStep } from '../table/columnWidth.ts'

import styles from './logView.module.css'

interface LogHeadProps {
  sizes: LogColumnSizes
  onSizes: (sizes: LogColumnSizes) => void
  hasTimes: boolean
}

const NAMES = { time: 'Time', labels: 'Labels' } as const

/** Names of the columns, with an edge to drag, or to move by arrow keys. */
export function LogHead({ sizes, onSizes, hasTimes }: LogHeadProps) {
  const columns = hasTimes ? (['time', 'labels'] as const) : (['labels'] as const)
  return (
    <div className={styles['head']}>
      {columns.map((column) => (
        <span key={column} className={styles[column]}>
          {NAMES[column]}
          <ColumnEdge
            name={NAMES[column]}
            width={sizes[column]}
            onResize={(width) => onSizes({ ...sizes, [column]: width })}
          />
        </span>
      ))}
      <span className={styles['text']}>Message</span>
    </div>
  )
}

interface ColumnEdgeProps {
  name: string
  width: number
  onResize: (width: number) => void
}

function ColumnEdge({ name, width, onResize }: ColumnEdgeProps) {
  const handleKeyDown = (event: KeyboardEvent): void => {
    const step = toWidthStep(event.key)
    if (step === 0) return
    event.preventDefault()
    onResize(toWidth(width + step))
  }
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- this one is moved by keys (window splitter pattern)
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${name.toLowerCase()}`}
      aria-valuenow={width}
      className={styles['edge']}
      onKeyDown={handleKeyDown}
      onPointerDown={(event) => dragWidth(event, width, onResize)}
    />
  )
}
