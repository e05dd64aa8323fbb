import { useQueryClient } from '@tanstack/react-query'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import { type ConnectionRow, ConnectionRowSchema, type ConnectionSummary } from '@watchroom/shared/settings/connections'

import { useSession } from '../../../api/session.tsx'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { SettingsHistorySection } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { CodeField } from '../../../ui/form/CodeField.tsx'
import { FormConflict, OutdatedNotice, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { requireStoredColumns } from '../saveConnection.ts'
import { toUnknownText, UnknownFormSchema } from '../unknownConnection.ts'
import { useConnectionTable } from '../useConnections.ts'
import { DeleteConnection } from './DeleteConnection.tsx'

/** Edits a connection whose type has no form. */
export function UnknownConnectionDialog({ current, onClose }: { current: ConnectionSummary; onClose: () => void }) {
  const queryClient = useQueryClient()
  const table = useConnectionTable()
  const mayWrite = useSession().can('write', 'connections')
  const reason = toReadOnlyReason('connection', current)
  const isReadOnly = !mayWrite || reason !== null
  const form = useForm({
    schema: UnknownFormSchema,
    initial: { spec: toUnknownText(current) },
    save: ({ spec }): Promise<boolean> => edited.save(spec),
    onSaved: () => {
      showToast('Connection updated successfully')
      onClose()
    },
  })
  const edited = useEditedRow<ConnectionSummary, ConnectionRow>({
    current,
    isNewer: (row, than) => row.updated_at !== than.updated_at,
    isDirty: form.isDirty,
    onReset: (row) => form.reset({ spec: toUnknownText(row) }),
    save: async (over, row) => {
      requireStoredColumns('spec', row, over)
      const result = await table.update(over, { ...row }, ['updated_at'])
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
  const notice = outdatedNotice('connection', edited, form, savedBy)
  return (
    <FormDialog
      form={form}
      title={`${current.name} (${current.type})`}
      action="Save"
      size="medium"
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
      <CodeField
        label="Connection"
        language="yaml"
        help="This type has no form. A stored secret shows as *** and stays until you replace it."
        {...form.field('spec')}
        isReadOnly={isReadOnly}
      />
      <SettingsHistorySection
        table="connections"
        resource="connections"
        id={current.id}
        name={current.name}
        noun="connection"
        revision={current.updated_at ?? ''}
        isReadOnly={isReadOnly}
        onRestore={(former) => {
          form.set('spec', toUnknownText(ConnectionRowSchema.parse(former)))
          form.submit()
        }}
      />
      <FormConflict
        savedBy={savedBy}
        what="connection"
        form={form}
        edited={edited}
        mine={form.values.spec}
        toText={toUnknownText}
      />
    </FormDialog>
  )
}
