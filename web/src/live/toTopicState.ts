import { type DataState, DENIED, type Failure } from '../ui/dataState.ts'
import type { TopicView } from './contract.ts'
import { isTold, isUnproven } from './isUnproven.ts'

/** Of the gateway's catalog (docs/errors.md). */
const NOT_OFFERED = 'LIVE_TOPIC_NOT_OFFERED'

/** Where a live topic stands. Rows of an earlier visit are shown, without their color, until someone confirms them. */
export function toTopicState<Row>(topic: TopicView<Row>, what: string): DataState<readonly Row[]> {
  const { rows, state, error } = topic
  const hasNothing = rows.length === 0
  const hasFailed = hasNothing && (state === 'failed' || isUnproven(topic))
  return {
    what,
    data: hasFailed || (hasNothing && state === 'loading') ? undefined : rows,
    // Behind the gateway's own words.
    reason: state === 'denied' ? error?.message.split(': ', 2)[1] : undefined,
    refusal: state !== 'denied' ? null : error?.code === NOT_OFFERED ? error.message : DENIED,
    failure: hasFailed ? toFailure(topic) : null,
    isOld: isUnproven(topic),
  }
}

const toFailure = (topic: TopicView<unknown>): Failure => ({
  message: topic.error?.message ?? 'No connection to the server.',
  onRetry: () => topic.refresh(),
  isRetrying: false,
})

/** Where one row of a live topic stands; null when it is in none of the rows that are there. */
export function toTopicRowState<Row>(
  topic: TopicView<Row>,
  what: string,
  isRow: (row: Row) => boolean,
): DataState<Row | null> {
  const state = toTopicState(topic, what)
  const data = topic.rows.find(isRow) ?? (isTold(topic) ? null : undefined)
  // Rows of an earlier visit do not say that there is no such row, and nobody else does now.
  return { ...state, data, failure: data === undefined && isUnproven(topic) ? toFailure(topic) : state.failure }
}
