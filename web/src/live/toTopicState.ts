import { type DataState, DENIED } from '../ui/dataState.ts'
import type { TopicView } from './contract.ts'

/** Of the gateway's catalog (docs/errors.md). */
const NOT_OFFERED = 'LIVE_TOPIC_NOT_OFFERED'

/** Where a live topic stands. Rows of an earlier visit are shown, without their color, until someone confirms them. */
export function toTopicState<Row>(topic: TopicView<Row>, what: string): DataState<readonly Row[]> {
  const { rows, state, via, error } = topic
  const isSilent = state === 'offline' && via !== 'polling'
  const hasNothing = rows.length === 0
  return {
    what,
    data: hasNothing && (state === 'loading' || state === 'failed' || isSilent) ? undefined : rows,
    refusal: state !== 'denied' ? null : error?.code === NOT_OFFERED ? error.message : DENIED,
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
