import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Settings } from '@blueprintjs/icons'

import { CommandButton } from '../CommandButton.tsx'
import { Popover } from '../Popover.tsx'

export interface ColumnChoice {
  readonly key: string
  readonly title: string
  readonly isVisible: boolean
}

interface ColumnsMenuProps {
  columns: readonly ColumnChoice[]
  onToggle: (key: string, isVisible: boolean) => void
  /** Absent while everything is as it comes. */
  onReset: (() => void) | null
}

/** Which columns a table shows. The one that names the rows is always there and not offered. */
export function ColumnsMenu({ columns, onToggle, onReset }: ColumnsMenuProps) {
  return (
    <Popover
      placement="bottom-end"
      content={
        <Menu aria-label="Columns">
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
        </Menu>
      }
    >
      <CommandButton
        command="Choose columns"
        text={null}
        variant="minimal"
        icon={<Settings />}
        aria-label="Columns"
        title="Columns"
      />
    </Popover>
  )
}
