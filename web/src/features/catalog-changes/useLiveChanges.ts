import { useQueryClient } from '@tanstack/react-query'
import { type ConfigChangesParams, configChangesTopic, toConfigChangesParams } from '@watchroom/shared/protocol'
import { useEffect, useRef } from 'react'

import { configChangeKeys } from '../../api/queryKeys.ts'
import { useTopic } from '../../live/useTopic.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import { useLatest } from '../../ui/useLatest.ts'
import type { ChangesAsk } from './search.ts'

/** Between two questions while changes arrive: a burst must not keep an answer from ever being read. */
const CALM_MS = 1_000

/** What was read of changes is read again when one arrives that the filters mean. */
export function useLiveChanges(ask: ChangesAsk) {
  const queryClient = useQueryClient()
  const { clock } = useScreenClock()
  const live = useTopic(configChangesTopic, toParams(ask))
  const seen = useRef(live.rows)
  const askedAt = useRef(Number.NEGATIVE_INFINITY)
  const waiting = useRef<(() => void) | null>(null)
  const askAgain = useLatest((): void => {
    waiting.current = null
    askedAt.current = clock.monotonic()
    for (const queryKey of [configChangeKeys.lists, configChangeKeys.histories]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  })
  useEffect(() => {
    if (seen.current === live.rows) return
    seen.current = live.rows
    if (waiting.current !== null) return
    const waitMs = CALM_MS - (clock.monotonic() - askedAt.current)
    if (waitMs <= 0) askAgain()
    else waiting.current = clock.schedule(askAgain, waitMs)
  }, [live.rows, clock, askAgain])
  useEffect(() => () => waiting.current?.(), [])
  return live
}

function toParams({ recursive, ...ask }: ChangesAsk): ConfigChangesParams {
  const { id, config_type, type, severity, summary, source, created_by, tags } = ask
  const asked = { id, config_type, type, severity, summary, source, created_by, tags }
  return toConfigChangesParams({
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    recursive,
  })
}
