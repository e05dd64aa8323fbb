import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import type { ReactElement } from 'react'

import { Popover } from '../Popover.tsx'

export interface RowAction {
  readonly text: string
  readonly icon?: ReactElement
  readonly onSelect: () => void
  /** Takes something away. */
  readonly isDestructive?: boolean
  /** Why it cannot be done now: shown, not hidden. */
  readonly disabledReason?: string
}

interface RowMenuProps {
  /** Names the row: `Actions for edge-north`. */
  name: string
  actions: readonly RowAction[]
}

/** What can be done with a row, behind one button at its end. */
export function RowMenu({ name, actions }: RowMenuProps) {
  return (
    <Popover
      placement="bottom-end"
      content={
        <Menu aria-label={`Actions for ${name}`}>
          {actions.map(({ text, icon, onSelect, isDestructive, disabledReason }) => (
            <MenuItem
              key={text}
              text={text}
              icon={icon}
              intent={isDestructive ? 'danger' : 'none'}
              disabled={disabledReason !== undefined}
              {...(disabledReason === undefined ? {} : { labelElement: disabledReason })}
              onClick={onSelect}
            />
          ))}
        </Menu>
      }
    >
      <Button variant="minimal" size="small" icon={<More />} aria-label={`Actions for ${name}`} />
    </Popover>
  )
}
