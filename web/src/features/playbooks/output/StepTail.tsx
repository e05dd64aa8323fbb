import { playbookOutputTopic } from '@watchroom/shared/protocol'
import { useEffect, useMemo, useRef } from 'react'

import type { TopicState } from '../../../live/contract.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { OUTPUT_POLL_MS, readOutput } from '../runQueries.ts'
import type { StepOutput } from './createStepOutput.ts'

/** Pieces read at once while the socket is down. */
const POLLED_PIECES = 256

interface StepTailProps {
  actionId: string
  output: StepOutput
  /** Nothing more is printed: while the socket is down it is asked again, and then only now and then. */
  hasEnded: boolean
  onState: (state: TopicState) => void
}

/** Brings what a step prints to its output, as it prints it. Apart from the lines: pieces come more often than these are drawn. */
export function StepTail({ actionId, output, hasEnded, onState }: StepTailProps) {
  const options = useMemo(
    () => ({
      // Only what is new, and of that the newest: what is missing before it the output reads itself, and is known to miss it.
      fetchRows: (signal: AbortSignal) =>
        readOutput(actionId, { from: output.next(), limit: POLLED_PIECES, isNewest: true }, signal),
      refreshMs: hasEnded ? undefined : OUTPUT_POLL_MS,
    }),
    [actionId, output, hasEnded],
  )
  const { rows, state, refresh } = useTopic(playbookOutputTopic, { actionId }, options)
  const hadEnded = useRef(hasEnded)
  useEffect(() => {
    if (hasEnded && !hadEnded.current) refresh()
    hadEnded.current = hasEnded
  }, [hasEnded, refresh])
  useEffect(() => output.offer(rows), [output, rows])
  useEffect(() => onState(state), [onState, state])
  return null
}
