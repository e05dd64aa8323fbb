import type { ReactNode } from 'react'

import type { DataState } from '../ui/dataState.ts'
import { DataStates } from '../ui/DataStates.tsx'
import type { TopicView } from './contract.ts'

/** Where a live topic stands. Rows of an earlier visit are shown, without their color, until somebody confirms them. */
export function toTopicState<Row>(topic: TopicView<Row>, what: string): DataState<readonly Row[]> {
  const { rows, state, via, error } = topic
  const isSilent = state === 'offline' && via !== 'polling'
  const hasNothing = rows.length === 0
  return {
    what,
    data: hasNothing && (state === 'loading' || state === 'failed' || isSilent) ? undefined : rows,
    isDenied: state === 'denied',
    failure:
      hasNothing && (state === 'failed' || isSilent)
        ? {
            message: error?.message ?? 'There is no connection to the server.',
            onRetry: () => topic.refresh(),
            isRetrying: false,
          }
        : null,
    isOld: isSilent,
  }
}

interface TopicStatesProps<Row> {
  topic: TopicView<Row>
  what: string
  skeleton?: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** Shows the rows of a live topic, and until then or instead what there is to say. */
export function TopicStates<Row>({ topic, what, ...rest }: TopicStatesProps<Row>): ReactNode {
  return <DataStates state={toTopicState(topic, what)} {...rest} />
}
