import { RANGE_KEYS } from '@watchroom/shared/time'
import type { ReactNode } from 'react'
import { z } from 'zod'

import { requestFile } from '../../../api/request.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { saveFile } from '../../../ui/saveFile.ts'

/** Logs of many components are collected while the answer is on its way. */
const TIMEOUT_MS = 300_000

/** What the archive is about, in the words of the address. */
export interface SnapshotSubject {
  readonly kind: 'topology' | 'config' | 'incident'
  readonly id: string
  readonly name: string
}

const CONTENTS: Readonly<Record<SnapshotSubject['kind'], string>> = {
  topology: 'Logs, config items, changes and incidents of',
  config: 'Changes, insights and incidents of',
  incident: 'Hypotheses, evidence, comments and history, and what changed around',
}
/** An incident is as long as it is. */
const SINCE_OPENED = { value: '', label: 'Since it was opened' }

interface SnapshotDialogProps {
  readonly subject: SnapshotSubject
  readonly onClose: () => void
}

/** Downloads what is known of a component, a config item or an incident as an archive. */
export function SnapshotDialog({ subject: { kind, id, name }, onClose }: SnapshotDialogProps): ReactNode {
  const isIncident = kind === 'incident'
  const form = useForm({
    schema: z.object({ start: z.string(), isRelated: z.boolean() }),
    initial: { start: isIncident ? SINCE_OPENED.value : RANGE_KEYS[0], isRelated: false },
    save: ({ start, isRelated }) => {
      const query = new URLSearchParams({ ...(start === '' ? {} : { start }), related: String(isRelated) })
      const path = `/api/snapshot/${kind}/${encodeURIComponent(id)}?${query.toString()}`
      return requestFile(path, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        throw new Error('Error downloading file', { cause: error })
      })
    },
    onSaved: (file) => {
      saveFile(`${name}-snapshot.zip`, file)
      onClose()
    },
  })
  return (
    <FormDialog form={form} title="Download snapshot" action="Download" isQuick onClose={onClose}>
      <p>
        {CONTENTS[kind]} <strong>{name}</strong> as a zip archive.
      </p>
      <SelectField
        label="Time range"
        {...form.field('start')}
        options={[
          ...(isIncident ? [SINCE_OPENED] : []),
          ...RANGE_KEYS.map((key) => ({ value: key, label: `Last ${key}` })),
        ]}
      />
      {isIncident ? null : (
        <SwitchField
          label={kind === 'config' ? 'Related config items too' : 'Related components too'}
          {...form.field('isRelated')}
        />
      )}
    </FormDialog>
  )
}
