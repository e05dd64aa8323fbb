import type { TopicState, TopicView } from '../../../web/src/live/contract.ts'

/** A live topic as a screen sees it, with fixed rows. */
export function buildTopicView<Row>(
  rows: readonly Row[],
  state: TopicState = 'live',
  overrides: Partial<TopicView<Row>> = {},
): TopicView<Row> {
  return {
    rows,
    state,
    via: 'socket',
    asOf: Date.parse('2026-01-01T00:00:00Z'),
    ageMs: () => 300,
    downMs: () => (state === 'offline' ? 4_000 : null),
    refresh: () => undefined,
    ...overrides,
  }
}
