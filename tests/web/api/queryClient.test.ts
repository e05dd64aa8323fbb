import { describe, expect, it } from 'vitest'

import { createQueryClient, FRESH_MS } from '../../../web/src/api/queryClient.ts'

describe('createQueryClient', () => {
  it('keeps answers for five minutes unless a query says otherwise', () => {
    expect(createQueryClient().getDefaultOptions().queries).toMatchObject({ staleTime: 300_000, gcTime: 300_000 })
  })

  it('has ten seconds for the history of a check, and none for what is never kept', () => {
    expect(FRESH_MS).toEqual({ default: 300_000, checkHistory: 10_000, never: 0 })
  })
})
