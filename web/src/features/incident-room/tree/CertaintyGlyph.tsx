import type { HypothesisStatus } from '@watchroom/shared/incidents'

import styles from '../incidentRoom.module.css'

/**
 * How sure people are of a hypothesis, as the filled part of a circle: all of it is proven, a bar through it disproven. No
 * color: those say how things are. The word stands beside it.
 */
export function CertaintyGlyph({ status }: { readonly status: HypothesisStatus }) {
  return <span className={styles['certainty']} data-status={status} aria-hidden />
}
