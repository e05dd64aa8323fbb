import { Classes } from '@blueprintjs/core'
import { CollapseAll, ExpandAll, Filter, GridView, PivotTable, ThList } from '@blueprintjs/icons'
import { memo, type ReactNode, Suspense } from 'react'

import { CommandButton } from '../../../ui/CommandButton.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { createPreload, loadPivotForm, TOOLBAR_PARTS } from '../parts.ts'
import type { HealthView } from '../useHealthView.ts'
import { SortField, ViewFields } from './ViewFields.tsx'

import styles from '../healthBoard.module.css'

const preloadToolbar = createPreload(TOOLBAR_PARTS)
const PivotForm = lazyPart(async () => (await loadPivotForm()).PivotForm)

interface BoardToolbarProps {
  view: HealthView
  labelKeys: readonly string[]
  /** Active filters, as many as there are chips. */
  filterCount: number
  areFiltersOpen: boolean
  /** Id of the region with the filters. */
  filtersId: string
  /** Null when there are no groups to open or close. */
  areAllExpanded: boolean | null
  waiting: number
  onToggleFilters: () => void
  onExpandAll: (isExpanded: boolean) => void
  onShowWaiting: () => void
  /** Controls of the page, where the top bar has no room for them. */
  children?: ReactNode
}

function BoardToolbarView(props: BoardToolbarProps) {
  const { view, labelKeys, filterCount, areFiltersOpen, areAllExpanded, waiting } = props
  const { actions, layout, pivot } = view
  return (
    <div
      className={styles['toolbar']}
      role="toolbar"
      aria-label="View"
      onPointerEnter={preloadToolbar}
      onFocus={preloadToolbar}
    >
      <SearchInput
        value={view.board.query}
        onSearch={actions.setQuery}
        placeholder="Search by name, description, or endpoint"
      />
      <CommandButton
        command="Filters"
        icon={<Filter />}
        active={areFiltersOpen}
        aria-expanded={areFiltersOpen}
        // What is closed is not there.
        {...(areFiltersOpen ? { 'aria-controls': props.filtersId } : {})}
        onClick={props.onToggleFilters}
      >
        Filters
        {filterCount > 0 ? (
          <span className={styles['badge']}>
            {filterCount}
            <span className="wr-visually-hidden"> in force</span>
          </span>
        ) : null}
      </CommandButton>
      <div className={styles['fields']}>
        <ViewFields view={view.board} labelKeys={labelKeys} actions={actions} />
      </div>
      {layout === 'card' || pivot !== null ? <SortField view={view.board} actions={actions} /> : null}
      <fieldset className={`${Classes.BUTTON_GROUP} ${styles['layout']}`} aria-label="Layout">
        <CommandButton
          command="Show as table"
          text={null}
          icon={<ThList />}
          aria-label="Table"
          title="Table"
          aria-pressed={layout === 'table'}
          active={layout === 'table'}
          onClick={() => actions.setLayout('table')}
        />
        <CommandButton
          command="Show as cards"
          text={null}
          icon={<GridView />}
          aria-label="Cards"
          title="Cards"
          aria-pressed={layout === 'card'}
          active={layout === 'card'}
          onClick={() => actions.setLayout('card')}
        />
      </fieldset>
      {layout === 'table' ? (
        <Popover
          placement="bottom-end"
          content={
            <Suspense fallback={null}>
              <PivotForm pivot={pivot} labelKeys={labelKeys} onPivot={actions.setPivot} />
            </Suspense>
          }
        >
          <CommandButton
            command="Pivot"
            className={`${styles['pivot']}`}
            icon={<PivotTable />}
            text="Pivot"
            aria-label="Pivot"
            title="Pivot"
            active={pivot !== null}
            aria-haspopup="dialog"
          />
        </Popover>
      ) : null}
      {props.children}
      {areAllExpanded === null ? null : (
        <CommandButton
          command={areAllExpanded ? 'Collapse all' : 'Expand all'}
          className={`${styles['expand']}`}
          variant="minimal"
          icon={areAllExpanded ? <CollapseAll /> : <ExpandAll />}
          onClick={() => props.onExpandAll(!areAllExpanded)}
        />
      )}
      <div className={styles['waiting']} aria-live="polite">
        {waiting > 0 ? (
          <CommandButton
            command={`Show ${waiting} new`}
            size="small"
            intent="primary"
            text={`${waiting} new`}
            onClick={props.onShowWaiting}
          />
        ) : null}
      </div>
    </div>
  )
}

/**
 * What the board shows and how. The filters themselves are in the panel; those in force are chips below.
 * Follows choices, not every change of a check.
 */
export const BoardToolbar = memo(BoardToolbarView)
