import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { Drawer } from '../../../ui/dialog/Drawer.tsx'

interface FilterDrawerProps {
  id: string
  onClose: () => void
  children: ReactNode
}

/** The filters on small screens: over the board, never beside it. */
export const FilterDrawer = ({ id, onClose, children }: FilterDrawerProps) => (
  <Drawer
    id={id}
    title="Filters"
    position="left"
    size="min(360px, 92vw)"
    foot={<Button fill intent="primary" text="Show checks" onClick={onClose} />}
    onClose={onClose}
  >
    {children}
  </Drawer>
)
