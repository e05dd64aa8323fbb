import { useQueryClient } from '@tanstack/react-query'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import type { ConnectionRow, ConnectionSummary, ConnectionType } from '@watchroom/shared/settings/connections'
import { useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { SettingsHistorySection } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FormConflict, OutdatedNotice, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { type ConnectionFields, toComparable, toFields, toFormerFields, toRow, toSchema } from '../connectionForm.ts'
import { atFields, requireStored } from '../saveConnection.ts'
import { testEntered, testStored } from '../testConnection.ts'
import { useConnectionTable } from '../useConnections.ts'
import { ConnectionFormFields } from './ConnectionFormFields.tsx'
import { DeleteConnection } from './DeleteConnection.tsx'
import { TestConnection } from './TestConnection.tsx'

interface EditConnectionDialogProps {
  type: ConnectionType
  current: ConnectionSummary
  onClose: () => void
}

/** Edits, tests or deletes a connection; who may not write it, reads. */
export function EditConnectionDialog({ type, current, onClose }: EditConnectionDialogProps) {
  const queryClient = useQueryClient()
  const mayWrite = useSession().can('write', 'connections')
  const noTrials = useMissing('connectionTrials')
  const table = useConnectionTable()
  const reason = toReadOnlyReason('connection', current)
  const form = useForm({
    schema: useMemo(() => toSchema(type), [type]),
    initial: toFields(type, current),
    save: (fields): Promise<boolean> => atFields(type, () => edited.save(fields)),
    onSaved: () => {
      showToast('Connection updated successfully')
      onClose()
    },
  })
  const edited = useEditedRow<ConnectionSummary, ConnectionFields>({
    current,
    isNewer: (row, than) => row.updated_at !== than.updated_at,
    isDirty: form.isDirty,
    onReset: (row) => form.reset(toFields(type, row)),
    save: async (over, fields) => {
      requireStored(type, fields, over)
      const values: ConnectionRow = toRow(type, fields, over)
      const result = await table.update(over, { ...values }, ['updated_at'])
      void table.invalidate(queryClient)
      return result
    },
    goneText: 'Someone deleted this connection while you were editing it.',
  })
  const savedBy = useSavedBy({
    table: 'connections',
    resource: 'connections',
    id: current.id,
    revision: edited.newer?.updated_at ?? null,
  })
  const isReadOnly = !mayWrite || reason !== null
  const notice = outdatedNotice('connection', edited, form, savedBy)
  return (
    <FormDialog
      form={form}
      title={current.name}
      action="Save"
      isReadOnly={isReadOnly}
      notice={
        <>
          <PagePeers page="connections" id={current.id} />
          {reason ? <ReadOnlyNotice reason={reason} /> : notice ? <OutdatedNotice notice={notice} /> : null}
        </>
      }
      actions={isReadOnly ? null : <DeleteConnection table={table} row={current} onDeleted={onClose} />}
      onClose={onClose}
    >
      <ConnectionFormFields type={type} form={form} row={current} isReadOnly={isReadOnly} />
      {mayWrite ? (
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
      <SettingsHistorySection
        table="connections"
        resource="connections"
        id={current.id}
        name={current.name}
        noun="connection"
        revision={current.updated_at ?? ''}
        isReadOnly={isReadOnly}
        // By the form, so that what is refused stands at its field.
        onRestore={(former) => {
          for (const [name, value] of Object.entries(toFormerFields(type, current, former))) form.set(name, value)
          form.submit()
        }}
      />
      <FormConflict
        savedBy={savedBy}
        what="connection"
        form={form}
        edited={edited}
        mine={toComparable(type, form.values)}
        toText={(row) => toComparable(type, toFields(type, row))}
      />
    </FormDialog>
  )
}
