import type { DataState } from '../ui/dataState.ts'
import type { TopicView } from './contract.ts'

/** Where a live topic stands. Rows of an earlier visit are shown, without their color, until someone confirms them. */
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
            message: error?.message ?? 'No connection to the server.',
            onRetry: () => topic.refresh(),
            isRetrying: false,
          }
        : null,
    isOld: isSilent,
  }
}
