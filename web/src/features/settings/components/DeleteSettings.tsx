import { Button } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { type SettingsResource, type SettingsRow, settingsTexts } from '@watchroom/shared/settings'
import { useState } from 'react'

import type { Table } from '../../../api/tables.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'

interface DeleteSettingsProps {
  definition: SettingsResource
  table: Table<SettingsRow>
  row: SettingsRow
  onDeleted: () => void
}

/** Asks, and deletes softly: the row stays and leaves every list. */
export function DeleteSettings({ definition, table, row, onDeleted }: DeleteSettingsProps) {
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({ mutationFn: () => table.softDelete(row.id), onSuccess: onDeleted })
  return (
    <>
      <Button variant="minimal" intent="danger" icon={<Trash />} text="Delete" onClick={() => setAsking(true)} />
      {isAsking ? (
        <ConfirmMutation
          title={`Delete ${row.name}?`}
          action={`Delete ${definition.noun}`}
          mutation={remove}
          onCancel={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          {`${settingsTexts(definition).loss} It disappears for everyone at once.`}
        </ConfirmMutation>
      ) : null}
    </>
  )
}
