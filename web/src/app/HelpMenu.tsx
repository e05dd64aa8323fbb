import { Classes } from '@blueprintjs/core'
import { Help, Manual } from '@blueprintjs/icons'

import { IconButton } from '../ui/IconButton.tsx'
import { Popover } from '../ui/Popover.tsx'
import { DOCS_PATH } from './links.ts'
import { MenuLink } from './MenuLink.tsx'

/** Always in the same place of the top bar. */
export function HelpMenu() {
  return (
    <Popover
      placement="bottom-end"
      content={
        <ul className={Classes.MENU} aria-label="Help">
          <li>
            <MenuLink to={DOCS_PATH} icon={Manual} text="Docs" />
          </li>
        </ul>
      }
    >
      <IconButton icon={<Help />} label="Help" />
    </Popover>
  )
}
