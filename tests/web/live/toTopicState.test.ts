import { describe, expect, it, vi } from 'vitest'

import { buildTopicView } from '#support/web/topicView.ts'

import { toTopicRowState } from '../../../web/src/live/toTopicState.ts'

const isWanted = (id: string) => id === 'wanted'

describe('one row of a live topic', () => {
  it.each(['failed', 'offline'] as const)(
    'that is in none of the rows of an earlier visit could not be loaded: %s',
    (topicState) => {
      const refresh = vi.fn()
      const state = toTopicRowState(buildTopicView(['other'], topicState, { refresh }), 'the user', isWanted)
      expect(state).toMatchObject({ data: undefined, failure: { message: 'No connection to the server.' } })
      state.failure?.onRetry()
      expect(refresh).toHaveBeenCalledTimes(1)
    },
  )

  it.each([
    ['loading', undefined],
    ['live', null],
    ['delayed', null],
  ] as const)('that is not among them is awaited or is none: %s', (topicState, data) => {
    expect(toTopicRowState(buildTopicView(['other'], topicState), 'the user', isWanted)).toMatchObject({
      data,
      failure: null,
    })
  })

  it('of an earlier visit is shown as it was', () => {
    const state = toTopicRowState(buildTopicView(['wanted'], 'offline'), 'the user', isWanted)
    expect(state).toMatchObject({ data: 'wanted', failure: null, isOld: true })
  })
})
