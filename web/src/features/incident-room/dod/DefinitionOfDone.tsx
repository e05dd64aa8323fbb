import { Button, ProgressBar } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import type { EvidenceView } from '@watchroom/shared/collab'
import type { DodVerdict } from '@watchroom/shared/incidents'
import { definitionOfDoneTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo, useState } from 'react'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { EVIDENCE_GAP_PX } from '../evidence/EvidenceList.tsx'
import { evidenceTitle } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'
import { AddDefinitionOfDoneDialog } from './AddDefinitionOfDoneDialog.tsx'
import { DodItem } from './DodItem.tsx'
import { EditDodDialog } from './EditDodDialog.tsx'
import { useCurrentEvidence } from './useCurrentEvidence.ts'

import styles from '../evidence/evidence.module.css'

/** What must be true before the incident is over: evidence checked by an expression, and conditions that people tick off. */
export function DefinitionOfDone({ incidentId }: { incidentId: string }): ReactNode {
  const evidence = useCurrentEvidence()
  const canWrite = useIncidentPart((room) => room.canWrite)
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<EvidenceView | null>(null)
  const items = useMemo(() => evidence.filter(({ isDefinitionOfDone }) => isDefinitionOfDone), [evidence])
  const details = useEvidenceDetails(items)
  const verdicts = useVerdicts(incidentId)
  const doneCount = items.filter(({ done }) => done === true).length
  const isAllDone = doneCount === items.length
  const current = items.find(({ id }) => id === edited?.id)

  return (
    <div className={styles['dod']}>
      {items.length === 0 ? (
        <p className="wr-muted">This incident has no definition of done yet.</p>
      ) : (
        <>
          <div className={styles['dodProgress']}>
            <strong data-complete={isAllDone || undefined}>
              {doneCount} of {items.length} done
            </strong>
            <ProgressBar
              animate={false}
              stripes={false}
              intent={isAllDone ? 'success' : 'primary'}
              value={doneCount / items.length}
              aria-hidden
            />
          </div>
          <VirtualRows
            as="ul"
            className={`${styles['dodList']}`}
            aria-label="Definition of done"
            gap={EVIDENCE_GAP_PX}
            rows={items}
            keyOf={idOf}
            estimate={estimateItem}
            renderRow={(item) => (
              <DodItem
                item={item}
                details={details.get(item.id)}
                verdict={verdicts.get(item.id)}
                canWrite={canWrite}
                onEdit={setEdited}
              />
            )}
          />
        </>
      )}
      {canWrite ? (
        <Button icon={<Plus />} size="small" text="Add definition of done" onClick={() => setAdding(true)} />
      ) : null}
      {isAdding ? <AddDefinitionOfDoneDialog incidentId={incidentId} onClose={() => setAdding(false)} /> : null}
      {edited === null ? null : (
        <EditDodDialog
          key={edited.id}
          item={current ?? edited}
          title={evidenceTitle(current ?? edited, details.get(edited.id))}
          isGone={current === undefined}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  )
}

const idOf = ({ id }: EvidenceView): string => id
/** Height that an item probably has, in pixels. */
const estimateItem = ({ script, type }: EvidenceView): number => (script && type !== 'comment' ? 130 : 90)

const NO_VERDICTS: ReadonlyMap<string, DodVerdict> = new Map()

/** The current results of the scripts, by evidence. None without a link: an old one would count down for nothing. */
function useVerdicts(incidentId: string): ReadonlyMap<string, DodVerdict> {
  const { rows, state } = useTopic(definitionOfDoneTopic, { incidentId })
  return useMemo(
    () => (state === 'offline' || state === 'failed' ? NO_VERDICTS : new Map(rows.map((row) => [row.id, row]))),
    [rows, state],
  )
}
