import { Button, DialogBody, DialogFooter, FormGroup, TextArea } from '@blueprintjs/core'
import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import { type ReactNode, useId, useState } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { attempt } from '../evidence/attempt.ts'
import { ScriptField } from './ScriptField.tsx'

interface EditDodDialogProps {
  readonly item: EvidenceView
  readonly title: string
  readonly onClose: () => void
}

/** Changes the words of a condition, or the expression that decides. The item stays the same. */
export function EditDodDialog({ item, title, onClose }: EditDodDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const isManual = item.type === 'comment'
  const [value, setValue] = useState(isManual ? title : (item.script ?? ''))
  const fieldId = useId()
  const trimmed = value.trim()

  const handleSave = (): void => {
    const isSaved = attempt('Marking evidence as part of definition of done failed', () => {
      if (!isManual) edit.setScript(item.id, trimmed === '' ? null : trimmed)
      else if (trimmed !== title) edit.setCondition(item.id, trimmed)
    })
    if (isSaved) onClose()
  }

  return (
    <SizedDialog isOpen size="small" onClose={onClose} title="Edit definition of done" className="incident-dialog">
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
          <>
            <p>
              <strong>{title}</strong>
            </p>
            <ScriptField type={item.type} value={value} onChange={setValue} />
          </>
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
    </SizedDialog>
  )
}
