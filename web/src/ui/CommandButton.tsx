import { Button, type ButtonProps } from '@blueprintjs/core'
import { type ReactElement, useRef } from 'react'

import { useCommand } from './commands.ts'
import { IconButton } from './IconButton.tsx'

interface CommandButtonProps extends Omit<ButtonProps, 'icon' | 'ref'> {
  icon?: ReactElement
  /** Its name in the palette. */
  command: string
  /** Name of an icon-only button, if shorter than its name in the palette. */
  label?: string
  /** No words on the button. */
  isIcon?: boolean
  disabledReason?: string | undefined
}

/** A toolbar button that is also a command of the palette. The palette clicks it, so that action and rights are defined once. */
export function CommandButton({
  command,
  label = command,
  icon,
  isIcon = false,
  disabledReason,
  ...button
}: CommandButtonProps) {
  const element = useRef<HTMLButtonElement>(null)
  const isAvailable = disabledReason !== undefined || (button.disabled !== true && button['aria-disabled'] !== true)
  useCommand(
    isAvailable
      ? { title: command, ...(icon ? { icon } : {}), disabledReason, onRun: () => element.current?.click() }
      : null,
  )
  return isIcon && icon ? (
    <IconButton {...button} ref={element} icon={icon} label={label} disabledReason={disabledReason} />
  ) : (
    <Button
      {...(button.children === undefined ? { text: command } : {})}
      {...button}
      ref={element}
      icon={icon}
      disabled={button.disabled === true || disabledReason !== undefined}
    />
  )
}
