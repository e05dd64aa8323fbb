import { useQuery } from '@tanstack/react-query'
import { topologyTopic } from '@watchroom/shared/protocol'
import {
  type Component,
  SHOWN_CARDS,
  type ShownComponent,
  toCards,
  toMore,
  type TopologyAnswer,
  toPageRest,
} from '@watchroom/shared/topology'
import { useMemo, useState } from 'react'

import type { TopicView } from '../../live/contract.ts'
import { toTopicState } from '../../live/toTopicState.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { usePause } from '../../live/usePause.ts'
import { useTopic } from '../../live/useTopic.ts'
import type { DataState } from '../../ui/dataState.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { countChanged } from './countChanged.ts'
import { chosenQuery, fetchShown } from './queries.ts'
import type { Sorting, TopologySearch } from './search.ts'

/** What the server chose may be far below what the topic of the page carries: then nothing tells of it. */
const UNTOLD_MS = 30_000

/** What a page of the topology shows, wherever it comes from. */
export interface TopologyPage {
  /** The component of the page; null for the page of those at the top, and where it is not there. */
  readonly top: Component | null
  readonly state: DataState<readonly Component[]>
  /** How many cards there are besides, and how to ask for them. */
  readonly more?: number
  readonly onMore?: () => void
}

interface LiveTopologyPage extends TopologyPage {
  readonly topic: TopicView<ShownComponent>
  readonly isPaused: boolean
  /** Components that have changed since the pause. */
  readonly waiting: number
  readonly onPause: () => void
}

interface Looks {
  readonly sorting: Sorting
  readonly isHiddenShown: boolean
}

/**
 * What a page of the topology shows, live: the worst cards, and only a count of the others. Cards are requested from the server when
 * filters need more than a page knows, when another order puts other cards first, and when someone scrolls on. The request is repeated
 * when the page changes, at most once a second.
 *
 * @param id empty for the components at the top
 */
export function useTopologyPage(id: string, search: TopologySearch, looks: Looks): LiveTopologyPage {
  const { sorting, isHiddenShown } = looks
  const options = useMemo(() => ({ fetchRows: fetchShown(id) }), [id])
  const topic = useTopic(topologyTopic, { id }, options)
  const question = JSON.stringify([id, search, looks])
  const { topic: shown, isPaused, onPause } = usePause(topic, `${id} ${JSON.stringify(search)}`)
  const { rows } = shown
  const cards = useMemo(() => toCards(rows), [rows])
  const liveRest = toMore(id === '' ? toPageRest(rows) : (cards[0] ?? {}), isHiddenShown)

  const [reached, setReached] = useState({ question, limit: SHOWN_CARDS })
  const limit = reached.question === question ? reached.limit : SHOWN_CARDS
  const isFiltered = [search.type, search.team, search.labels, search.agent_id].some((word) => word !== '')
  const areWorst = search.status === '' && sorting.by === 'status' && sorting.order === 'desc' && limit === SHOWN_CARDS
  const isChosen = isFiltered || (liveRest > 0 && !areWorst)
  const chosen = useQuery({
    ...chosenQuery(id, { search, sorting, isHiddenShown, limit }),
    enabled: isChosen,
    refetchInterval: isPaused ? false : UNTOLD_MS,
  })
  const { refetch } = chosen
  useOnBurst([rows], () => {
    if (isChosen && !isPaused) void refetch()
  })

  const isList = search.type !== ''
  const below = (components: readonly Component[]): readonly Component[] =>
    id === '' || isList ? components : (components[0]?.components ?? [])
  const chosenRest = (answer: TopologyAnswer | undefined): number =>
    toMore((id === '' || isList ? answer : answer?.components?.[0]) ?? {}, isHiddenShown)
  const live = withData(toTopicState(topic, 'components'), () => (id === '' ? cards : (cards[0]?.components ?? [])))
  const answered = withData(toQueryState(chosen, 'components'), (answer) => below(answer.components ?? []))
  // What is live already stands while more of the same comes.
  const isWaiting = chosen.data === undefined && !isFiltered && answered.failure === null
  const isShown = isChosen && !isWaiting
  return {
    topic,
    top: id === '' ? null : (cards[0] ?? null),
    state: isShown ? { ...answered, isOld: live.isOld } : live,
    more: isShown ? chosenRest(chosen.data) : liveRest,
    onMore: () => setReached({ question, limit: limit + SHOWN_CARDS }),
    isPaused,
    waiting: isPaused ? countChanged(rows, topic.rows) : 0,
    onPause,
  }
}

const withData = <Data, Made>(state: DataState<Data>, make: (data: Data) => Made): DataState<Made> => ({
  ...state,
  data: state.data === undefined ? undefined : make(state.data),
})
