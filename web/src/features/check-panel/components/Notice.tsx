import { Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import styles from '../checkPanel.module.css'

export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Callout role="note" icon={null} compact className={`${styles['notice']}`}>
      <strong>{title}.</strong> {children}
    </Callout>
  )
}
