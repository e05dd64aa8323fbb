import { isNumeric, type TableColumn } from './column.ts'

import styles from './ResourceTable.module.css'

const ROWS = 8
/** Percent, repeated down the rows: real text is ragged too. */
const WIDTHS = [64, 48, 72, 56, 40, 68]

interface TableSkeletonProps<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
}

/** A table before its rows: headings that are true already, and bars where the values will stand. */
export function TableSkeleton<Row>({ label, columns }: TableSkeletonProps<Row>) {
  return (
    <div className={styles['scroll']}>
      <output className="wr-visually-hidden" aria-busy>
        {label}
      </output>
      <table className={styles['table']} aria-hidden data-loading>
        <thead>
          <tr>
            {columns.map(({ key, title, kind }) => (
              <th key={key} data-number={isNumeric(kind) || undefined}>
                {kind === 'actions' ? null : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: ROWS }, (_, row) => (
            <tr key={row}>
              {columns.map(({ key }, at) => (
                <td key={key} aria-hidden>
                  <span className={styles['bone']} style={{ width: `${WIDTHS[(row + at * 2) % WIDTHS.length]}%` }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
