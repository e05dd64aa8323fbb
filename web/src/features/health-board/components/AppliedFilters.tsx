import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { toLabelText } from '@watchroom/shared/health'

import { toThreeWayText } from '../../../url/threeWay.ts'
import type { BoardView } from '../board/arrangeBoard.ts'
import type { HealthActions } from '../useHealthView.ts'

import styles from '../healthBoard.module.css'

export interface AppliedFilter {
  readonly id: string
  readonly text: string
  /** What a screen reader hears, where the text is a sign. */
  readonly words: string
  readonly remove: () => void
}

const ID = /^canary:([^:]*):(.*)$/s

function toLabelWords(id: string): string {
  const [, key, value] = ID.exec(id) ?? []
  return key === undefined || value === undefined ? id : toLabelText(key, value)
}

/** Every filter in force, including defaults. */
export function toAppliedFilters(view: BoardView, actions: HealthActions): AppliedFilter[] {
  const filters: AppliedFilter[] = []
  if (view.hidePassing) {
    const text = 'Hide passing'
    filters.push({ id: 'hidePassing', text, words: text, remove: () => actions.setHidePassing(false) })
  }
  if (view.query !== '') {
    const text = `Search: ${view.query}`
    filters.push({ id: 'query', text, words: text, remove: () => actions.setQuery('') })
  }
  for (const [id, choice] of view.labels) {
    const text = toLabelWords(id)
    filters.push({
      id,
      text: toThreeWayText(text, choice),
      words: `${choice === -1 ? 'Excluding' : 'Including'} ${text}`,
      remove: () => actions.setLabel(id, 0),
    })
  }
  return filters
}

interface AppliedFiltersProps {
  filters: readonly AppliedFilter[]
  onClear: () => void
}

/** The filters in force as chips, so that what hides checks is always visible. */
export function AppliedFilters({ filters, onClear }: AppliedFiltersProps) {
  if (filters.length === 0) return null
  return (
    <div className={styles['applied']}>
      <ul aria-label="Active filters">
        {filters.map(({ id, text, words, remove }) => (
          <li key={id} className={styles['chip']}>
            <span className={styles['chipText']} title={words}>
              {text}
            </span>
            <button type="button" aria-label={`Remove filter: ${words}`} onClick={remove}>
              <Cross size={14} />
            </button>
          </li>
        ))}
      </ul>
      <Button size="small" variant="minimal" text="Clear all" onClick={onClear} />
    </div>
  )
}
