import './sizedDialog.css'
import { Dialog, type DialogProps } from '@blueprintjs/core'
import { useEffect, useState } from 'react'

/** Widths follow the window: the table is in sizedDialog.css. */
export type DialogSize = 'very-small' | 'small' | 'medium' | 'full'

interface SizedDialogProps extends Omit<DialogProps, 'style'> {
  /** Questions are very small, forms small, texts that are read or compared medium; full is a screen of its own. */
  size: DialogSize
}

/** Every dialog of the client: no dialog has a width of its own. */
export function SizedDialog({ size, className, ...dialog }: SizedDialogProps) {
  useFocusBack()
  return <Dialog {...dialog} className={['wr-dialog', `wr-dialog-${size}`, className].filter(Boolean).join(' ')} />
}

/** Most dialogs go with what opened them, without the closing at whose end Blueprint returns the focus: it would be lost. */
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
