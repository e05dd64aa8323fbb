import { expect, it } from 'vitest'

import { buildTopicView } from '#support/web/topicView.ts'

import { isUnproven } from '../../../web/src/live/isUnproven.ts'

it.each([
  ['live', [{}], 'socket', false],
  ['loading', [{}], null, false],
  ['offline', [{}], 'socket', true],
  ['offline', [{}], 'polling', false],
  ['failed', [{}], null, true],
  ['failed', [], null, false],
] as const)('of a topic that is %s, with rows %j by %s, is %s', (state, rows, via, expected) => {
  expect(isUnproven(buildTopicView<object>(rows, state, { via }))).toBe(expected)
})
