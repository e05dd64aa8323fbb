import type { HypothesisStatus } from '@watchroom/shared/incidents'

import styles from '../incidentRoom.module.css'

/**
 * How certain a hypothesis is, as the filled part of a circle: full means proven, a bar through it disproven. Without color, which
 * stands for health. The word is shown beside it.
 */
export function CertaintyGlyph({ status }: { readonly status: HypothesisStatus }) {
  return <span className={styles['certainty']} data-status={status} aria-hidden />
}
