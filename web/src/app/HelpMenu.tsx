import { Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Help, Manual } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'

import { IconButton } from '../ui/IconButton.tsx'
import { DOCS_PATH } from './links.ts'

/** Always in the same place of the top bar. */
export function HelpMenu() {
  const navigate = useNavigate()
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <Menu>
          <MenuItem
            icon={<Manual />}
            text="Docs"
            href={DOCS_PATH}
            onClick={(event) => {
              event.preventDefault()
              void navigate({ to: DOCS_PATH })
            }}
          />
        </Menu>
      }
    >
      <IconButton icon={<Help />} label="Help" />
    </PopoverNext>
  )
}
