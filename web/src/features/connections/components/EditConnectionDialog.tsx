import type { ConnectionSummary, ConnectionType } from '@watchroom/shared/settings/connections'
import { useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { toComparable, toFields, toFormerFields, toRow, toSchema } from '../connectionForm.ts'
import { atFields, requireStored } from '../saveConnection.ts'
import { testEntered, testStored } from '../testConnection.ts'
import { useEditedConnection } from '../useEditedConnection.ts'
import { ConnectionDialog } from './ConnectionDialog.tsx'
import { ConnectionFormFields } from './ConnectionFormFields.tsx'
import { TestConnection } from './TestConnection.tsx'

interface EditConnectionDialogProps {
  type: ConnectionType
  current: ConnectionSummary
  onClose: () => void
}

/** Edits, tests or deletes a connection; who may not write it, reads. */
export function EditConnectionDialog({ type, current, onClose }: EditConnectionDialogProps) {
  const noTrials = useMissing('connectionTrials')
  const edit = useEditedConnection({
    current,
    schema: useMemo(() => toSchema(type), [type]),
    toValues: (row) => toFields(type, row),
    toRow: (fields, over) => {
      requireStored(type, fields, over)
      return toRow(type, fields, over)
    },
    atFields: (save) => atFields(type, save),
    onSaved: onClose,
  })
  const { form } = edit
  return (
    <ConnectionDialog
      edit={edit}
      title={current.name}
      size="small"
      mine={toComparable(type, form.values)}
      toText={(row) => toComparable(type, toFields(type, row))}
      onRestore={(former) => {
        for (const [name, value] of Object.entries(toFormerFields(type, current, former))) form.set(name, value)
      }}
      onClose={onClose}
    >
      <ConnectionFormFields type={type} form={form} row={current} isReadOnly={edit.isReadOnly} />
      {edit.mayWrite ? (
        <TestConnection
          isMessage={type.test === 'message'}
          refusal={form.isDirty ? noTrials : null}
          subject={JSON.stringify(form.values)}
          run={(signal) =>
            form.isDirty
              ? testEntered({ id: current.id, type: current.type, ...toRow(type, form.values, current) }, signal)
              : testStored(current.id, signal)
          }
        />
      ) : null}
    </ConnectionDialog>
  )
}
