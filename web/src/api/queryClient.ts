import { QueryClient } from '@tanstack/react-query'

import { RequestError } from './request.ts'

/** How long rows count as fresh, in milliseconds (first specification, section 9). */
export const FRESH_MS = { default: 300_000, checkHistory: 10_000, never: 0 } as const

const MAX_RETRIES = 3

/** Only what another attempt can fix: an answer that never came, or one that says "later". A refusal stays a refusal. */
export function isWorthRetrying(failureCount: number, error: unknown): boolean {
  if (!(error instanceof RequestError)) return false
  const { failure, status } = error
  return (failure === 'timeout' || failure === 'network' || status === 429) && failureCount < MAX_RETRIES
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS.default,
        gcTime: FRESH_MS.default,
        retry: isWorthRetrying,
        // The gateway may be on this machine: `navigator.onLine` affects the wording of errors, not whether to try.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
