import { Disable, Filter } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import type { ThreeWayChoice } from '../../../url/threeWay.ts'
import type { CellFilter } from '../cellFilters.ts'

import styles from '../catalogChanges.module.css'

interface FilterableProps {
  filter: CellFilter
  onFilter: (filter: CellFilter, choice: ThreeWayChoice) => void
  children: ReactNode
}

/** A value with filter buttons on hover. For keyboard and touch, the same filters are in the menu of the row. */
export function Filterable({ filter, onFilter, children }: FilterableProps) {
  return (
    <span className={styles['filterable']}>
      {children}
      <span className={styles['filterTools']} aria-hidden>
        <button
          type="button"
          tabIndex={-1}
          title={filter.wanted ? `Only ${filter.wanted}` : 'Only this'}
          onClick={() => onFilter(filter, 1)}
        >
          <Filter size={12} />
        </button>
        {filter.canExclude ? (
          <button type="button" tabIndex={-1} title="Not this" onClick={() => onFilter(filter, -1)}>
            <Disable size={12} />
          </button>
        ) : null}
      </span>
    </span>
  )
}
