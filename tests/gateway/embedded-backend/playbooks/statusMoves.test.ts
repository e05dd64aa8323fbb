import { RUN_STATUSES } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

import {
  actionsBefore,
  ENDED_RUNS,
  runsBefore,
} from '../../../../gateway/src/embedded-backend/playbooks/statusMoves.ts'

describe('what a run may become', () => {
  it('is scheduled or cancelled while it waits for its approval', () => {
    const next = RUN_STATUSES.filter((status) => status !== 'pending' && runsBefore(status).includes(`'pending'`))
    expect(next).toEqual(['scheduled', 'cancelled'])
  })

  it('is nothing once it has ended, unless it failed and is run again', () => {
    const next = RUN_STATUSES.filter(
      (status) => status !== 'pending' && ENDED_RUNS.split(', ').some((ended) => runsBefore(status).includes(ended)),
    )
    expect(next).toEqual(['scheduled'])
    expect(runsBefore('scheduled')).toContain(`'failed'`)
  })

  it('is named for those alone that may become it', () => {
    expect(runsBefore('scheduled', ['pending'])).toBe(`'pending'`)
    // @ts-expect-error -- what was cancelled stays so
    runsBefore('running', ['cancelled'])
    // @ts-expect-error -- nothing waits for an approval again
    runsBefore('pending')
    // @ts-expect-error -- what begins was not approved
    runsBefore('running', ['pending'])
  })
})

describe('what a step may become', () => {
  it('is nothing that goes on once it has ended', () => {
    const before = (['waiting', 'running', 'sleeping', 'skipped'] as const).map((status) => actionsBefore(status))
    expect(before.join()).not.toMatch(/completed|failed|skipped|cancelled/)
  })

  it('is named for those alone that may become it', () => {
    expect(actionsBefore('running', ['waiting'])).toBe(`'waiting'`)
    // @ts-expect-error -- another attempt is another row
    actionsBefore('scheduled')
    // @ts-expect-error -- what failed does not become good
    actionsBefore('completed', ['failed'])
  })
})
