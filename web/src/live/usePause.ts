import { useState } from 'react'

import { useHotkey } from '../ui/hotkeys.ts'
import { useLatest } from '../ui/useLatest.ts'
import type { TopicView } from './contract.ts'

interface Pause<Row> {
  /** With its rows as they are, or as they were when someone paused them. */
  readonly topic: TopicView<Row>
  readonly isPaused: boolean
  /** Pauses, or goes on. `.` does so too. */
  readonly onPause: () => void
}

/** @param question another value is another page, which is not paused */
export function usePause<Row>(topic: TopicView<Row>, question = ''): Pause<Row> {
  const [paused, setPaused] = useState<{ readonly rows: readonly Row[]; readonly question: string } | null>(null)
  const kept = paused?.question === question ? paused.rows : null
  const onPause = useLatest((): void => setPaused(kept === null ? { rows: topic.rows, question } : null))
  useHotkey('.', onPause)
  return { topic: kept === null ? topic : { ...topic, rows: kept }, isPaused: kept !== null, onPause }
}
