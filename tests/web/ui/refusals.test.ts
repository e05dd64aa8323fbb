import { describe, expect, it } from 'vitest'

import { buildTopicView } from '#support/web/topicView.ts'

import { RequestError } from '../../../web/src/api/request.ts'
import { toTopicState } from '../../../web/src/live/toTopicState.ts'
import { DENIED } from '../../../web/src/ui/dataState.ts'
import { toQueryState } from '../../../web/src/ui/QueryStates.tsx'

const refused = (status: number, code: string) =>
  toQueryState(
    {
      data: undefined,
      error: new RequestError('http', { status, details: { message: 'no', code } }),
      isFetching: false,
      isPlaceholderData: false,
      refetch: () => Promise.reject(new Error('not asked')),
    },
    'things',
  ).refusal
const topic = (code: string, message: string) =>
  toTopicState({ ...buildTopicView<object>([]), state: 'denied', error: { code, message } }, 'things')
const denied = (code: string) => topic(code, 'no').refusal

describe('what a screen is refused', () => {
  it('is a right that someone lacks, something that the backend does not have, or a failure', () => {
    expect(refused(403, 'PROXY_BACKEND_REFUSED')).toBe(DENIED)
    expect(refused(404, 'PROXY_NOT_OFFERED')).toBe('no')
    expect(refused(404, 'PROXY_BACKEND_REFUSED')).toBeNull()
    expect(denied('LIVE_TOPIC_FORBIDDEN')).toBe(DENIED)
    expect(denied('LIVE_TOPIC_NOT_OFFERED')).toBe('no')
  })

  it('carries what the backend said', () => {
    const said = 'You do not have permission to see this: Access Denied'
    expect(topic('LIVE_TOPIC_FORBIDDEN', said).reason).toBe('Access Denied')
    expect(topic('LIVE_TOPIC_FORBIDDEN', 'You do not have permission to see this').reason).toBeUndefined()
  })
})
