import { Help } from '@blueprintjs/icons'
import { Suspense, useRef, useState } from 'react'

import { useHotkey } from '../ui/hotkeys.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Popover } from '../ui/Popover.tsx'

// Opened by few page views.
const HelpItems = lazyPart(async () => (await import('./HelpItems.tsx')).HelpItems)
const KeysDialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog)

/** Always in the same place of the top bar. */
export function HelpMenu() {
  const [hasKeys, setKeys] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useHotkey('?', () => setKeys(true))
  return (
    <div ref={place}>
      <Popover
        placement="bottom-end"
        content={
          <Suspense>
            <HelpItems onKeys={() => setKeys(true)} />
          </Suspense>
        }
      >
        <IconButton icon={<Help />} label="Help" />
      </Popover>
      {hasKeys ? (
        <Suspense>
          <KeysDialog home={place} onClose={() => setKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
