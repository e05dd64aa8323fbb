import { createSilenceFinder } from '@watchroom/shared/notifications'
import { silencesTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { SilenceFinderContext } from './boardColumns.tsx'

const TICK_MS = 10_000

/** Around the board: it knows of which checks nobody is told now. */
export function SilencedChecks({ children }: { children: ReactNode }) {
  const { rows } = useTopic(silencesTopic, {})
  const now = useServerNow(TICK_MS)
  const find = useMemo(() => createSilenceFinder(rows, now), [rows, now])
  return <SilenceFinderContext value={find}>{children}</SilenceFinderContext>
}
