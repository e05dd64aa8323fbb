import { Classes } from '@blueprintjs/core'
import { KeyCommand, Manual } from '@blueprintjs/icons'

import { DOCS_PATH } from './links.ts'
import { MenuLink } from './MenuLink.tsx'

import styles from './shell.module.css'

/** The entries of the help menu. */
export function HelpItems({ onKeys }: { onKeys: () => void }) {
  return (
    <ul className={Classes.MENU} aria-label="Help">
      <li>
        <MenuLink to={DOCS_PATH} icon={Manual} text="Docs" />
      </li>
      <li>
        <button
          type="button"
          className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS} ${styles['menuButton']}`}
          aria-keyshortcuts="?"
          onClick={onKeys}
        >
          <span className={Classes.MENU_ITEM_ICON}>
            <KeyCommand />
          </span>
          Keyboard shortcuts
        </button>
      </li>
    </ul>
  )
}
