import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import type { ReactNode } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { attempt } from '../attempt.ts'
import { MARKING_FAILED } from './dodTexts.ts'
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
  const form = useForm({
    schema: z.object({ text: z.string().trim() }),
    initial: { text: isManual ? title : (item.script ?? '') },
    save: async ({ text }) => {
      const refusal = attempt(() => {
        if (!isManual) edit.setScript(item.id, text === '' ? null : text)
        else if (text !== title) edit.setCondition(item.id, text)
      })
      if (refusal !== null) throw new Error(MARKING_FAILED)
    },
    onSaved: onClose,
  })
  return (
    <FormDialog
      form={form}
      title="Edit definition of done"
      action="Save"
      isDisabled={isManual && form.values.text.trim() === ''}
      onClose={onClose}
    >
      {isManual ? (
        <TextField
          label="What must be done"
          {...form.field('text')}
          isMultiline
          isFirst
          maxLength={LIMITS.commentLength}
        />
      ) : (
        <>
          <strong>{title}</strong>
          <ScriptField type={item.type} {...form.field('text')} />
        </>
      )}
    </FormDialog>
  )
}
