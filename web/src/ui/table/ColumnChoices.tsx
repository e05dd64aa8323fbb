import { MenuDivider, MenuItem } from '@blueprintjs/core'

import { LateMenu } from '../LateMenu.tsx'
import { toWidthStep } from './columnWidth.ts'
import { saveRows } from './saveRows.ts'

export interface ColumnChoice {
  readonly key: string
  readonly title: string
  readonly isVisible: boolean
}

export interface ColumnChoicesProps {
  columns: readonly ColumnChoice[]
  onToggle: (key: string, isVisible: boolean) => void
  /** Of a column that is shown. */
  onWiden: (key: string, stepPx: number) => void
  /** Absent while everything is as it comes. */
  onReset: (() => void) | null
  /** Gives what the table shows to what makes a file of it. Absent while there are no rows. */
  onSave: ((save: typeof saveRows) => void) | null
}

/** What the menu of columns offers, and the rows in these columns as a file. */
export const ColumnChoices = ({ columns, onToggle, onWiden, onReset, onSave }: ColumnChoicesProps) => (
  <LateMenu aria-label="Columns">
    {columns.map(({ key, title, isVisible }) => (
      <MenuItem
        key={key}
        roleStructure="listoption"
        selected={isVisible}
        text={title}
        shouldDismissPopover={false}
        onClick={() => onToggle(key, !isVisible)}
        htmlTitle="Shift with ← or → changes the width"
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onKeyDown={(event) => {
          // This handler takes the place of the entry's own, which presses it by these keys.
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault()
            event.currentTarget.click()
            return
          }
          const stepPx = toWidthStep(event.key)
          if (stepPx === 0 || !event.shiftKey || !isVisible) return
          event.preventDefault()
          onWiden(key, stepPx)
        }}
      />
    ))}
    <MenuDivider />
    <MenuItem text="Reset columns" disabled={onReset === null} onClick={() => onReset?.()} />
    <MenuDivider />
    <MenuItem text="Save these rows as CSV" disabled={onSave === null} onClick={() => onSave?.(saveRows)} />
  </LateMenu>
)
