import type { Config } from '@watchroom/shared/catalog'
import { configsTopic } from '@watchroom/shared/protocol'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'

import { useTopic } from '../../live/useTopic.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import { beginNews, countNew, followNews, type ListNews, newestOf, patchRows } from './liveConfigs.ts'
import type { CatalogSearch } from './search.ts'

const NO_PARAMS = {}
const NO_ROWS: readonly Config[] = []

/** Changes come in bursts; a short list is read again once per burst. */
const SETTLE_MS = 500
/** Lists up to this many rows are read again by themselves when items are missing. Longer ones offer to show what is new. */
const SHORT = 100
/** Between two readings of a long list when the topic could not cover all changes. */
const LONG_SETTLE_MS = 10_000
/** Answers younger than this count as current; for older ones, their time counts. */
const NOW_MS = 5_000

interface ReadList {
  /** Which list it is. */
  readonly list: string
  /** Undefined before the first answer. */
  readonly rows: readonly Config[] | undefined
  /** The number of pages that the rows came in. */
  readonly pages: number
  readonly total: number | undefined
  /** When the last answer arrived, by the browser's clock; 0 before that. A new number means a new answer. */
  readonly readAt: number
  readonly search: CatalogSearch
  readonly hidesDeleted: boolean
  readonly readAgain: () => void
}

/** The current rows of a list, and how many more it would have if it was read again. */
export function useLiveConfigs(read: ReadList) {
  const { rows = NO_ROWS, total, readAt, search, hidesDeleted } = read
  const { clock } = useScreenClock()
  const live = useTopic(configsTopic, NO_PARAMS)
  const byId = useMemo(() => new Map(live.rows.map((row) => [row.id, row])), [live.rows])
  const isKnown = live.rows.length > 0
  const knownUntil = useAtAnswer(`${readAt} ${isKnown}`, () => newestOf([...rows, ...live.rows]))
  const { known, isBehind } = useListNews(read, rows, live.rows)
  const patched = useMemo(() => patchRows(rows, known), [rows, known])
  const news = useMemo(() => {
    if (total === undefined || !isKnown) return 0
    return countNew(byId.values(), { rows, isWhole: rows.length >= total, knownUntil, search, hidesDeleted })
  }, [byId, isKnown, rows, total, knownUntil, search, hidesDeleted])

  const isShort = rows.length <= SHORT
  const isOld = isBehind || (isShort && news > 0)
  const readAgain = useEffectEvent(read.readAgain)
  // Once for a burst, however long it lasts.
  const settleMs = isShort ? SETTLE_MS : LONG_SETTLE_MS
  useEffect(() => (isOld ? clock.schedule(() => readAgain(), settleMs) : undefined), [clock, isOld, settleMs])
  return { rows: patched, live, news: isShort ? 0 : news }
}

interface Followed extends ListNews {
  readonly of: Pick<ReadList, 'list' | 'readAt' | 'pages'>
  readonly live: readonly Config[]
}

/** What the topic has said since the list was read. Updated while rendering, so that no frame mixes two states. */
function useListNews(
  { list, readAt, pages }: Pick<ReadList, 'list' | 'readAt' | 'pages'>,
  rows: readonly Config[],
  live: readonly Config[],
): ListNews {
  const { clock, serverNow } = useScreenClock()
  const ids = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const has = (id: string): boolean => ids.has(id)
  const begin = (): ListNews => {
    const ageMs = readAt === 0 ? 0 : clock.now() - readAt
    return beginNews(live, has, ageMs < NOW_MS ? null : serverNow() - ageMs)
  }
  const of = { list, readAt, pages }
  const [followed, setFollowed] = useState<Followed>(() => ({ ...begin(), of, live }))
  // Loading another page does not refresh the rows before it.
  const isRead =
    followed.of.list !== list ||
    (followed.of.readAt !== readAt && pages <= followed.of.pages) ||
    followed.of.pages === 0
  if (followed.live === live && followed.of.list === list && followed.of.readAt === readAt) return followed
  // The first that the topic says is what there was when the list was read, or since.
  const next = {
    ...(isRead || followed.live.length === 0 ? begin() : followNews(followed, live, has)),
    of,
    live,
  }
  setFollowed(next)
  return next
}

/** A value captured whenever `moment` changes. Captured while rendering, so that no frame mixes two states. */
function useAtAnswer(moment: string, take: () => number): number {
  const [taken, setTaken] = useState(() => ({ moment, value: take() }))
  if (taken.moment === moment) return taken.value
  const next = { moment, value: take() }
  setTaken(next)
  return next.value
}
