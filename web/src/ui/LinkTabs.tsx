import type { ReactNode } from 'react'

import styles from './LinkTabs.module.css'

interface LinkTabsProps {
  /** For screen readers. */
  label: string
  /** Links; the page that is open says so by `aria-current`. */
  children: ReactNode
}

/** Pages side by side, each at an address of its own. */
export function LinkTabs({ label, children }: LinkTabsProps) {
  return (
    <nav className={styles['tabs']} aria-label={label}>
      {children}
    </nav>
  )
}
