import { skipToken, useQuery } from '@tanstack/react-query'
import { type Topic, topicAddress, topicKey, type TopicRow } from '@watchroom/shared/protocol'
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'

import type { TopicOptions, TopicView } from './contract.ts'
import type { TopicWatch } from './createLiveClient.ts'
import { useLiveClient } from './LiveProvider.tsx'

const NO_ROWS: readonly never[] = []

const WAITING: TopicView<never> = {
  rows: NO_ROWS,
  state: 'loading',
  via: null,
  asOf: null,
  ageMs: () => null,
  downMs: () => null,
  refresh: () => undefined,
}

const subscribeToNothing = (): (() => void) => () => undefined

/**
 * Watches a live topic while the component is mounted. The rows live in the query cache under `topicKey(topic, params)`.
 * Re-renders when rows, state or error change, but not for age alone, which `<Freshness>` shows.
 */
export function useTopic<Params extends Record<string, string>, Row extends TopicRow>(
  topic: Topic<Params, Row>,
  params: Params,
  { fetchRows, refreshMs }: TopicOptions<Row> = {},
): TopicView<Row> {
  const client = useLiveClient()
  const address = topicAddress(topic.name, params)
  const [watch, setWatch] = useState<TopicWatch<Row> | null>(null)

  // Before the paint, which may take longer than reaching the gateway.
  useLayoutEffect(() => {
    if (!client) return undefined
    const opened = client.watch(topic, params)
    setWatch(opened)
    return () => {
      opened.release()
      setWatch(null)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the address stands for topic and params, which may be new objects
  }, [client, address])

  useEffect(() => {
    // A second reader of the topic without options leaves those of the first in place.
    if (fetchRows !== undefined || refreshMs !== undefined) watch?.setOptions({ fetchRows, refreshMs })
  }, [watch, fetchRows, refreshMs])

  const onView = watch ? watch.onView : subscribeToNothing
  const { data: rows } = useQuery<readonly Row[]>({ queryKey: topicKey(topic, params), queryFn: skipToken })
  const view = useSyncExternalStore(onView, () => watch?.view() ?? WAITING)
  return useMemo(() => (rows && rows !== view.rows ? withRows(view, rows) : view), [view, rows])
}

/** The query cache owns the rows: before the first answer it may hold those of an earlier visit. */
function withRows<Row>(view: TopicView<Row>, rows: readonly Row[]): TopicView<Row> {
  const { state, via, error, ageMs, downMs, refresh } = view
  return {
    rows,
    state,
    via,
    ...(error ? { error } : {}),
    get asOf() {
      return view.asOf
    },
    ageMs,
    downMs,
    refresh,
  }
}
