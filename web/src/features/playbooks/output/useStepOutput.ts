import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

import { createThrottle } from '../../../live/createThrottle.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { DRAW_MS } from '../../../ui/log-view/createLogLines.ts'
import { readOutput } from '../runQueries.ts'
import { createStepOutput, type StepOutput } from './createStepOutput.ts'

/** What a step printed; `StepTail` fills it. The step stays the same while the component is mounted. */
export function useStepOutput(actionId: string): { output: StepOutput; revision: number } {
  const { clock } = useScreenClock()
  const [output] = useState(() =>
    createStepOutput({
      read: (from, before, limit, signal) => readOutput(actionId, { from, before, limit }, signal),
      schedule: (act, delayMs) => clock.schedule(act, delayMs),
    }),
  )
  useEffect(() => output.close, [output])
  const subscribe = useCallback(
    (listener: () => void) => {
      const drawing = createThrottle(clock, DRAW_MS, listener)
      const stop = output.log.subscribe(drawing.ask)
      return () => {
        stop()
        drawing.close()
      }
    },
    [clock, output],
  )
  return { output, revision: useSyncExternalStore(subscribe, output.log.revision) }
}
