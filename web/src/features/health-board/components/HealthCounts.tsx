import type { HealthCounts as Counts } from '@watchroom/shared/health'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'

import styles from '../healthBoard.module.css'

/** How many checks pass and fail, over all of them regardless of filters. */
export function HealthCounts({ counts, isOld }: { counts: Counts; isOld: boolean }) {
  return (
    <span className={styles['counts']} data-old={isOld || undefined}>
      <StatusGlyph status="unhealthy" word={`${counts.unhealthy} failing`} />
      <StatusGlyph status="healthy" word={`${counts.healthy} passing`} />
      {counts.unknown > 0 ? <StatusGlyph status="unknown" word={`${counts.unknown} unknown`} /> : null}
    </span>
  )
}
