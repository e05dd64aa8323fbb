import { Drawer as Overlay } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { IconButton } from '../IconButton.tsx'

import styles from './dialog.module.css'

interface DrawerProps {
  /** For the control that opens it. */
  id?: string
  title: string
  position?: 'left' | 'right'
  /** Of CSS; never the whole window. */
  size: string
  /** What can be done here: stays in sight. */
  foot?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** More of the page, over its edge. Escape closes it and gives the focus back. */
export function Drawer({ id, title, position = 'right', size, foot, onClose, children }: DrawerProps) {
  return (
    <Overlay isOpen onClose={onClose} position={position} size={size}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawer around keeps the focus inside; a dialog element would be a second one to do so */}
      <div id={id} className={styles['drawer']} role="dialog" aria-modal="true" aria-label={title}>
        <header className={styles['drawerHead']}>
          <h2>{title}</h2>
          <IconButton icon={<Cross />} label="Close" onClick={onClose} />
        </header>
        <div className={styles['drawerBody']}>{children}</div>
        {foot === undefined ? null : <footer className={styles['drawerFoot']}>{foot}</footer>}
      </div>
    </Overlay>
  )
}
