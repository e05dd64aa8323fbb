import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

import { KeyGroups } from '../features/docs/components/KeyGroups.tsx'
import { SizedDialog } from '../ui/SizedDialog.tsx'

interface KeysDialogProps {
  /** Gets the focus afterwards if the menu entry that had it is gone. */
  home: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The dialog that `?` opens. */
export function KeysDialog({ home, onClose }: KeysDialogProps) {
  const pathname = useLocation({ select: (location) => location.pathname })
  useEffect(() => {
    const before = document.activeElement
    const fallback = home.current?.querySelector('button')
    return () => {
      const isGone = !(before instanceof HTMLElement) || before === document.body || !before.isConnected
      ;(isGone ? fallback : before)?.focus()
    }
  }, [home])
  return (
    <SizedDialog isOpen size="medium" title="Keyboard shortcuts" onClose={onClose}>
      <DialogBody>
        <KeyGroups pathname={pathname} />
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </SizedDialog>
  )
}
