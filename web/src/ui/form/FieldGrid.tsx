import type { ReactNode } from 'react'

import styles from './form.module.css'

/** Fields in two columns, on a phone in one. What is `data-wide` takes both. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={styles['grid']}>{children}</div>
}
