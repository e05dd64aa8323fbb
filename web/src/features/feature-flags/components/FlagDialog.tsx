import { Button } from '@blueprintjs/core'
import { FEATURE_AREAS } from '@watchroom/shared/settings'
import { useState } from 'react'
import { z } from 'zod'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { removeFlag, saveFlag, type StoredFlag } from '../queries.ts'

const MISSING = 'please provide all details'
const FlagFormSchema = z.object({
  name: z.string().trim().min(1, MISSING).max(200),
  value: z.string().trim().min(1, MISSING).max(1_000),
})

interface FlagDialogProps {
  /** Null for one that is added. */
  stored: StoredFlag | null
  mayWrite: boolean
  onClose: () => void
}

/** Adds, changes or removes a flag. Every open page follows within a second. */
export function FlagDialog({ stored, mayWrite, onClose }: FlagDialogProps) {
  const { user } = useSession()
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm({
    schema: FlagFormSchema,
    initial: { name: stored?.name ?? '', value: stored?.value ?? '' },
    save: (flag) => saveFlag(flag, stored, user.id),
    onSaved: () => {
      showToast(stored ? 'Feature flag updated successfully' : 'Feature flag added successfully')
      onClose()
    },
  })
  if (isRemoving && stored) {
    return <RemoveFlagDialog name={stored.name} onCancel={() => setRemoving(false)} onRemoved={onClose} />
  }
  return (
    <FormDialog
      form={form}
      title={stored ? stored.name : 'Add feature flag'}
      action={stored ? 'Save' : 'Add'}
      isReadOnly={!mayWrite}
      actions={
        stored && mayWrite ? (
          <Button intent="danger" variant="outlined" text="Remove" onClick={() => setRemoving(true)} />
        ) : null
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst={stored === null}
        isReadOnly={stored !== null || !mayWrite}
        help="Name an area with .disable, for example incidents.disable."
        {...form.field('name')}
      />
      <TextField
        label="Value"
        isCode
        isFirst={stored !== null}
        isReadOnly={!mayWrite}
        help="true turns an area off; any other value leaves it on."
        {...form.field('value')}
      />
      {stored === null && mayWrite ? <AreaSuggestions onChoose={(name) => form.set('name', name)} /> : null}
    </FormDialog>
  )
}

/** The names that mean something to this version; others are kept for whoever reads them. */
function AreaSuggestions({ onChoose }: { onChoose: (name: string) => void }) {
  return (
    <details>
      <summary>Areas that can be turned off</summary>
      <div>
        {FEATURE_AREAS.map((area) => (
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
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleConfirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await removeFlag(name)
      showToast('Feature flag removed successfully')
      onRemoved()
    } catch (error) {
      setFailure(errorText(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove flag"
      isBusy={isBusy}
      failure={failure}
      onCancel={onCancel}
      onConfirm={() => void handleConfirm()}
    >
      The area goes back to its default on every open page.
    </ConfirmDialog>
  )
}
