import './sizedDialog.css'
import { Dialog, type DialogProps } from '@blueprintjs/core'

/** Widths follow the window: the table is in sizedDialog.css. */
export type DialogSize = 'very-small' | 'small' | 'medium' | 'full'

interface SizedDialogProps extends Omit<DialogProps, 'style'> {
  /** Questions are very small, forms small, texts that are read or compared medium; full is a screen of its own. */
  size: DialogSize
}

/** Every dialog of the client: no dialog has a width of its own. */
export function SizedDialog({ size, className, ...dialog }: SizedDialogProps) {
  return <Dialog {...dialog} className={['wr-dialog', `wr-dialog-${size}`, className].filter(Boolean).join(' ')} />
}
