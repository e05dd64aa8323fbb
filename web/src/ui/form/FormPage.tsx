import type { ReadOnlyReason } from '@watchroom/shared/settings'
import { type ReactNode, useId, useMemo } from 'react'
import type { FieldValues } from 'react-hook-form'

import { LeaveGuard } from '../dialog/LeaveGuard.tsx'
import { FormNotice, type FormNote } from './FormNotice.tsx'
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx'
import { RestoredNotice } from './RestoredNotice.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { Form } from './useForm.ts'
import { useSaveKey } from './useSaveKey.ts'

import styles from './form.module.css'

interface FormPageProps<Values extends FieldValues> {
  form: Form<Values>
  /** For screen readers. */
  label: string
  /** Null: it can be saved. */
  readOnly: ReadOnlyReason | null
  /** What to know before saving, for example that there is a newer version. */
  notice?: FormNote | null
  /** Other things to do, away from the button that saves. */
  actions?: ReactNode
  /** The button is off while something is wrong, and says what. Pressed it leads to the field. */
  isOffWhileInvalid?: boolean
  /** Instead of the form's own answer, where the work may be given up. */
  hasUnsavedWork?: () => boolean
  children: ReactNode
}

/** A form that is a page. Its button stays in sight; who leaves with unsaved work is asked. */
export function FormPage<Values extends FieldValues>({
  form,
  label,
  readOnly,
  notice,
  isOffWhileInvalid = false,
  ...props
}: FormPageProps<Values>) {
  const save = (): void => {
    if (readOnly === null && !form.isSaving) form.submit()
  }
  useSaveKey(save)
  const reasonId = useId()
  const { findFault } = form
  const isJudged = isOffWhileInvalid && readOnly === null
  const fault = useMemo(() => (isJudged ? findFault() : null), [isJudged, findFault])
  return (
    <form
      id={form.id}
      className={styles['page']}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <LeaveGuard
        hasUnsavedWork={() => readOnly === null && (props.hasUnsavedWork ?? form.hasUnsavedWork)()}
        onLeave={form.draft.forget}
      />
      {readOnly === null ? null : <ReadOnlyNotice reason={readOnly} />}
      {form.draft.wasRestored && readOnly === null ? <RestoredNotice onDiscard={form.draft.discard} /> : null}
      {notice && readOnly === null ? <FormNotice notice={notice} /> : null}
      <div className={styles['card']}>{props.children}</div>
      {readOnly === null ? (
        <SaveBar
          isSaving={form.isSaving}
          state={fault ?? (form.isDirty ? 'Not saved yet' : '')}
          stateId={reasonId}
          reasonId={fault === null ? undefined : reasonId}
          actions={props.actions}
        />
      ) : null}
    </form>
  )
}
