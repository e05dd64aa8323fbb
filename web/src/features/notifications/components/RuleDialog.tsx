import { Button, Callout } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { type ReadOnlyReason, toReadOnlyReason } from '@watchroom/shared/settings'
import { useRef, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useTableSave } from '../../../api/useTableSave.ts'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { SettingsHistorySection } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import type { FieldFault } from '../../../ui/form/fieldFault.ts'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormNotice } from '../../../ui/form/FormNotice.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { type EnteredRule, EnteredRuleSchema, previewRule, type Rule, ruleTable } from '../queries.ts'
import {
  NEW_RULE,
  ownServiceOf,
  RuleFormSchema,
  type RuleFields as Fields,
  toComparable,
  toDraft,
  toFields,
  toValues,
} from '../ruleForm.ts'
import { RuleFields } from './RuleFields.tsx'
import { RuleTrials } from './RuleTrials.tsx'

import styles from '../notifications.module.css'

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

/** @returns what throws `RuleRefused`, if the backend checks a rule before it is saved */
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
    draftKey: `notifications:new:${user.id}`,
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
      actions={
        <div className={styles['actions']}>
          <RuleTrials form={form} />
        </div>
      }
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

/** Edits or deletes a rule; read-only if it is defined elsewhere, or the person may not write. */
export function EditRuleDialog({ rule, mayWrite, onClose }: EditRuleDialogProps) {
  const { user } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const write = useTableSave(ruleTable, ['updated_at'])
  const requireSound = useRequireSound()
  /** The version being restored, which also provides what no field shows. */
  const restored = useRef<EnteredRule | null>(null)
  const reason = toReadOnlyReason('notification', rule) ?? (mayWrite ? null : toRoleReason('notifications'))
  const isReadOnly = reason !== null
  const form = useForm({
    schema: RuleFormSchema,
    initial: toFields(rule),
    draftKey: isReadOnly ? undefined : `notifications:${rule.id}:${user.id}`,
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
    isBegunOnOther: form.draft.isOutdated,
    onReset: (row) => {
      restored.current = null
      form.reset(toFields(row))
    },
    save: (over, fields) => write(over, toValues(fields, restored.current ?? over)),
    goneText: 'Someone deleted this notification while you were editing it.',
  })
  const savedBy = useSavedBy({
    table: 'notifications',
    resource: 'notifications',
    id: rule.id,
    revision: edited.newer?.updated_at ?? null,
  })
  const discard = (): void => {
    restored.current = null
    form.draft.discard()
  }
  const handleDeleted = (): void => {
    form.draft.forget()
    onClose()
  }
  if (isDeleting) return <DeleteRule rule={rule} onCancel={() => setDeleting(false)} onDeleted={handleDeleted} />
  return (
    <FormDialog
      form={{ ...form, draft: { ...form.draft, discard } }}
      title="Edit Notification"
      action="Update"
      size="medium"
      isReadOnly={isReadOnly}
      notice={<Notices rule={rule} reason={reason} outdated={outdatedNotice('notification', edited, form, savedBy)} />}
      actions={
        isReadOnly ? null : (
          <div className={styles['actions']}>
            <Button
              className={`${styles['apart']}`}
              intent="danger"
              variant="outlined"
              text="Delete"
              onClick={() => setDeleting(true)}
            />
            <RuleTrials form={form} stored={rule} />
          </div>
        )
      }
      onClose={onClose}
    >
      <RuleFields form={form} isReadOnly={isReadOnly} ownService={ownServiceOf(rule.custom_services)} />
      <SettingsHistorySection
        table="notifications"
        resource="notifications"
        id={rule.id}
        name={rule.title || rule.name}
        noun="notification"
        revision={rule.updated_at ?? ''}
        isReadOnly={isReadOnly}
        // Through the form, so that errors appear at their fields.
        onRestore={(former) => {
          restored.current = EnteredRuleSchema.parse(former)
          const fields = toFields(restored.current)
          for (const name of Object.keys(fields) as (keyof Fields)[]) form.set(name, fields[name])
          form.submit()
        }}
      />
      <FormConflict
        savedBy={savedBy}
        what="notification"
        form={form}
        edited={edited}
        mine={toComparable(form.values)}
        toText={(row) => toComparable(toFields(row))}
      />
    </FormDialog>
  )
}

interface NoticesProps {
  rule: Rule
  reason: ReadOnlyReason | null
  outdated: ReturnType<typeof outdatedNotice>
}

function Notices({ rule, reason, outdated }: NoticesProps) {
  return (
    <>
      <PagePeers page="notifications" id={rule.id} />
      {reason ? <ReadOnlyNotice reason={reason} /> : null}
      {outdated && !reason ? <FormNotice notice={outdated} /> : null}
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
  const remove = useMutation({
    mutationFn: () => ruleTable.softDelete(props.rule.id),
    onSuccess: () => {
      showToast(`${name} deleted successfully`)
      props.onDeleted()
    },
  })
  return (
    <ConfirmMutation
      mutation={remove}
      title={`Delete ${name}?`}
      action="Delete notification"
      intent="danger"
      onCancel={props.onCancel}
      onConfirm={() => remove.mutate()}
    >
      It no longer notifies anyone. Its history stays.
    </ConfirmMutation>
  )
}
