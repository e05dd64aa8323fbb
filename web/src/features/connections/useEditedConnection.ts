import { useQueryClient } from '@tanstack/react-query'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import type { ConnectionRow, ConnectionSummary } from '@watchroom/shared/settings/connections'
import type { z } from 'zod'

import { useSession } from '../../api/session.tsx'
import { useSavedBy } from '../../collab/settingsVersions.ts'
import { useEditedRow } from '../../ui/form/useEditedRow.ts'
import { useForm } from '../../ui/form/useForm.ts'
import { showToast } from '../../ui/toaster.ts'
import { useConnectionTable } from './useConnections.ts'

interface EditedConnectionOptions<Input, Values, Output> {
  readonly current: ConnectionSummary
  readonly schema: z.ZodType<Output, Input>
  /** A version as the form shows it. */
  readonly toValues: (row: ConnectionSummary) => Values
  /** What is stored over a version. @throws when a secret stands there that is not stored */
  readonly toRow: (output: Output, over: ConnectionSummary) => ConnectionRow
  /** Leads what is refused to its fields. */
  readonly atFields?: (save: () => Promise<boolean>) => Promise<boolean>
  readonly onSaved: () => void
}

export type EditedConnection<Values extends Record<string, unknown>, Output> = ReturnType<
  typeof useEditedConnection<Values, Values, Output>
>

/** The form of a connection that exists: written over the version that was seen, and read by whoever may not write it. */
export function useEditedConnection<Input extends Record<string, unknown>, Values extends Input, Output>({
  current,
  schema,
  toValues,
  toRow,
  atFields = (save) => save(),
  onSaved,
}: EditedConnectionOptions<Input, Values, Output>) {
  const queryClient = useQueryClient()
  const table = useConnectionTable()
  const mayWrite = useSession().can('write', 'connections')
  const reason = toReadOnlyReason('connection', current)
  const form = useForm({
    schema,
    initial: toValues(current),
    save: (output): Promise<boolean> => atFields(() => edited.save(output)),
    onSaved: () => {
      showToast('Connection updated successfully')
      onSaved()
    },
  })
  const edited = useEditedRow<ConnectionSummary, Output>({
    current,
    isNewer: (row, than) => row.updated_at !== than.updated_at,
    isDirty: form.isDirty,
    onReset: (row) => form.reset(toValues(row)),
    save: async (over, output) => {
      const result = await table.update(over, { ...toRow(output, over) }, ['updated_at'])
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
  return { current, table, form, edited, savedBy, mayWrite, reason, isReadOnly: !mayWrite || reason !== null }
}
