import { describe, expect, it } from 'vitest'

import { afterSettling, NO_IDS, without } from '../../../gateway/src/agent/pushedIds.ts'

const ids = (...checks: string[]) => ({ canaries: ['canary'], checks })

describe('what an upstream has of an agent', () => {
  it('is what is defined, without what it deleted, and with what was defined while it was told', () => {
    const before = ids('kept', 'removed')
    const live = ids('kept')
    const gone = without(before, live)
    expect(gone).toEqual({ canaries: [], checks: ['removed'] })
    expect(afterSettling(ids('kept', 'removed', 'defined meanwhile'), { live, gone })).toEqual(
      ids('kept', 'defined meanwhile'),
    )
  })

  it('is as it was for an upstream that deletes nothing', () => {
    expect(afterSettling(ids('kept', 'removed'), { live: ids('kept'), gone: NO_IDS })).toEqual(ids('kept', 'removed'))
  })
})
