import { Button, Drawer } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { IconButton } from '../../../ui/IconButton.tsx'

interface FilterDrawerProps {
  id: string
  onClose: () => void
  children: ReactNode
}

/** The filters on small screens: over the board, never beside it. */
export function FilterDrawer({ id, onClose, children }: FilterDrawerProps) {
  return (
    <Drawer isOpen onClose={onClose} position="left" size="min(360px, 92vw)">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawer around keeps the focus inside; a dialog element would be a second one to do so */}
      <div id={id} className="filter-drawer" role="dialog" aria-modal="true" aria-label="Filters">
        <div className="filter-drawer-header">
          <h2>Filters</h2>
          <IconButton icon={<Cross />} label="Close" onClick={onClose} />
        </div>
        <div className="filter-drawer-body">{children}</div>
        <div className="filter-drawer-footer">
          <Button fill intent="primary" text="Show checks" onClick={onClose} />
        </div>
      </div>
    </Drawer>
  )
}
