import type { ReactNode } from 'react'

import styles from './form.module.css'

/** Fields that belong together. */
export function FormCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles['card']} aria-label={label}>
      {children}
    </section>
  )
}
