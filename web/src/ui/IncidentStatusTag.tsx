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

/** The status of an incident, as a word and a shape. Without color: colors stand for health, not for progress. */
export function IncidentStatusTag({ status }: { status: string }) {
  const known = IncidentStatusSchema.safeParse(status.toLowerCase())
  return (
    <span className={styles['tag']} data-status={status.toLowerCase()}>
      {known.success ? GLYPHS[known.data] : null}
      {toLabel(status)}
    </span>
  )
}
