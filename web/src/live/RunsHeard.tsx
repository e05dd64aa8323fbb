import { jobsTopic } from '@watchroom/shared/protocol'

import { useOnBurst } from './useOnBurst.ts'
import { useTopic } from './useTopic.ts'

/** Between two readings of a list: where much runs something ends every second. */
const CALM_MS = 5_000

/** Hears that something that runs on a schedule began or ended, while it is mounted. Needs read on the database's own tables. */
export function RunsHeard({ onRun }: { onRun: () => void }): null {
  const { rows } = useTopic(jobsTopic, { resourceId: '' })
  useOnBurst([rows], onRun, CALM_MS)
  return null
}
