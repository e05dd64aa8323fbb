import type { ReactNode } from 'react'

import styles from './RowFacts.module.css'

/** What is known of a row of a side panel, in one small line below its name. */
export function RowFacts({ children }: { children: ReactNode }) {
  return <div className={styles['facts']}>{children}</div>
}
