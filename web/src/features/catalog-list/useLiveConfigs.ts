import type { Config } from '@watchroom/shared/catalog'
import { configsTopic } from '@watchroom/shared/protocol'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'

import { useTopic } from '../../live/useTopic.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import { countNew, newestOf, patchRows } from './liveConfigs.ts'
import type { CatalogSearch } from './search.ts'

const NO_PARAMS = {}
const NO_ROWS: readonly Config[] = []

/** Changes come in bursts; a list that is short enough is read again once for one. */
const SETTLE_MS = 500
/** Rows up to which a list is read again by itself. Longer ones offer what is new. */
const SHORT = 100

interface ReadList {
  /** Undefined before the first answer. */
  readonly rows: readonly Config[] | undefined
  readonly total: number | undefined
  /** Another number is another answer. */
  readonly readAt: number
  readonly search: CatalogSearch
  readonly hidesDeleted: boolean
  readonly readAgain: () => void
}

/** The rows of a list as they are now, and how many it would have besides if it was read again. */
export function useLiveConfigs({ rows = NO_ROWS, total, readAt, search, hidesDeleted, readAgain }: ReadList) {
  const { clock } = useScreenClock()
  const live = useTopic(configsTopic, NO_PARAMS)
  const byId = useMemo(() => new Map(live.rows.map((row) => [row.id, row])), [live.rows])
  const isKnown = live.rows.length > 0
  const knownUntil = useAtAnswer(`${readAt} ${isKnown}`, () => newestOf([...rows, ...live.rows]))
  const patched = useMemo(() => patchRows(rows, byId), [rows, byId])
  const news = useMemo(() => {
    if (total === undefined || !isKnown) return 0
    return countNew(byId.values(), { rows, isWhole: rows.length >= total, knownUntil, search, hidesDeleted })
  }, [byId, isKnown, rows, total, knownUntil, search, hidesDeleted])

  const isShort = rows.length <= SHORT
  const isBehind = isShort && news > 0
  const read = useEffectEvent(readAgain)
  // Once for a burst, however long it lasts.
  useEffect(() => (isBehind ? clock.schedule(() => read(), SETTLE_MS) : undefined), [clock, isBehind])
  return { rows: patched, live, news: isShort ? 0 : news }
}

/** A value of the moment at which something else became another one. Taken while rendering, so that no frame shows two moments. */
function useAtAnswer(moment: string, take: () => number): number {
  const [taken, setTaken] = useState(() => ({ moment, value: take() }))
  if (taken.moment === moment) return taken.value
  const next = { moment, value: take() }
  setTaken(next)
  return next.value
}
