import { Button } from '@blueprintjs/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FeatureFlag, toDisabledAreas } from '@watchroom/shared/settings'
import { type ComponentProps, useState } from 'react'
import { z } from 'zod'

import { useSession } from '../../../api/session.tsx'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormNotice } from '../../../ui/form/FormNotice.tsx'
import { isNewerVersion } from '../../../ui/form/isNewerVersion.ts'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { flagTable, LOCAL_REFUSAL, removeFlag, type StoredFlag } from '../queries.ts'
import { SUGGESTED_AREAS } from '../suggestedAreas.ts'

const OWN_AREA = 'settings.feature_flags'
const MISSING = 'please provide all details'
const FlagFormSchema = z.object({
  name: z.string().trim().min(1, MISSING).max(200),
  value: z.string().trim().min(1, MISSING).max(1_000),
})
type FlagValues = z.output<typeof FlagFormSchema>

interface AddFlagDialogProps {
  /** What there is already. */
  flags: readonly FeatureFlag[]
  onClose: () => void
}

/** Every open page follows within a second. */
export function AddFlagDialog({ flags, onClose }: AddFlagDialogProps) {
  const { user } = useSession()
  const form = useForm({
    schema: FlagFormSchema.superRefine(({ name }, context) => {
      const known = flags.find((flag) => flag.name === name)
      if (known) context.addIssue({ code: 'custom', path: ['name'], message: TAKEN[known.source] })
    }),
    initial: { name: '', value: '' },
    save: (flag) => flagTable.insert({ ...flag, created_by: user.id }),
    onSaved: () => {
      showToast('Feature flag added successfully')
      onClose()
    },
  })
  return (
    <FlagFormDialog form={form} title="Add feature flag" action="Add" onClose={onClose}>
      <TextField label="Name" isCode isFirst help={NAME_HELP} {...form.field('name')} />
      <TextField label="Value" isCode help={VALUE_HELP} {...form.field('value')} />
      <AreaSuggestions onChoose={(name) => form.set('name', name)} />
    </FlagFormDialog>
  )
}

/** A local one wins: what is stored beside it is in no list and has no effect. */
const TAKEN: Readonly<Record<FeatureFlag['source'], string>> = {
  local: LOCAL_REFUSAL,
  db: 'There’s a flag with this name already',
}
const NAME_HELP = 'Name an area with .disable, for example incidents.disable.'
const VALUE_HELP = 'true turns an area off; any other value leaves it on.'

interface EditFlagDialogProps {
  stored: StoredFlag
  mayWrite: boolean
  onClose: () => void
}

/** Changes or removes a flag; who may not, reads. */
export function EditFlagDialog({ stored, mayWrite, onClose }: EditFlagDialogProps) {
  const [isRemoving, setRemoving] = useState(false)
  const queryClient = useQueryClient()
  const form = useForm({
    schema: FlagFormSchema,
    initial: toValues(stored),
    save: (flag): Promise<boolean> => edited.save(flag),
    onSaved: () => {
      showToast('Feature flag updated successfully')
      onClose()
    },
  })
  const edited = useEditedRow<StoredFlag, FlagValues>({
    current: stored,
    isNewer: (row, than) =>
      isNewerVersion(row, than) || (row.updated_at === than.updated_at && row.value !== than.value),
    isDirty: form.isDirty,
    onReset: (row) => form.reset(toValues(row)),
    // Not every server moves the time on with the value.
    save: async (over, { value }) => {
      const result = await flagTable.update(over, { value }, ['updated_at', 'value'])
      if (result.kind === 'changed') void flagTable.invalidate(queryClient)
      return result
    },
    goneText: 'Someone removed this feature flag while you were editing it.',
  })
  if (isRemoving) return <RemoveFlagDialog name={stored.name} onCancel={() => setRemoving(false)} onRemoved={onClose} />
  const notice = outdatedNotice('feature flag', edited, form)
  return (
    <FlagFormDialog
      form={form}
      title={stored.name}
      action="Save"
      isReadOnly={!mayWrite}
      notice={notice ? <FormNotice notice={notice} /> : null}
      actions={
        mayWrite ? <Button intent="danger" variant="outlined" text="Remove" onClick={() => setRemoving(true)} /> : null
      }
      onClose={onClose}
    >
      <TextField label="Name" isCode isReadOnly help={NAME_HELP} {...form.field('name')} />
      <TextField label="Value" isCode isFirst isReadOnly={!mayWrite} help={VALUE_HELP} {...form.field('value')} />
      <FormConflict
        what="feature flag"
        form={form}
        edited={edited}
        mine={form.values.value}
        toText={({ value }) => value}
      />
    </FlagFormDialog>
  )
}

const toValues = ({ name, value }: StoredFlag): FlagValues => ({ name, value })

/** Asks before the page of the flags itself is turned off. */
function FlagFormDialog({ children, ...props }: Omit<ComponentProps<typeof FormDialog<FlagValues>>, 'onNext'>) {
  const { form } = props
  const [isAsking, setAsking] = useState(false)
  const flag = FlagFormSchema.safeParse(form.values).data
  const takesPageAway = flag !== undefined && toDisabledAreas([flag]).has(OWN_AREA)
  return (
    <FormDialog {...props} onNext={takesPageAway ? () => setAsking(true) : undefined}>
      {children}
      {isAsking ? (
        <ConfirmDialog
          title="Turn Feature Flags off?"
          action="Turn off"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            form.submit()
          }}
        >
          This page goes away for everyone, you included. Only the API or the database can bring it back.
        </ConfirmDialog>
      ) : null}
    </FormDialog>
  )
}

function AreaSuggestions({ onChoose }: { onChoose: (name: string) => void }) {
  return (
    <details>
      <summary>Areas that can be turned off</summary>
      <div>
        {SUGGESTED_AREAS.map((area) => (
          <Button
            key={area}
            size="small"
            variant="minimal"
            text={`${area}.disable`}
            onClick={() => onChoose(`${area}.disable`)}
          />
        ))}
      </div>
    </details>
  )
}

function RemoveFlagDialog(props: { name: string; onCancel: () => void; onRemoved: () => void }) {
  const { name, onCancel, onRemoved } = props
  const remove = useMutation({
    mutationFn: () => removeFlag(name),
    onSuccess: () => {
      showToast('Feature flag removed successfully')
      onRemoved()
    },
  })
  return (
    <ConfirmMutation
      title={`Remove ${name}?`}
      action="Remove flag"
      mutation={remove}
      onCancel={onCancel}
      onConfirm={() => remove.mutate()}
    >
      The area goes back to its default on every open page.
    </ConfirmMutation>
  )
}
