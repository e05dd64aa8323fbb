import { Circle, Confirm, FullCircle, Lock, Search, Shield } from '@blueprintjs/icons'
import { type IncidentStatus, IncidentStatusSchema, toLabel } from '@watchroom/shared/incidents'
import type { ReactElement } from 'react'

import styles from './IncidentStatusTag.module.css'

const GLYPHS: Record<IncidentStatus, ReactElement> = {
  new: <Circle size={10} />,
  open: <FullCircle size={10} />,
  investigating: <Search size={10} />,
  mitigated: <Shield size={10} />,
  resolved: <Confirm size={10} />,
  closed: <Lock size={10} />,
}

/** Where an incident stands, as a word and a shape. Without a color: those say how things are, not how far people got. */
export function IncidentStatusTag({ status }: { status: string }) {
  const known = IncidentStatusSchema.safeParse(status.toLowerCase())
  return (
    <span className={styles['tag']} data-status={status.toLowerCase()}>
      {known.success ? GLYPHS[known.data] : null}
      {toLabel(status)}
    </span>
  )
}
