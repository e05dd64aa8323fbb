import { SegmentedControl } from '@blueprintjs/core'
import { ArrowRight, Minus, Plus, ZoomToFit } from '@blueprintjs/icons'

import type { GraphLooks } from '../../../preferences/relationships.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'

import styles from '../relationships.module.css'

const DIRECTIONS = [
  { value: 'LR', label: 'Left to right' },
  { value: 'TB', label: 'Top to bottom' },
]
const EDGES = [
  { value: 'bezier', label: 'Curved' },
  { value: 'smoothstep', label: 'Stepped' },
]

export interface GraphSearch {
  readonly text: string
  readonly onSearch: (text: string) => void
  /** Shows the next one that was found. */
  readonly onNext: () => void
}

interface GraphToolbarProps {
  search: GraphSearch
  /** How many were found. */
  found: number
  looks: GraphLooks
  onLooks: (looks: GraphLooks) => void
  onZoom: (step: 1 | -1) => void
  onFit: () => void
}

export function GraphToolbar({ search, found, looks, onLooks, onZoom, onFit }: GraphToolbarProps) {
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Graph">
      <form
        className={styles['search']}
        onSubmit={(event) => {
          event.preventDefault()
          search.onNext()
        }}
      >
        <SearchInput
          value={search.text}
          placeholder="Search in the graph"
          onSearch={search.onSearch}
          debounceMs={150}
          submits
        />
        {search.text === '' ? null : (
          <>
            <output className="wr-muted">{found === 0 ? 'None found' : `${found.toLocaleString()} found`}</output>
            <CommandButton
              isIcon
              icon={<ArrowRight />}
              command="Show next match"
              disabledReason={found === 0 ? 'Nothing found' : undefined}
              onClick={search.onNext}
            />
          </>
        )}
      </form>
      <SegmentedControl
        size="small"
        aria-label="Direction"
        options={DIRECTIONS}
        value={looks.direction}
        onValueChange={(next) => onLooks({ ...looks, direction: next === 'TB' ? 'TB' : 'LR' })}
      />
      <SegmentedControl
        size="small"
        aria-label="Edges"
        options={EDGES}
        value={looks.edges}
        onValueChange={(next) => onLooks({ ...looks, edges: next === 'smoothstep' ? 'smoothstep' : 'bezier' })}
      />
      <span className={styles['zoom']}>
        <CommandButton isIcon icon={<Minus />} command="Zoom out" onClick={() => onZoom(-1)} />
        <CommandButton isIcon icon={<Plus />} command="Zoom in" onClick={() => onZoom(1)} />
        <CommandButton isIcon icon={<ZoomToFit />} command="Fit graph" onClick={onFit} />
      </span>
    </div>
  )
}
