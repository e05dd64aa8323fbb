import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '@watchroom/shared/access'
import { useState } from 'react'

import { useMissing } from '../api/backendFacts.ts'
import { useSession } from '../api/session.tsx'
import { toSpecText } from '../editor/readSpecText.ts'
import { useOnChange } from '../live/useOnChange.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { DiffView } from '../ui/diff/DiffView.tsx'
import { toDiffHunks } from '../ui/diff/toDiffHunks.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { errorText } from '../ui/errorText.ts'
import { QueryStates } from '../ui/QueryStates.tsx'
import { EventTime } from '../ui/table/eventTimes.tsx'
import { TimeAgo } from '../ui/TimeAgo.tsx'
import { showToast } from '../ui/toaster.ts'
import { type Version, versionsQuery, versionTable } from './settingsVersions.ts'

import styles from './settingsHistory.module.css'

const MAX_VERSIONS = 50

/** The columns of an earlier version, without those that were empty. */
export type FormerValues = Version['version']

interface SettingsHistoryProps {
  table: string
  /** People who may not read it see nothing. */
  resource: Resource
  id: string
  /** Name of the row, for example `shop`. */
  name: string
  /** What it is, for example `connection`. */
  noun: string
  /** Changes when someone saves. */
  revision: string
  isReadOnly: boolean
  /** Saves these values over those that the person saw, or puts them into a form that does. A rejection is shown. */
  onRestore: (former: FormerValues) => Promise<{ readonly kind: 'saved' | 'changed' | 'gone' }> | void
}

/** Who changed what in a row, newest first. */
export function SettingsHistory(props: SettingsHistoryProps) {
  const { table, resource, id, name, noun, revision, isReadOnly, onRestore } = props
  const missing = useMissing('settingsHistory')
  const mayRead = useSession().can('read', resource)
  const query = useQuery({
    ...versionsQuery(table, id, MAX_VERSIONS),
    enabled: missing === null && mayRead,
  })
  const queryClient = useQueryClient()
  useOnChange([revision], () => void versionTable.invalidate(queryClient))
  const [restored, setRestored] = useState<Version | null>(null)
  if (!mayRead) return null
  if (missing !== null) return <p className="wr-muted">{missing}</p>
  return (
    <section className={styles['history']} aria-label="History">
      <QueryStates query={query} what="the history">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No history yet">Changes appear here from now on.</EmptyState>
          ) : (
            rows.map((version, at) => (
              <article key={version.id} className={styles['version']}>
                <header>
                  <span>
                    <strong>{version.saved_by?.name ?? 'Watchroom'}</strong> ·{' '}
                    <EventTime at={version.saved_at} hasDay />
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
          name={name}
          noun={noun}
          version={restored}
          onRestore={onRestore}
          onClose={() => setRestored(null)}
        />
      )}
    </section>
  )
}

/** The history below the fields of a dialog. It is read once someone opens it. */
export function SettingsHistorySection(props: SettingsHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  const mayRead = useSession().can('read', props.resource)
  if (!mayRead) return null
  return (
    <div>
      <Button
        variant="minimal"
        size="small"
        icon={isOpen ? <ChevronDown /> : <ChevronRight />}
        text="History"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? <SettingsHistory {...props} /> : null}
    </div>
  )
}

/** Of credentials it only says that they changed. */
function Difference({ version: { version, previous, credentials_changed: credentials }, isOldest }: DifferenceProps) {
  if (previous === null)
    return <p className="wr-muted">{isOldest ? 'The first version, or the oldest one on record.' : ''}</p>
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

interface RestoreVersionProps extends Pick<SettingsHistoryProps, 'name' | 'noun' | 'onRestore'> {
  version: Version
  onClose: () => void
}

/** Saves an earlier version over the current one. The current credentials stay. */
function RestoreVersion({ name, noun, version, onRestore, onClose }: RestoreVersionProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleConfirm = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await onRestore(version.version)
      if (result && result.kind !== 'saved') {
        throw new Error(`Someone changed this ${noun} in the meantime. Review what they saved first.`)
      }
      if (result) showToast(`${name} restored successfully`)
      onClose()
    } catch (error) {
      setFailure(errorText(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={`Restore ${name}?`}
      action={`Restore ${noun}`}
      isBusy={isBusy}
      failure={failure}
      onCancel={onClose}
      onConfirm={() => void handleConfirm()}
    >
      It goes back to what it was <TimeAgo at={version.saved_at} />. Its credentials stay as they are now.
    </ConfirmDialog>
  )
}
