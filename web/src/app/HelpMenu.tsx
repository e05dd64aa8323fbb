import { Help } from '@blueprintjs/icons'
import { Suspense, useRef, useState } from 'react'

import { useHotkey } from '../ui/hotkeys.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Popover } from '../ui/Popover.tsx'

// Rarely opened.
const HelpItems = lazyPart(async () => (await import('./HelpItems.tsx')).HelpItems)
const KeysDialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog)

/** Always at the same place in the top bar. */
export function HelpMenu() {
  const [areKeysOpen, setKeysOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useHotkey('?', () => setKeysOpen(true))
  return (
    <div ref={place}>
      <Popover
        placement="bottom-end"
        content={
          <Suspense>
            <HelpItems onKeys={() => setKeysOpen(true)} />
          </Suspense>
        }
      >
        <IconButton icon={<Help />} label="Help" />
      </Popover>
      {areKeysOpen ? (
        <Suspense>
          <KeysDialog home={place} onClose={() => setKeysOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
