import type { SeverityCount } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'

import { SeverityBars } from './SeverityBars.tsx'

import styles from './SeverityCounts.module.css'

/** How many there are of each severity, the worst first. */
export function SeverityCounts({ counts }: { counts: readonly SeverityCount[] }) {
  return (
    <span className={styles['counts']}>
      {counts.map(({ severity, count }) => (
        <span key={severity} title={`${count.toLocaleString()} ${toLabel(severity).toLowerCase()}`}>
          <SeverityBars severity={severity} count={count} />
        </span>
      ))}
    </span>
  )
}
