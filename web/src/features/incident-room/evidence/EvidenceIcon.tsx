import { Chat, Changes, Diagnosis, DiagramTree, Document, Lightbulb, Pulse } from '@blueprintjs/icons'
import type { EvidenceType } from '@watchroom/shared/incidents'
import type { ReactElement } from 'react'

import styles from './evidence.module.css'

const ICONS: Record<EvidenceType, ReactElement> = {
  log: <Diagnosis size={14} />,
  config: <Document size={14} />,
  topology: <DiagramTree size={14} />,
  check: <Pulse size={14} />,
  config_analysis: <Lightbulb size={14} />,
  config_change: <Changes size={14} />,
  comment: <Chat size={14} />,
}

/** What a piece of evidence is, at a glance; its name stands beside it. */
export function EvidenceIcon({ type }: { type: EvidenceType }) {
  return (
    <span className={styles['icon']} data-type={type} aria-hidden>
      {ICONS[type]}
    </span>
  )
}
