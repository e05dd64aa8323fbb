import '../evidence/evidence.css'
import { Alert, Button, Dialog, DialogBody, DialogFooter, FormGroup, TextArea } from '@blueprintjs/core'
import { Edit, Plus, Tick, Trash, Undo } from '@blueprintjs/icons'
import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import { type ReactNode, useId, useState } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { formatExact, parseMoment } from '../../../../ui/formatTime.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { StatusGlyph } from '../../../../ui/StatusGlyph.tsx'
import { attempt } from '../evidence/attempt.ts'
import { EVIDENCE_TYPE_NAMES, evidenceTitle } from '../evidence/evidenceTitle.ts'
import { type EvidenceDetails, useEvidenceDetails, usePersonName } from '../evidence/queries.ts'
import { AddDefinitionOfDoneDialog, toManualEvidence } from './AddDefinitionOfDoneDialog.tsx'
import { ScriptField } from './ScriptField.tsx'
import { useLivingEvidence } from './useLivingEvidence.ts'

/** What must hold before the incident is over: evidence that an expression judges, and conditions that people tick. */
export function DefinitionOfDone(): ReactNode {
  const evidence = useLivingEvidence()
  const canWrite = useIncidentPart((room) => room.canWrite)
  const [isAdding, setAdding] = useState(false)
  const items = evidence.filter(({ isDefinitionOfDone }) => isDefinitionOfDone)
  const details = useEvidenceDetails(items)
  const doneCount = items.filter(({ done }) => done === true).length

  return (
    <div className="dod">
      {items.length === 0 ? (
        <p className="wr-muted">Nothing says yet when this incident is done.</p>
      ) : (
        <>
          <p className="wr-muted">
            {doneCount} of {items.length} done
          </p>
          <ul className="dod-list" aria-label="Definition of done">
            {items.map((item) => (
              <DodItem key={item.id} item={item} details={details.get(item.id)} canWrite={canWrite} />
            ))}
          </ul>
        </>
      )}
      {canWrite ? (
        <Button icon={<Plus />} size="small" text="Add definition of done" onClick={() => setAdding(true)} />
      ) : null}
      {isAdding ? <AddDefinitionOfDoneDialog onClose={() => setAdding(false)} /> : null}
    </div>
  )
}

interface DodItemProps {
  readonly item: EvidenceView
  readonly details: EvidenceDetails | undefined
  readonly canWrite: boolean
}

type Asked = 'done' | 'remove' | 'edit' | null

function DodItem({ item, details, canWrite }: DodItemProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const canModerate = useIncidentPart((room) => room.canModerate)
  const userId = useIncidentPart((room) => room.self.user.id)
  const nameOf = usePersonName()
  const [asked, setAsked] = useState<Asked>(null)
  const title = evidenceTitle(item, details)
  const isManual = item.type === 'comment'
  const isDone = item.done === true
  // A changed condition takes the place of the former one, so the former one must be one's own to remove.
  const canEdit = !isManual || canModerate || item.created_by === userId

  const handleDone = (): void => {
    setAsked(null)
    attempt(`Marking as ${isDone ? 'not done' : 'done'} failed`, () => edit.setDone(item.id, !isDone))
  }
  const handleRemove = (): void => {
    setAsked(null)
    attempt('Removing evidence from definition of done failed', () => edit.setDefinitionOfDone(item.id, false))
  }

  return (
    <li className="dod-item" data-evidence={item.id}>
      <div className="dod-head">
        <StatusGlyph status={isDone ? 'healthy' : 'unknown'} word={isDone ? 'Done' : 'Not done'} />
        <strong className="evidence-title">{title}</strong>
        <span className="evidence-label">{isManual ? 'Manual' : 'Automatic'}</span>
        {canWrite ? (
          <span className="evidence-actions">
            <IconButton
              icon={isDone ? <Undo /> : <Tick />}
              label={isDone ? 'Mark as not done' : 'Mark as done'}
              size="small"
              onClick={() => setAsked('done')}
            />
            <IconButton
              icon={<Edit />}
              label="Edit"
              size="small"
              {...(canEdit
                ? {}
                : { disabledReason: 'Only its author, a commander, an editor or an admin may edit it' })}
              onClick={() => setAsked('edit')}
            />
            <IconButton
              icon={<Trash />}
              label="Remove from definition of done"
              size="small"
              onClick={() => setAsked('remove')}
            />
          </span>
        ) : null}
      </div>
      {isManual ? null : <p className="dod-note wr-muted">{EVIDENCE_TYPE_NAMES[item.type]}</p>}
      {item.script ? <code className="dod-script">{item.script}</code> : null}
      {item.doneAt === null ? null : (
        <p className="dod-note wr-muted">
          {isDone ? 'Done' : 'Not done'} by {nameOf(item.doneBy)},{' '}
          <time dateTime={item.doneAt}>{formatExact(parseMoment(item.doneAt))}</time>
        </p>
      )}
      {asked === 'done' ? (
        <Alert
          isOpen
          confirmButtonText={isDone ? 'Mark as not done' : 'Mark as done'}
          cancelButtonText="Cancel"
          intent="primary"
          canEscapeKeyCancel
          onConfirm={handleDone}
          onCancel={() => setAsked(null)}
        >
          Mark “{title}” as {isDone ? 'not done' : 'done'}?
        </Alert>
      ) : null}
      {asked === 'remove' ? (
        <Alert
          isOpen
          confirmButtonText="Remove"
          cancelButtonText="Cancel"
          intent="danger"
          canEscapeKeyCancel
          onConfirm={handleRemove}
          onCancel={() => setAsked(null)}
        >
          Remove “{title}” from the definition of done? The evidence itself stays.
        </Alert>
      ) : null}
      {asked === 'edit' ? <EditDialog item={item} title={title} onClose={() => setAsked(null)} /> : null}
    </li>
  )
}

interface EditDialogProps {
  readonly item: EvidenceView
  readonly title: string
  readonly onClose: () => void
}

function EditDialog({ item, title, onClose }: EditDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const isManual = item.type === 'comment'
  const [value, setValue] = useState(isManual ? title : (item.script ?? ''))
  const fieldId = useId()
  const trimmed = value.trim()

  const handleSave = (): void => {
    const isSaved = attempt('Marking evidence as part of definition of done failed', () => {
      if (!isManual) {
        edit.setScript(item.id, trimmed === '' ? null : trimmed)
        return
      }
      // Evidence never changes: another condition is another piece, and nobody has ticked it yet.
      if (trimmed === title) return
      const id = edit.addEvidence(toManualEvidence(item.hypothesis_id, trimmed))
      edit.setDefinitionOfDone(id, true)
      edit.removeEvidence(item.id)
    })
    if (isSaved) onClose()
  }

  return (
    <Dialog isOpen onClose={onClose} title="Edit definition of done">
      <DialogBody>
        {isManual ? (
          <FormGroup label="What must be done" labelFor={fieldId}>
            <TextArea
              id={fieldId}
              fill
              autoResize
              value={value}
              maxLength={LIMITS.commentLength}
              onChange={(event) => setValue(event.target.value)}
            />
          </FormGroup>
        ) : (
          <ScriptField type={item.type} value={value} onChange={setValue} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button intent="primary" text="Save" disabled={isManual && trimmed === ''} onClick={handleSave} />
          </>
        }
      />
    </Dialog>
  )
}
