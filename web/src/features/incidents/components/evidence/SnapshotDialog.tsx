import { Button, DialogBody, DialogFooter, FormGroup, HTMLSelect, Switch } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { RANGE_KEYS } from '@watchroom/shared/time'
import { type ReactNode, useId, useState } from 'react'

import { requestFile } from '../../../../api/request.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { showErrorToast } from '../../../../ui/toaster.ts'

/** Logs of many components are collected while the answer is on its way. */
const TIMEOUT_MS = 300_000

interface SnapshotDialogProps {
  readonly component: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Downloads what is known of a component as an archive. */
export function SnapshotDialog({ component, onClose }: SnapshotDialogProps): ReactNode {
  const [start, setStart] = useState<string>(RANGE_KEYS[0])
  const [isRelated, setRelated] = useState(false)
  const rangeId = useId()
  const download = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ start, related: String(isRelated) })
      const path = `/api/snapshot/topology/${encodeURIComponent(component.id)}?${query.toString()}`
      return requestFile(path, { timeoutMs: TIMEOUT_MS })
    },
    onError: () => showErrorToast('Error downloading file'),
    onSuccess: (file) => {
      saveFile(file, `${component.name}-snapshot.zip`)
      onClose()
    },
  })
  return (
    <SizedDialog isOpen size="small" onClose={onClose} title="Download snapshot" className="incident-dialog">
      <DialogBody>
        <p>
          Logs, config items, changes and incidents of <strong>{component.name}</strong> as a zip archive.
        </p>
        <FormGroup label="Time range" labelFor={rangeId}>
          <HTMLSelect
            id={rangeId}
            fill
            value={start}
            options={RANGE_KEYS.map((key) => ({ value: key, label: `Last ${key}` }))}
            onChange={(event) => setStart(event.currentTarget.value)}
          />
        </FormGroup>
        <Switch
          label="Related components too"
          checked={isRelated}
          onChange={(event) => setRelated(event.currentTarget.checked)}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button intent="primary" text="Download" loading={download.isPending} onClick={() => download.mutate()} />
          </>
        }
      />
    </SizedDialog>
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
