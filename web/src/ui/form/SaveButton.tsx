import { Button } from '@blueprintjs/core'
import { FloppyDisk } from '@blueprintjs/icons'

interface SaveButtonProps {
  isSaving: boolean
  /** The element that says why it does nothing now; absent: it saves. */
  reasonId: string | undefined
}

/** Saves the form that it stands in, as the key of `useSaveKey` does. It stays within reach where it is off. */
export const SaveButton = ({ isSaving, reasonId }: SaveButtonProps) => (
  <Button
    type="submit"
    intent="primary"
    icon={<FloppyDisk />}
    text="Save"
    title="Ctrl+S"
    aria-keyshortcuts="Control+S Meta+S"
    loading={isSaving}
    aria-disabled={reasonId !== undefined}
    aria-describedby={reasonId}
  />
)
