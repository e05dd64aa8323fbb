import type { ConnectionSummary } from '@watchroom/shared/settings/connections'
import type { ReactNode } from 'react'

import { PagePeers } from '../../../collab/PagePeers.tsx'
import { type FormerValues, SettingsHistorySection } from '../../../collab/SettingsHistory.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormNotice } from '../../../ui/form/FormNotice.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import type { EditedConnection } from '../useEditedConnection.ts'
import { DeleteConnection } from './DeleteConnection.tsx'

interface ConnectionDialogProps<Values extends Record<string, unknown>, Output> {
  edit: EditedConnection<Values, Output>
  title: string
  size: 'small' | 'medium'
  /** What is in the form, and a saved version, line by line. */
  mine: string
  toText: (row: ConnectionSummary) => string
  /** Puts an earlier version into the form, which saves it, so that errors appear at their fields. */
  onRestore: (former: FormerValues) => void
  onClose: () => void
  children: ReactNode
}

/** Who else is here, the form, its history, deleting, and what happens when two people save. */
export function ConnectionDialog<Values extends Record<string, unknown>, Output>(
  props: ConnectionDialogProps<Values, Output>,
) {
  const { edit, onClose } = props
  const { current, form, edited, savedBy, reason, isReadOnly } = edit
  const notice = outdatedNotice('connection', edited, form, savedBy)
  return (
    <FormDialog
      form={form}
      title={props.title}
      action="Save"
      size={props.size}
      isReadOnly={isReadOnly}
      notice={
        <>
          <PagePeers page="connections" id={current.id} />
          {reason ? <ReadOnlyNotice reason={reason} /> : notice ? <FormNotice notice={notice} /> : null}
        </>
      }
      actions={isReadOnly ? null : <DeleteConnection table={edit.table} row={current} onDeleted={onClose} />}
      onClose={onClose}
    >
      {props.children}
      <SettingsHistorySection
        table="connections"
        resource="connections"
        id={current.id}
        name={current.name}
        noun="connection"
        revision={current.updated_at ?? ''}
        isReadOnly={isReadOnly}
        onRestore={(former) => {
          props.onRestore(former)
          form.submit()
        }}
      />
      <FormConflict
        savedBy={savedBy}
        what="connection"
        form={form}
        edited={edited}
        mine={props.mine}
        toText={props.toText}
      />
    </FormDialog>
  )
}
