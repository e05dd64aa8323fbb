import { Button } from '@blueprintjs/core'
import { Undo } from '@blueprintjs/icons'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { showErrorToast } from '../../../../ui/toaster.ts'
import { attempt } from '../room/attempt.ts'
import { usePeople } from '../room/people.ts'

/** What was removed, by whom, and the way back: removal is a mark and loses nothing. */
export function RemovedHypotheses() {
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const { nameOf } = usePeople()
  const removed = [...hypotheses.values()].flatMap((hypothesis) =>
    hypothesis.removed ? [{ hypothesis, removal: hypothesis.removed }] : [],
  )
  if (removed.length === 0) return null
  const handleRestore = (id: string): void => {
    const refusal = attempt(() => edit.restoreHypothesis(id))
    if (refusal !== null) showErrorToast(refusal)
  }
  return (
    <details className="room-removed">
      <summary>Removed ({removed.length})</summary>
      <ul>
        {removed.map(({ hypothesis, removal }) => (
          <li key={hypothesis.id}>
            <span>{hypothesis.title || 'Untitled'}</span>{' '}
            <span className="wr-muted">removed by {nameOf(removal.by) ?? 'someone'}</span>
            {canWrite ? (
              <Button
                size="small"
                variant="minimal"
                icon={<Undo size={12} />}
                text="Restore"
                aria-label={`Restore ${hypothesis.title}`}
                onClick={() => handleRestore(hypothesis.id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  )
}
