import { toLabel } from '@watchroom/shared/incidents'

import styles from './IncidentStatusTag.module.css'

/** Where an incident stands, as a word; color only underlines it. */
export function IncidentStatusTag({ status }: { status: string }) {
  return (
    <span className={styles['tag']} data-status={status.toLowerCase()}>
      {toLabel(status)}
    </span>
  )
}
