import { MenuDivider, MenuItem } from '@blueprintjs/core'

import { LateMenu } from '../LateMenu.tsx'

export interface ColumnChoice {
  readonly key: string
  readonly title: string
  readonly isVisible: boolean
}

export interface ColumnChoicesProps {
  columns: readonly ColumnChoice[]
  onToggle: (key: string, isVisible: boolean) => void
  /** Absent while everything is as it comes. */
  onReset: (() => void) | null
}

/** What the menu of columns offers. */
export const ColumnChoices = ({ columns, onToggle, onReset }: ColumnChoicesProps) => (
  <LateMenu aria-label="Columns">
    {columns.map(({ key, title, isVisible }) => (
      <MenuItem
        key={key}
        roleStructure="listoption"
        selected={isVisible}
        text={title}
        shouldDismissPopover={false}
        onClick={() => onToggle(key, !isVisible)}
      />
    ))}
    <MenuDivider />
    <MenuItem text="Reset columns" disabled={onReset === null} onClick={() => onReset?.()} />
  </LateMenu>
)
