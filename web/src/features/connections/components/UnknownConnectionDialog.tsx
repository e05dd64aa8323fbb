import { ConnectionRowSchema, type ConnectionSummary } from '@watchroom/shared/settings/connections'

import { CodeField } from '../../../ui/form/CodeField.tsx'
import { requireStoredColumns } from '../saveConnection.ts'
import { toUnknownText, UnknownFormSchema } from '../unknownConnection.ts'
import { useEditedConnection } from '../useEditedConnection.ts'
import { ConnectionDialog } from './ConnectionDialog.tsx'

/** Edits a connection whose type has no form. */
export function UnknownConnectionDialog({ current, onClose }: { current: ConnectionSummary; onClose: () => void }) {
  const edit = useEditedConnection({
    current,
    schema: UnknownFormSchema,
    toValues: (row) => ({ spec: toUnknownText(row) }),
    toRow: ({ spec }, over) => {
      requireStoredColumns('spec', spec, over)
      return spec
    },
    onSaved: onClose,
  })
  const { form } = edit
  return (
    <ConnectionDialog
      edit={edit}
      title={`${current.name} (${current.type})`}
      size="medium"
      mine={form.values.spec}
      toText={toUnknownText}
      onRestore={(former) => form.set('spec', toUnknownText(ConnectionRowSchema.parse(former)))}
      onClose={onClose}
    >
      <CodeField
        label="Connection"
        language="yaml"
        help="This type has no form. A stored secret shows as *** and stays until you replace it."
        {...form.field('spec')}
        isReadOnly={edit.isReadOnly}
      />
    </ConnectionDialog>
  )
}
