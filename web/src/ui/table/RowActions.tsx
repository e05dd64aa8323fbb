import { MenuItem } from '@blueprintjs/core'
import type { ReactElement } from 'react'

import { LateMenu } from '../LateMenu.tsx'

export interface RowAction {
  readonly text: string
  readonly icon?: ReactElement
  readonly onSelect: () => void
  /** Takes something away. */
  readonly isDestructive?: boolean
  /** Why it cannot be done now: shown, not hidden. */
  readonly disabledReason?: string
}

interface RowActionsProps {
  label: string
  actions: readonly RowAction[]
}

/** What the menu of a row offers. */
export const RowActions = ({ label, actions }: RowActionsProps) => (
  <LateMenu aria-label={label}>
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
  </LateMenu>
)
