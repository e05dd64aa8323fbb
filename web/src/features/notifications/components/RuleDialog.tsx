import { Button, Callout } from '@blueprintjs/core'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { useTableSave } from '../../../api/useTableSave.ts'
import { SettingsHistorySection } from '../../../collab/SettingsHistory.tsx'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import type { FieldFault } from '../../../ui/form/fieldFault.ts'
import { FormConflict } from '../../../ui/form/FormConflict.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { previewRule, type Rule, ruleTable } from '../queries.ts'
import {
  NEW_RULE,
  RuleFormSchema,
  type RuleFields as Fields,
  toComparable,
  toDraft,
  toFields,
  toFormerFields,
  toValues,
} from '../ruleForm.ts'
import { RuleFields } from './RuleFields.tsx'
import { RuleTrials } from './RuleTrials.tsx'

/** The server refuses a filter or a template, and says where. */
class RuleRefused extends Error {
  override readonly name = 'RuleRefused'
  readonly faults: readonly FieldFault[]

  constructor(faults: readonly FieldFault[]) {
    super('The rule can’t be saved yet.')
    this.faults = faults
  }
}

const toFieldName = (field: string): string => (field === 'template' ? 'text' : field)

/** @returns what throws `RuleRefused`, where the backend reads a rule before it is saved */
function useRequireSound(): (fields: Fields) => Promise<void> {
  const isRead = useMissing('notificationReasons') === null
  return async (fields) => {
    if (!isRead) return
    const { faults } = await previewRule(toDraft(fields))
    if (faults.length > 0)
      throw new RuleRefused(faults.map(({ field, message }) => ({ field: toFieldName(field), message })))
  }
}

export function CreateRuleDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const requireSound = useRequireSound()
  const form = useForm({
    schema: RuleFormSchema,
    initial: NEW_RULE,
    save: async (fields) => {
      await requireSound(fields)
      return ruleTable.insert({ ...toValues(fields), source: 'UI', created_by: user.id })
    },
    onSaved: () => {
      showToast('Notification added successfully')
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title="Create Notification"
      action="Create"
      size="medium"
      actions={<RuleTrials form={form} />}
      onClose={onClose}
    >
      <RuleFields form={form} isReadOnly={false} />
    </FormDialog>
  )
}

interface EditRuleDialogProps {
  rule: Rule
  mayWrite: boolean
  onClose: () => void
}

/** Edits or deletes a rule; what other places define, and who may not write, is read. */
export function EditRuleDialog({ rule, mayWrite, onClose }: EditRuleDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const write = useTableSave(ruleTable, ['updated_at'])
  const requireSound = useRequireSound()
  const isOwn = rule.source == null || rule.source === '' || rule.source === 'UI'
  const isReadOnly = !isOwn || !mayWrite
  const form = useForm({
    schema: RuleFormSchema,
    initial: toFields(rule),
    save: async (fields): Promise<boolean> => {
      await requireSound(fields)
      return edited.save(fields)
    },
    onSaved: () => {
      showToast('Notification updated successfully')
      onClose()
    },
  })
  const edited = useEditedRow<Rule, Fields>({
    current: rule,
    isNewer: (row, than) => row.updated_at !== than.updated_at,
    isDirty: form.isDirty,
    onReset: (row) => form.reset(toFields(row)),
    save: (over, fields) => write(over, toValues(fields, over)),
    goneText: 'Someone deleted this notification while you were editing it.',
  })
  if (isDeleting) return <DeleteRule rule={rule} onCancel={() => setDeleting(false)} onDeleted={onClose} />
  return (
    <FormDialog
      form={form}
      title="Edit Notification"
      action="Update"
      size="medium"
      isReadOnly={isReadOnly}
      notice={<Notices rule={rule} isOwn={isOwn} mayWrite={mayWrite} />}
      actions={
        isReadOnly ? null : (
          <RuleTrials form={form} stored={rule}>
            <Button intent="danger" variant="outlined" text="Delete" onClick={() => setDeleting(true)} />
          </RuleTrials>
        )
      }
      onClose={onClose}
    >
      <RuleFields form={form} isReadOnly={isReadOnly} />
      <SettingsHistorySection
        table="notifications"
        resource="notifications"
        id={rule.id}
        name={rule.title || rule.name}
        noun="notification"
        revision={rule.updated_at ?? ''}
        isReadOnly={isReadOnly}
        // By the form, so that what is refused stands at its field.
        onRestore={(former) => {
          const fields = toFormerFields(former)
          for (const name of Object.keys(fields) as (keyof Fields)[]) form.set(name, fields[name])
          form.submit()
        }}
      />
      <FormConflict
        what="notification"
        form={form}
        edited={edited}
        mine={toComparable(form.values)}
        toText={(row) => toComparable(toFields(row))}
      />
    </FormDialog>
  )
}

function Notices({ rule, isOwn, mayWrite }: { rule: Rule; isOwn: boolean; mayWrite: boolean }) {
  return (
    <>
      {isOwn && !mayWrite ? <ReadOnlyNotice reason={toRoleReason('notifications')} /> : null}
      {isOwn ? null : (
        <Callout role="note" icon={null} compact>
          This notification is defined elsewhere: {rule.source}. Change it there.
        </Callout>
      )}
      {rule.error ? (
        <Callout role="note" icon={null} compact intent="danger">
          {rule.error}
        </Callout>
      ) : null}
    </>
  )
}

function DeleteRule(props: { rule: Rule; onCancel: () => void; onDeleted: () => void }) {
  const name = props.rule.title ?? props.rule.name
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleConfirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await ruleTable.softDelete(props.rule.id)
      showToast(`${name} deleted successfully`)
      props.onDeleted()
    } catch (error) {
      setFailure(errorText(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete notification"
      intent="danger"
      isBusy={isBusy}
      failure={failure}
      onCancel={props.onCancel}
      onConfirm={() => void handleConfirm()}
    >
      It no longer notifies anyone. Its history stays.
    </ConfirmDialog>
  )
}
