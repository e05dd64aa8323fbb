import { isEnded } from '@watchroom/shared/playbooks'
import { playbookRunTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import { useTopic } from '../../live/useTopic.ts'
import { toRunParts } from './runParts.ts'
import { fetchRunParts, RUN_POLL_MS } from './runQueries.ts'

/** A run with its steps and decisions, as it happens. */
export function useRunParts(id: string) {
  const [hasEnded, setHasEnded] = useState(false)
  const options = useMemo(
    () => ({
      fetchRows: (signal: AbortSignal) => fetchRunParts(id, signal),
      // A run that has ended is retried now and then.
      refreshMs: hasEnded ? undefined : RUN_POLL_MS,
    }),
    [id, hasEnded],
  )
  const topic = useTopic(playbookRunTopic, { id }, options)
  const parts = useMemo(() => toRunParts(topic.rows), [topic.rows])
  const isOver = parts.run !== null && isEnded(parts.run.status)
  if (isOver !== hasEnded) setHasEnded(isOver)
  return { topic, parts, isOver }
}
