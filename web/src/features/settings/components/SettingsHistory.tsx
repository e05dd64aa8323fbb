import { Button } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type SettingsResource,
  type SettingsRow,
  SettingsRowSchema,
  toReadOnlyReason,
  versionColumns,
  versionOf,
} from '@watchroom/shared/settings'
import { useState } from 'react'
import { z } from 'zod'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { defineTable, type Table } from '../../../api/tables.ts'
import { useTableSave } from '../../../api/useTableSave.ts'
import { toSpecText } from '../../../editor/readSpecText.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { DiffView } from '../../../ui/diff/DiffView.tsx'
import { toDiffHunks } from '../../../ui/diff/toDiffHunks.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { errorText } from '../../../ui/errorText.ts'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showToast } from '../../../ui/toaster.ts'
import type { SettingsValues } from '../settingsForm.ts'

import styles from '../settings.module.css'

const values = z.record(z.string(), z.unknown())
const VersionSchema = z.object({
  id: z.number(),
  version: values,
  previous: values.nullable(),
  saved_at: z.string(),
  saved_by: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  credentials_changed: z.array(z.string()),
})
type Version = z.infer<typeof VersionSchema>

const versionTable = defineTable({ name: 'settings_history', row: VersionSchema })
const MAX_VERSIONS = 50

interface SettingsHistoryProps {
  definition: SettingsResource
  table: Table<SettingsRow>
  row: SettingsRow
}

/** Who changed what of a row, newest first. */
export function SettingsHistory({ definition, table, row }: SettingsHistoryProps) {
  const missing = useMissing('settingsHistory')
  const query = useQuery({
    ...versionTable.listQuery({
      filters: [`table_name=eq.${definition.table}`, `row_id=eq.${row.id}`],
      order: { by: 'id', direction: 'desc' },
      limit: MAX_VERSIONS,
    }),
    enabled: missing === null,
  })
  const queryClient = useQueryClient()
  useOnChange([versionOf(definition, row)], () => void versionTable.invalidate(queryClient))
  const mayWrite = useSession().can('write', definition.resource)
  const [restored, setRestored] = useState<Version | null>(null)
  if (missing !== null) return <p className="wr-muted">{missing}</p>
  const isReadOnly = !mayWrite || toReadOnlyReason(definition.noun, row, row.agent?.name) !== null
  return (
    <section className={styles['history']} aria-label="History">
      <QueryStates query={query} what="the history">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No history yet">The next change is the first one here.</EmptyState>
          ) : (
            rows.map((version, at) => (
              <article key={version.id} className={styles['version']}>
                <header>
                  <span>
                    <strong>{version.saved_by?.name ?? 'Watchroom'}</strong> · <TimeAgo at={version.saved_at} />
                  </span>
                  {at === 0 || isReadOnly ? null : (
                    <Button size="small" text="Restore" onClick={() => setRestored(version)} />
                  )}
                </header>
                <Difference version={version} isOldest={at === rows.length - 1} />
              </article>
            ))
          )
        }
      </QueryStates>
      {restored === null ? null : (
        <RestoreVersion
          definition={definition}
          table={table}
          row={row}
          version={restored}
          onClose={() => setRestored(null)}
        />
      )}
    </section>
  )
}

/** Credentials are only said to have changed. */
function Difference({ version: { version, previous, credentials_changed: credentials }, isOldest }: DifferenceProps) {
  if (previous === null)
    return <p className="wr-muted">{isOldest ? 'As it was first, or when its history began.' : ''}</p>
  const hunks = toDiffHunks(toSpecText(previous), toSpecText(version))
  return (
    <>
      {hunks.length === 0 ? null : <DiffView diff={hunks} />}
      {credentials.length === 0 ? null : <p>Credentials changed: {credentials.join(', ')}</p>}
    </>
  )
}

interface DifferenceProps {
  version: Version
  isOldest: boolean
}

interface RestoreVersionProps extends SettingsHistoryProps {
  version: Version
  onClose: () => void
}

/** Saves an earlier version over the one that is here now. Its credentials stay those of now. */
function RestoreVersion({ definition, table, row, version, onClose }: RestoreVersionProps) {
  const write = useTableSave(table, versionColumns(definition))
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleConfirm = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await write(row, toRestored(definition, version))
      if (result.kind === 'saved') {
        showToast(`${row.name} restored successfully`)
        return onClose()
      }
      setFailure(`Somebody changed this ${definition.noun} meanwhile. Look at what they saved first.`)
    } catch (error) {
      setFailure(errorText(error))
    }
    setBusy(false)
  }
  return (
    <ConfirmDialog
      title={`Restore ${row.name}?`}
      action={`Restore ${definition.noun}`}
      isBusy={isBusy}
      failure={failure}
      onCancel={onClose}
      onConfirm={() => void handleConfirm()}
    >
      It becomes what it was <TimeAgo at={version.saved_at} />. Its credentials stay as they are now.
    </ConfirmDialog>
  )
}

const FieldsSchema = SettingsRowSchema.pick({ icon: true, labels: true, schedule: true, spec: true })

function toRestored({ fields }: SettingsResource, { version }: Version): SettingsValues {
  const { icon, labels, schedule, spec } = FieldsSchema.parse(version)
  return {
    ...(fields.includes('icon') && { icon: icon ?? null }),
    ...(fields.includes('labels') && { labels: labels ?? {} }),
    ...(fields.includes('schedule') && { schedule: schedule ?? null }),
    spec: spec ?? {},
  }
}
