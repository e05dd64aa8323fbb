import './sizedDialog.css'
import { Dialog, type DialogProps } from '@blueprintjs/core'
import { useEffect, useState } from 'react'

/** Widths follow the window: the table is in sizedDialog.css. */
export type DialogSize = 'very-small' | 'small' | 'medium' | 'full'

interface SizedDialogProps extends Omit<DialogProps, 'style'> {
  /** `very-small` for questions, `small` for forms, `medium` for texts to read or compare, `full` for a screen of its own. */
  size: DialogSize
}

/** Every dialog of the client uses it, so that none defines its own width. */
export function SizedDialog({ size, className, ...dialog }: SizedDialogProps) {
  useFocusBack()
  return <Dialog {...dialog} className={['wr-dialog', `wr-dialog-${size}`, className].filter(Boolean).join(' ')} />
}

/** Most dialogs unmount without the closing transition after which Blueprint returns the focus, so it would be lost. */
function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}
