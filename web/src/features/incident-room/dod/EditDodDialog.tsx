import { Button, Callout } from '@blueprintjs/core'
import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { attempt } from '../attempt.ts'
import { MARKING_FAILED } from './dodTexts.ts'
import { ScriptField } from './ScriptField.tsx'

import styles from '../evidence/evidence.module.css'

interface EditDodDialogProps {
  /** The current item, including changes by others; its last state if it is gone. */
  readonly item: EvidenceView
  readonly title: string
  /** Someone else removed it, or took it out of the definition of done. */
  readonly isGone: boolean
  readonly onClose: () => void
}

/** Changes the words of a condition, or the expression that decides. The item stays the same. */
export function EditDodDialog({ item, title, isGone, onClose }: EditDodDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const userId = useIncidentPart((room) => room.self.user.id)
  const isManual = item.type === 'comment'
  const current = isManual ? title : (item.script ?? '')
  const form = useForm({
    schema: z.object({ text: z.string().trim(), begun: z.string() }),
    // The initial text is kept beside it: only what differs from it was written here.
    initial: { text: current, begun: current },
    draftKey: `dod:${item.id}:${userId}`,
    save: async ({ text, begun: former }) => {
      if (text === former.trim()) return
      const refusal = attempt(() => {
        if (isManual) edit.setCondition(item.id, text)
        else edit.setScript(item.id, text === '' ? null : text)
      })
      if (refusal !== null) throw new Error(MARKING_FAILED)
    },
    onSaved: onClose,
  })
  const { text: typed, begun } = form.values
  const begin = (text: string): void => form.reset({ text, begun: text })
  const follow = useEffectEvent((text: string) => {
    if (text !== begun && !form.isDirty) begin(text)
  })
  useEffect(() => follow(current), [current])
  const isOutdated = form.isDirty && current !== begun && typed.trim() !== current
  return (
    <FormDialog
      form={form}
      title="Edit definition of done"
      action="Save"
      isDisabled={isGone || (isManual && typed.trim() === '')}
      notice={
        isGone ? (
          <Callout intent="warning" icon={null} aria-live="polite">
            Someone removed this from the definition of done.
          </Callout>
        ) : isOutdated ? (
          <Callout intent="warning" icon={null} aria-live="polite" title="Someone else changed this">
            <p className={styles['dodTheirs']}>{current === '' ? <em>No expression</em> : current}</p>
            Saving replaces it with yours. <Button size="small" text="Use theirs" onClick={() => begin(current)} />
          </Callout>
        ) : null
      }
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
