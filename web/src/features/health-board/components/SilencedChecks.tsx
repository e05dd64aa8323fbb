import { silencesTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { SilencedContext } from './boardColumns.tsx'

const TICK_MS = 10_000

/** Around the board: it knows of which checks nobody is told now. */
export function SilencedChecks({ children }: { children: ReactNode }) {
  const { rows } = useTopic(silencesTopic, {})
  const now = useServerNow(TICK_MS)
  const silenced = useMemo(() => {
    const untilOf = new Map<string, number>()
    for (const { from, until, covers } of rows) {
      const end = parseMoment(until)
      if (now < parseMoment(from) || end <= now) continue
      for (const id of covers) untilOf.set(id, Math.max(end, untilOf.get(id) ?? 0))
    }
    return untilOf
  }, [rows, now])
  return <SilencedContext value={silenced}>{children}</SilencedContext>
}
