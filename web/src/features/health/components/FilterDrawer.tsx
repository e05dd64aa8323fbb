import { Button, Drawer } from '@blueprintjs/core'
import type { ReactNode } from 'react'

interface FilterDrawerProps {
  id: string
  onClose: () => void
  children: ReactNode
}

/** The filters on small screens: over the board, never beside it. */
export function FilterDrawer({ id, onClose, children }: FilterDrawerProps) {
  return (
    <Drawer isOpen onClose={onClose} title="Filters" position="left" size="min(360px, 92vw)" className="filter-drawer">
      <div id={id} className="filter-drawer-body">
        {children}
      </div>
      <div className="filter-drawer-footer">
        <Button fill intent="primary" text="Show checks" onClick={onClose} />
      </div>
    </Drawer>
  )
}
