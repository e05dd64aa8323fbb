import { Button, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'

import { RestoredNotice } from '../form/RestoredNotice.tsx'
import type { Form } from '../form/useForm.ts'
import { type DialogSize, SizedDialog } from '../SizedDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'

import styles from './dialog.module.css'

interface FormDialogProps<Values extends FieldValues> {
  form: Form<Values>
  title: string
  /** Verb of the button that saves, or goes on. A step that goes on by a choice has none. */
  action: string | undefined
  /** What that button reads while it saves. Default: it shows a spinner alone. */
  busyText?: string
  intent?: 'primary' | 'danger'
  size?: DialogSize
  /** Goes on to the next step in place of saving. */
  onNext?: (() => void) | undefined
  /** A step before this one; in place of Cancel. */
  onBack?: (() => void) | undefined
  /** It cannot be saved yet, and the fields say why. */
  isDisabled?: boolean
  /** Nothing in it takes longer to enter again than to answer a question: it closes without one. */
  isQuick?: boolean
  /** Whoever may not write looks at it: nothing to save. */
  isReadOnly?: boolean
  /** Other things to do, away from the button that saves. */
  actions?: ReactNode
  /** Beside the fields and no part of the form. */
  notice?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. What was typed is given up only by who says so, and a failure leaves everything as it was typed. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { form, title, action, intent = 'primary', size = 'small', onNext, onBack, isReadOnly = false, onClose } = props
  const [isAsking, setAsking] = useState(false)
  const isGivenUp = useRef(false)
  const isBusy = form.isSaving && props.busyText !== undefined
  const hasUnsavedWork = (): boolean => props.isQuick !== true && !isGivenUp.current && form.hasUnsavedWork()
  const giveUp = (): void => {
    isGivenUp.current = true
    form.draft.forget()
    onClose()
  }
  const handleClose = (): void => {
    if (form.isSaving) return
    if (hasUnsavedWork()) setAsking(true)
    // Also what is quickly entered again is given up by closing: it would be there again otherwise.
    else giveUp()
  }
  return (
    <SizedDialog
      isOpen
      size={size}
      title={title}
      onClose={handleClose}
      // A click beside it is no decision about what was entered.
      canOutsideClickClose={!form.isDirty}
      isCloseButtonShown={!form.isSaving}
    >
      <DialogBody>
        {props.notice}
        {form.draft.wasRestored && !isReadOnly ? <RestoredNotice onDiscard={form.draft.discard} /> : null}
        <form
          id={form.id}
          className={styles['form']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (action === undefined || props.isDisabled === true || isReadOnly) return
            if (onNext) onNext()
            else form.submit()
          }}
        >
          {props.children}
        </form>
      </DialogBody>
      <DialogFooter
        actions={
          isReadOnly ? (
            <Button text="Close" onClick={onClose} />
          ) : (
            <>
              {onBack ? (
                <Button text="Back" disabled={form.isSaving} onClick={onBack} />
              ) : (
                <Button text="Cancel" disabled={form.isSaving} onClick={handleClose} />
              )}
              {action === undefined ? null : (
                <Button
                  type="submit"
                  form={form.id}
                  intent={intent}
                  text={isBusy ? props.busyText : action}
                  // Blueprint hides the words of a button that loads.
                  icon={isBusy ? <Spinner size={16} aria-hidden /> : undefined}
                  disabled={props.isDisabled === true || isBusy}
                  loading={form.isSaving && !isBusy}
                />
              )}
            </>
          )
        }
      >
        {props.actions}
      </DialogFooter>
      <LeaveGuard hasUnsavedWork={hasUnsavedWork} isWithinPage onLeave={form.draft.forget} />
      {isAsking ? (
        <ConfirmDialog
          title="Discard what you entered?"
          action="Discard"
          cancel="Keep editing"
          onCancel={() => setAsking(false)}
          onConfirm={giveUp}
        >
          What you entered in “{title}” is not saved.
        </ConfirmDialog>
      ) : null}
    </SizedDialog>
  )
}
