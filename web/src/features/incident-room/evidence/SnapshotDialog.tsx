import { RANGE_KEYS } from '@watchroom/shared/time'
import type { ReactNode } from 'react'
import { z } from 'zod'

import { requestFile } from '../../../api/request.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'

/** Logs of many components are collected while the answer is on its way. */
const TIMEOUT_MS = 300_000

const INITIAL: { start: string; isRelated: boolean } = { start: RANGE_KEYS[0], isRelated: false }

interface SnapshotDialogProps {
  readonly component: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Downloads what is known of a component as an archive. */
export function SnapshotDialog({ component, onClose }: SnapshotDialogProps): ReactNode {
  const form = useForm({
    schema: z.object({ start: z.string(), isRelated: z.boolean() }),
    initial: INITIAL,
    save: ({ start, isRelated }) => {
      const query = new URLSearchParams({ start, related: String(isRelated) })
      const path = `/api/snapshot/topology/${encodeURIComponent(component.id)}?${query.toString()}`
      return requestFile(path, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        throw new Error('Error downloading file', { cause: error })
      })
    },
    onSaved: (file) => {
      saveFile(file, `${component.name}-snapshot.zip`)
      onClose()
    },
  })
  return (
    <FormDialog form={form} title="Download snapshot" action="Download" isQuick onClose={onClose}>
      <p>
        Logs, config items, changes and incidents of <strong>{component.name}</strong> as a zip archive.
      </p>
      <SelectField
        label="Time range"
        {...form.field('start')}
        options={RANGE_KEYS.map((key) => ({ value: key, label: `Last ${key}` }))}
      />
      <SwitchField label="Related components too" {...form.field('isRelated')} />
    </FormDialog>
  )
}

function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(address)
}
