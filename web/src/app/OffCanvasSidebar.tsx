import { Drawer } from '@blueprintjs/core'
import { Menu } from '@blueprintjs/icons'
import { useState } from 'react'

import { IconButton } from '../ui/IconButton.tsx'
import { Sidebar } from './Sidebar.tsx'

import styles from './shell.module.css'

/** The sidebar of a phone: behind a button, over the page. */
export function OffCanvasSidebar() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={<Menu />}
        label="Open navigation"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Drawer
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        position="left"
        size="min(280px, 85vw)"
        className={`${styles['offcanvas']}`}
        aria-label="Navigation"
      >
        <Sidebar isCollapsed={false} onNavigate={() => setOpen(false)} />
      </Drawer>
    </>
  )
}
