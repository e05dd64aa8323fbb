import type { FieldValues } from 'react-hook-form'

import { ConflictDialog } from '../dialog/ConflictDialog.tsx'
import type { FormNote } from './FormNotice.tsx'
import type { EditedRow } from './useEditedRow.ts'
import type { Form } from './useForm.ts'

interface FormConflictProps<Row, Work, Values extends FieldValues> {
  /** What both are versions of, for example `agent`. */
  what: string
  form: Pick<Form<Values>, 'isSaving' | 'submit'>
  edited: EditedRow<Row, Work>
  /** What is in the form, line by line. */
  mine: string
  /** A saved version, likewise. */
  toText: (row: Row) => string
  /** Whose version it is, where that is known. */
  savedBy?: string | null
}

/** When it was saved, of rows that know it. */
interface Version {
  readonly id?: string
  readonly updated_at?: string | null | undefined
}

/** Shows both versions when someone else saved meanwhile, and lets the person decide. */
export function FormConflict<Row extends Version, Work, Values extends FieldValues>({
  what,
  form,
  edited,
  mine,
  toText,
  savedBy = null,
}: FormConflictProps<Row, Work, Values>) {
  if (!edited.theirs) return null
  return (
    <ConflictDialog
      what={what}
      mine={mine}
      theirs={toText(edited.theirs)}
      savedAt={edited.theirs.updated_at}
      savedBy={savedBy}
      isSaving={form.isSaving}
      onKeepEditing={edited.keepEditing}
      onTakeTheirs={edited.takeTheirs}
      onSaveMine={() => {
        edited.overwriteTheirs()
        form.submit()
      }}
    />
  )
}

/** Above a form: that it is not the newest version that is being edited. */
export const outdatedNotice = (
  what: string,
  edited: { readonly isOutdated: boolean },
  form: { readonly isDirty: boolean; readonly isSaving: boolean },
  savedBy: string | null = null,
): FormNote | null =>
  edited.isOutdated && form.isDirty && !form.isSaving
    ? {
        title: `${savedBy ?? 'Someone else'} saved this ${what}`,
        text: 'There’s a newer version than the one you’re editing. You’ll see both when you save.',
      }
    : null
