import { type DataState, DENIED, type Failure } from '../ui/dataState.ts'
import type { TopicView } from './contract.ts'
import { isTold, isUnproven } from './isUnproven.ts'

/** From the gateway's catalog (docs/errors.md). */
const NOT_OFFERED = 'LIVE_TOPIC_NOT_OFFERED'

/** The state of a live topic. Rows of an earlier visit are shown without color until they are confirmed. */
export function toTopicState<Row>(topic: TopicView<Row>, what: string): DataState<readonly Row[]> {
  const { rows, state, error } = topic
  const hasNothing = rows.length === 0
  const hasFailed = hasNothing && (state === 'failed' || isUnproven(topic))
  return {
    what,
    data: hasFailed || (hasNothing && state === 'loading') ? undefined : rows,
    // What follows the gateway's own words.
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

/** The state of one row of a live topic; its data is null when the topic has no such row. */
export function toTopicRowState<Row>(
  topic: TopicView<Row>,
  what: string,
  isRow: (row: Row) => boolean,
): DataState<Row | null> {
  const state = toTopicState(topic, what)
  const data = topic.rows.find(isRow) ?? (isTold(topic) ? null : undefined)
  // Rows of an earlier visit cannot prove that the row does not exist.
  return { ...state, data, failure: data === undefined && isUnproven(topic) ? toFailure(topic) : state.failure }
}
