import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { SizedDialog } from '../../../ui/SizedDialog.tsx'

interface ConfirmDialogProps {
  title: string
  confirmText: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
  /** What will happen, and to whom. */
  children: ReactNode
}

/** Asks before something that others will notice. */
export function ConfirmDialog({ title, confirmText, isBusy, onConfirm, onCancel, children }: ConfirmDialogProps) {
  return (
    <SizedDialog isOpen size="very-small" title={title} onClose={onCancel}>
      <DialogBody>{children}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onCancel} />
            <Button text={confirmText} intent="danger" loading={isBusy} onClick={onConfirm} />
          </>
        }
      />
    </SizedDialog>
  )
}
