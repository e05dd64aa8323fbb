import { Callout } from '@blueprintjs/core'
import type { RecordingHole } from '@watchroom/shared/topology/history'

import { useExactTime } from '../../../ui/useExactTime.ts'

interface PastNoticeProps {
  recordedSince: number | null
  holes: readonly RecordingHole[]
}

/** What of the past nobody wrote down. */
export function PastNotice({ recordedSince, holes }: PastNoticeProps) {
  const toExact = useExactTime()
  if (recordedSince === null) return <Callout compact>Nothing has been recorded yet.</Callout>
  if (holes.length === 0) return null
  return (
    <Callout compact intent="warning">
      {holes.map(({ from, until }) => (
        <p key={from}>
          {until === null
            ? `Not recorded since ${toExact(from)}. You see the last recorded state.`
            : `Not recorded from ${toExact(from)} to ${toExact(until)}. You see the state before that.`}
        </p>
      ))}
    </Callout>
  )
}
