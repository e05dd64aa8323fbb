import { Button, type ButtonProps } from '@blueprintjs/core'
import type { ReactElement, Ref } from 'react'

import { Tip } from './Tip.tsx'

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'text' | 'children' | 'aria-label' | 'title' | 'ref'> {
  icon: ReactElement
  /** Accessible name and tooltip. */
  label: string
  /** Why it cannot be used: shown in the tooltip while disabled. */
  disabledReason?: string | undefined
  ref?: Ref<HTMLButtonElement>
}

/** A button that is only an icon: always with a name, and with its name as the tooltip. */
export function IconButton({ icon, label, disabledReason, variant = 'minimal', ...button }: IconButtonProps) {
  const isDisabled = button.disabled === true || disabledReason !== undefined
  return (
    <Tip content={disabledReason ?? label}>
      <Button
        {...button}
        icon={icon}
        variant={variant}
        aria-label={disabledReason === undefined ? label : `${label}. ${disabledReason}`}
        disabled={isDisabled}
      />
    </Tip>
  )
}
