import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Undo } from '@blueprintjs/icons'
import type { HypothesisView } from '@watchroom/shared/collab'
import { useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { attempt } from '../attempt.ts'
import { ExactTime } from '../components/ExactTime.tsx'
import { hypothesisTitle } from '../hypothesisTitle.ts'

import styles from '../incidentRoom.module.css'

type Hypotheses = ReadonlyMap<string, HypothesisView>

/** What was removed, by whom, and how to restore it: removal is only a mark and loses nothing. */
export function RemovedHypotheses() {
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  const [isOpen, setOpen] = useState(false)
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const { nameOf } = usePeople()
  const [asked, setAsked] = useState<HypothesisView | null>(null)
  const removed = [...hypotheses.values()].flatMap((hypothesis) =>
    hypothesis.removed ? [{ hypothesis, removal: hypothesis.removed }] : [],
  )
  if (removed.length === 0) return null

  const restore = (id: string, where: 'withParents' | 'atTop'): void => {
    setAsked(null)
    const refusal = attempt(() => edit.restoreHypothesis(id, where))
    if (refusal !== null) showErrorToast(refusal)
  }
  const handleRestore = (hypothesis: HypothesisView): void => {
    if (removedAbove(hypotheses, hypothesis).length > 0) setAsked(hypothesis)
    else restore(hypothesis.id, 'withParents')
  }
  return (
    <details className={styles['removed']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Removed ({removed.length})</summary>
      {isOpen ? (
        <VirtualRows
          as="ul"
          rows={removed}
          keyOf={({ hypothesis }) => hypothesis.id}
          estimate={() => 32}
          renderRow={({ hypothesis, removal }) => (
            <div className={styles['removedRow']}>
              <span className={styles['removedTitle']}>{hypothesisTitle(hypothesis)}</span>
              <span className="wr-muted">
                removed by {nameOf(removal.by) ?? 'someone'}, <ExactTime at={removal.at} />
              </span>
              {canWrite ? (
                <Button
                  size="small"
                  variant="minimal"
                  icon={<Undo size={12} />}
                  text="Restore"
                  aria-label={`Restore ${hypothesis.title}`}
                  onClick={() => handleRestore(hypothesis)}
                />
              ) : null}
            </div>
          )}
        />
      ) : null}
      {asked === null ? null : (
        <RestoreDialog
          title={asked.title}
          above={removedAbove(hypotheses, asked)}
          onRestore={(where) => restore(asked.id, where)}
          onClose={() => setAsked(null)}
        />
      )}
    </details>
  )
}

/** Removed hypotheses above one, the nearest first. */
function removedAbove(hypotheses: Hypotheses, { placedBelow }: HypothesisView): HypothesisView[] {
  const above = placedBelow === null ? undefined : hypotheses.get(placedBelow)
  if (!above) return []
  return [...(above.removed ? [above] : []), ...removedAbove(hypotheses, above)]
}

interface RestoreDialogProps {
  readonly title: string
  readonly above: readonly HypothesisView[]
  readonly onRestore: (where: 'withParents' | 'atTop') => void
  readonly onClose: () => void
}

/** Its parent was removed, too: it is restored with the parent, or at the top. */
function RestoreDialog({ title, above, onRestore, onClose }: RestoreDialogProps) {
  return (
    <SizedDialog isOpen size="small" title="Restore hypothesis" onClose={onClose}>
      <DialogBody>
        <p>
          <strong>{hypothesisTitle({ title })}</strong> stood below{' '}
          {above.length === 1 ? 'a hypothesis that was' : `${above.length} hypotheses that were`} removed too:
        </p>
        <ul>
          {above.toReversed().map((each) => (
            <li key={each.id}>{hypothesisTitle(each)}</li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button text="Restore at the top" onClick={() => onRestore('atTop')} />
            <Button
              intent="primary"
              text={above.length === 1 ? 'Restore with its parent' : 'Restore with its parents'}
              onClick={() => onRestore('withParents')}
            />
          </>
        }
      />
    </SizedDialog>
  )
}
