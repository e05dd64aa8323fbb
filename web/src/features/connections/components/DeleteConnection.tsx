import { Button } from '@blueprintjs/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConnectionSummary } from '@watchroom/shared/settings/connections'
import { useState } from 'react'

import type { Table } from '../../../api/tables.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { showToast } from '../../../ui/toaster.ts'

interface DeleteConnectionProps {
  table: Table<ConnectionSummary>
  row: ConnectionSummary
  onDeleted: () => void
}

/** Asks, says what breaks, and deletes softly. */
export function DeleteConnection({ table, row, onDeleted }: DeleteConnectionProps) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => table.softDelete(row.id),
    onSuccess: () => {
      showToast('Connection deleted successfully')
      void table.invalidate(queryClient)
      onDeleted()
    },
  })
  const users = row.used_by
  return (
    <>
      <Button intent="danger" variant="outlined" text="Delete" onClick={() => setAsking(true)} />
      {isAsking ? (
        <ConfirmMutation
          title={`Delete ${row.name}?`}
          action="Delete connection"
          mutation={remove}
          onCancel={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          {users.length === 0 ? (
            'Nothing uses it. It disappears for everyone at once.'
          ) : (
            <>
              These use it and will no longer find it:
              <ul>
                {users.map(({ kind, id, name }) => (
                  <li key={id}>{`${name} (${kind})`}</li>
                ))}
              </ul>
            </>
          )}
        </ConfirmMutation>
      ) : null}
    </>
  )
}
