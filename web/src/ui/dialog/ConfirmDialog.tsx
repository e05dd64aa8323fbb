import { Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

import { SizedDialog } from '../SizedDialog.tsx'

interface ConfirmDialogProps {
  /** Asks with the object's name: `Delete shop-front?` */
  title: string
  /** Repeats the verb of the title. */
  action: string
  /** What happens, and to whom. */
  children: ReactNode
  /** Danger, unless it can be taken back without loss. */
  intent?: 'danger' | 'primary'
  cancel?: string
  isBusy?: boolean
  /** Why it failed. */
  failure?: string | null
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that cannot be undone, or that others will notice. */
export function ConfirmDialog({ title, action, children, intent = 'danger', ...props }: ConfirmDialogProps) {
  const { cancel = 'Cancel', isBusy = false, failure = null, onConfirm, onCancel } = props
  const textId = useId()
  return (
    <SizedDialog
      isOpen
      size="very-small"
      role="alertdialog"
      title={title}
      aria-describedby={textId}
      canOutsideClickClose={false}
      canEscapeKeyClose={!isBusy}
      isCloseButtonShown={false}
      onClose={onCancel}
    >
      <DialogBody>
        <div id={textId}>{children}</div>
        {failure === null ? null : (
          <Callout intent="danger" icon={null} compact role="alert">
            {failure}
          </Callout>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={cancel} disabled={isBusy} onClick={onCancel} />
            <Button text={action} intent={intent} loading={isBusy} onClick={onConfirm} />
          </>
        }
      />
    </SizedDialog>
  )
}
