import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useLocation } from '@tanstack/react-router'

import { KeyGroups } from '../features/docs/components/KeyGroups.tsx'
import { SizedDialog } from '../ui/SizedDialog.tsx'

/** What `?` opens. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <SizedDialog isOpen size="medium" title="Keyboard shortcuts" onClose={onClose}>
      <DialogBody>
        <KeyGroups pathname={pathname} />
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </SizedDialog>
  )
}
