import { useQuery } from '@tanstack/react-query'
import { topologyTopic } from '@watchroom/shared/protocol'
import { type Component, type ShownComponent, toCards } from '@watchroom/shared/topology'
import { useMemo } from 'react'

import type { TopicView } from '../../live/contract.ts'
import { toTopicState } from '../../live/toTopicState.ts'
import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'
import type { DataState } from '../../ui/dataState.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { chosenQuery, fetchShown } from './queries.ts'
import type { TopologySearch } from './search.ts'
import { usePause } from './usePause.ts'

/** What a page of the topology shows, wherever it comes from. */
export interface TopologyPage {
  /** The component of the page; null for the page of those at the top, and where it is not there. */
  readonly top: Component | null
  readonly state: DataState<readonly Component[]>
}

interface LiveTopologyPage extends TopologyPage {
  readonly topic: TopicView<ShownComponent>
  readonly isPaused: boolean
  /** Components that have changed since the pause. */
  readonly waiting: number
  readonly onPause: () => void
}

/**
 * What a page of the topology shows, live. Filters that need more than a page knows are answered by the server, which is asked
 * again whenever the page changes.
 *
 * @param id empty for the components at the top
 */
export function useTopologyPage(id: string, search: TopologySearch): LiveTopologyPage {
  const options = useMemo(() => ({ fetchRows: fetchShown(id) }), [id])
  const topic = useTopic(topologyTopic, { id }, options)
  const isChosen = [search.type, search.team, search.labels, search.agent_id].some((word) => word !== '')
  const chosen = useQuery({ ...chosenQuery(id, search), enabled: isChosen })
  const { rows, isPaused, waiting, onToggle } = usePause(topic.rows, `${id} ${JSON.stringify(search)}`)
  const { refetch } = chosen
  useOnChange([rows], () => {
    if (isChosen && !isPaused) void refetch()
  })

  const cards = useMemo(() => toCards(rows), [rows])
  const isList = search.type !== ''
  const below = (components: readonly Component[]): readonly Component[] =>
    id === '' || (isChosen && isList) ? components : (components[0]?.components ?? [])
  const state: DataState<readonly Component[]> = isChosen
    ? withData(toQueryState(chosen, 'components'), (answer) => below(answer.components ?? []))
    : withData(toTopicState(topic, 'components'), () => below(cards))
  return { topic, top: id === '' ? null : (cards[0] ?? null), state, isPaused, waiting, onPause: onToggle }
}

const withData = <Data, Made>(state: DataState<Data>, make: (data: Data) => Made): DataState<Made> => ({
  ...state,
  data: state.data === undefined ? undefined : make(state.data),
})
