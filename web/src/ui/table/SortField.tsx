import { HTMLSelect } from '@blueprintjs/core'
import { useId } from 'react'

import type { TableColumn } from './column.ts'
import type { TableSort } from './useTableModel.ts'

import styles from './ResourceToolbar.module.css'

export interface SortFieldProps {
  sort: TableSort & { readonly columns: readonly Pick<TableColumn<never>, 'key' | 'title' | 'isSortable'>[] }
}

/** What headings do where there is room for them. */
export function SortField({ sort }: SortFieldProps) {
  const id = useId()
  const { order, columns, onSort } = sort
  const directions = [
    ['asc', 'ascending'],
    ['desc', 'descending'],
  ] as const
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>Sort by</label>
      <HTMLSelect
        id={id}
        minimal
        value={`${order.direction} ${order.by}`}
        onChange={(event) => {
          const [direction, by = ''] = event.currentTarget.value.split(' ')
          onSort({ by, direction: direction === 'asc' ? 'asc' : 'desc' })
        }}
      >
        {columns
          .filter(({ isSortable }) => isSortable)
          .flatMap(({ key, title }) =>
            directions.map(([direction, word]) => (
              <option key={`${direction} ${key}`} value={`${direction} ${key}`}>
                {title}, {word}
              </option>
            )),
          )}
      </HTMLSelect>
    </div>
  )
}
