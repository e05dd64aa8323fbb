import { jobsTopic } from '@watchroom/shared/protocol'

import { useOnBurst } from './useOnBurst.ts'
import { useTopic } from './useTopic.ts'

/** Between two readings of a list: in a busy installation something ends every second. */
const CALM_MS = 5_000

/** While mounted, calls back when a scheduled job begins or ends. Needs the right to read the database's own tables. */
export function RunsHeard({ onRun }: { onRun: () => void }): null {
  const { rows } = useTopic(jobsTopic, { resourceId: '' })
  useOnBurst([rows], onRun, CALM_MS)
  return null
}
