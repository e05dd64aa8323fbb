import type { ConnectionType, ConnectionTypeName } from '@watchroom/shared/settings/connections'
import { useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { newFields, textOf, toRow, toSchema } from '../connectionForm.ts'
import { atFields } from '../saveConnection.ts'
import { testEntered } from '../testConnection.ts'
import { useConnectionForms, useConnectionTable } from '../useConnections.ts'
import { ConnectionFormFields } from './ConnectionFormFields.tsx'
import { TestConnection } from './TestConnection.tsx'

interface NewConnectionDialogProps {
  typeName: ConnectionTypeName
  /** To the choice of a type. */
  onBack: () => void
  onClose: () => void
}

/** Adds a connection of a type. */
export function NewConnectionDialog({ typeName, onBack, onClose }: NewConnectionDialogProps) {
  const type: ConnectionType = useConnectionForms()[typeName]
  const { user } = useSession()
  const table = useConnectionTable()
  const refusal = useMissing('connectionTrials')
  const form = useForm({
    schema: useMemo(() => toSchema(type), [type]),
    initial: newFields(type),
    save: (fields) =>
      atFields(type, () =>
        table.insert({
          name: textOf(fields['name']).trim(),
          namespace: textOf(fields['namespace']).trim(),
          type: typeName,
          ...toRow(type, fields),
          source: 'UI',
          created_by: user.id,
        }),
      ),
    onSaved: () => {
      showToast('Connection added successfully')
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={`Add ${type.title} connection`} action="Save" onBack={onBack} onClose={onClose}>
      <ConnectionFormFields type={type} form={form} row={null} isReadOnly={false} />
      <TestConnection
        isMessage={type.test === 'message'}
        refusal={refusal}
        subject={JSON.stringify(form.values)}
        run={(signal) => testEntered({ type: typeName, ...toRow(type, form.values) }, signal)}
      />
    </FormDialog>
  )
}
