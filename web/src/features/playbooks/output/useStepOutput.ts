import { playbookOutputTopic } from '@watchroom/shared/protocol'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { OUTPUT_POLL_MS, readOutput } from '../runQueries.ts'
import { createStepOutput, type StepOutput } from './createStepOutput.ts'

/** Pieces read at once while the socket is down. */
const POLLED_PIECES = 256

interface LiveOutput {
  readonly output: StepOutput
  readonly revision: number
  /** This backend keeps no pieces: what a step printed stands in its result alone. */
  readonly isMissing: boolean
  /** The first answer is there. */
  readonly isKnown: boolean
}

/**
 * What a step prints, as it prints it. The step stays the same while the component is mounted.
 *
 * @param hasEnded nothing more is printed: while the socket is down it is asked once more, and then only now and then
 */
export function useStepOutput(actionId: string, hasEnded: boolean): LiveOutput {
  const { clock } = useScreenClock()
  const [output] = useState(() =>
    createStepOutput({
      read: (from, before, limit, signal) => readOutput(actionId, { from, before, limit }, signal),
      schedule: (act, delayMs) => clock.schedule(act, delayMs),
    }),
  )
  const options = useMemo(
    () => ({
      // Only what is new: what is here stays here.
      fetchRows: (signal: AbortSignal) => readOutput(actionId, { from: output.next(), limit: POLLED_PIECES }, signal),
      refreshMs: hasEnded ? undefined : OUTPUT_POLL_MS,
    }),
    [actionId, output, hasEnded],
  )
  const topic = useTopic(playbookOutputTopic, { actionId }, options)
  const { refresh } = topic
  const hadEnded = useRef(hasEnded)
  useEffect(() => {
    if (hasEnded && !hadEnded.current) refresh()
    hadEnded.current = hasEnded
  }, [hasEnded, refresh])
  useEffect(() => output.offer(topic.rows), [output, topic.rows])
  useEffect(() => output.close, [output])
  const revision = useSyncExternalStore(output.log.subscribe, output.log.revision)
  return { output, revision, isMissing: topic.state === 'failed', isKnown: topic.state !== 'loading' }
}
