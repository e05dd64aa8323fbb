import { Classes } from '@blueprintjs/core'
import { Help, KeyCommand, Manual } from '@blueprintjs/icons'
import { lazy, Suspense, useRef, useState } from 'react'

import { useHotkey } from '../ui/hotkeys.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Popover } from '../ui/Popover.tsx'
import { DOCS_PATH } from './links.ts'
import { MenuLink } from './MenuLink.tsx'

import styles from './shell.module.css'

const KeysDialog = lazy(async () => ({ default: (await import('./KeysDialog.tsx')).KeysDialog }))

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
          <ul className={Classes.MENU} aria-label="Help">
            <li>
              <MenuLink to={DOCS_PATH} icon={Manual} text="Docs" />
            </li>
            <li>
              <button
                type="button"
                className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS} ${styles['menuButton']}`}
                aria-keyshortcuts="?"
                onClick={() => setKeys(true)}
              >
                <span className={Classes.MENU_ITEM_ICON}>
                  <KeyCommand />
                </span>
                Keyboard shortcuts
              </button>
            </li>
          </ul>
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
