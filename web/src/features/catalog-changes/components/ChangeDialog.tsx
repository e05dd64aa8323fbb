import { Button, DialogBody, DialogFooter, SegmentedControl } from '@blueprintjs/core'
import { ChevronDown, ChevronUp } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import type { ConfigChange, ConfigChangeDetail } from '@watchroom/shared/catalog'
import type { KeyboardEvent, ReactNode } from 'react'

import { usePeople } from '../../../api/people.ts'
import { useDiffLayout } from '../../../preferences/configChanges.ts'
import { ConfigLink } from '../../../ui/config/ConfigLink.tsx'
import { DiffView } from '../../../ui/diff/DiffView.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { changeQuery } from '../queries.ts'
import type { ChangeForActions } from './ChangesTable.tsx'

import styles from '../catalogChanges.module.css'

interface ChangeDialogProps {
  id: string
  /** The list that it was opened from. */
  neighbors: readonly ConfigChange[]
  renderActions: (change: ChangeForActions) => ReactNode
  onMove: (id: string) => void
  onClose: () => void
}

/** Everything known about one change, with links to its neighbors in the list. */
export function ChangeDialog({ id, neighbors, renderActions, onMove, onClose }: ChangeDialogProps) {
  const query = useQuery(changeQuery(id))
  const at = neighbors.findIndex((change) => change.id === id)
  const [previous, next] = at === -1 ? [] : [neighbors[at - 1], neighbors[at + 1]]
  const change = query.data
  const title = change?.summary || change?.change_type || neighbors[at]?.summary || 'Change'

  const handleKeyDown = ({ key, target }: KeyboardEvent): void => {
    if (target instanceof Element && target.closest('input, textarea, select')) return
    // Another dialog was opened from this one.
    if (document.querySelectorAll('[role="dialog"]').length > 1) return
    const to = key === '[' ? previous : key === ']' ? next : undefined
    if (to !== undefined) onMove(to.id)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the dialog, wherever in it the focus is; each has a button in it
    <div onKeyDown={handleKeyDown}>
      <SizedDialog size="medium" isOpen onClose={onClose} title={title} className={styles['dialog'] ?? ''}>
        <div className={styles['dialogParts']}>
          <DialogBody>
            <QueryStates query={query} what="this change">
              {(found) =>
                found === null ? <EmptyState title="Details not found" /> : <ChangeDetails change={found} />
              }
            </QueryStates>
          </DialogBody>
          <DialogFooter
            actions={
              <>
                {change ? renderActions({ ...change, name: change.config?.name }) : null}
                <Button text="Close" onClick={onClose} />
              </>
            }
          >
            {at === -1 ? null : (
              <span className={styles['moves']}>
                <Button
                  icon={<ChevronUp />}
                  text="Previous"
                  disabled={previous === undefined}
                  aria-keyshortcuts="["
                  aria-label="Previous change"
                  onClick={() => previous && onMove(previous.id)}
                />
                <Button
                  icon={<ChevronDown />}
                  text="Next"
                  disabled={next === undefined}
                  aria-keyshortcuts="]"
                  aria-label="Next change"
                  onClick={() => next && onMove(next.id)}
                />
              </span>
            )}
          </DialogFooter>
        </div>
      </SizedDialog>
    </div>
  )
}

function ChangeDetails({ change }: { change: ConfigChangeDetail }) {
  const { nameOf } = usePeople()
  const [layout, setLayout] = useDiffLayout()
  const author = (change.created_by && (nameOf(change.created_by) ?? change.created_by)) || change.external_created_by
  return (
    <>
      <Facts
        facts={[
          ['Item', <ConfigLink key="item" config={change.config ?? { id: change.config_id }} />],
          ['Change', change.change_type],
          ['Severity', change.severity && <SeverityBars key="severity" severity={change.severity} />],
          ['Source', change.source],
          ['By', author],
          ['At', <TimeAgo key="at" at={change.created_at} />],
          ['First observed', change.first_observed && <TimeAgo key="first" at={change.first_observed} />],
          ['Count', change.count || null],
        ]}
      />
      {change.diff ? (
        <section>
          <header className={styles['partHead']}>
            <h3>Diff</h3>
            <SegmentedControl
              aria-label="Layout of the diff"
              size="small"
              value={layout}
              onValueChange={(value) => setLayout(value === 'sides' ? 'sides' : 'unified')}
              options={[
                { value: 'unified', label: 'Unified' },
                { value: 'sides', label: 'Side by side' },
              ]}
            />
          </header>
          <DiffView key={change.id} diff={change.diff} layout={layout} />
        </section>
      ) : null}
      <Json title="Details" value={change.details} />
      <Json title="Patches" value={change.patches} />
    </>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function Json({ title, value }: { title: string; value: unknown }) {
  if (isEmpty(value)) return null
  return (
    <section>
      <h3>{title}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <figure className={styles['json']} aria-label={title} tabIndex={0}>
        <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
      </figure>
    </section>
  )
}
