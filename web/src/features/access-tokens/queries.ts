import { queryOptions } from '@tanstack/react-query'
import { AccessTokenSchema, MadeAccessTokenSchema, type NewAccessToken } from '@watchroom/shared/people'
import { z } from 'zod'

import { accessTokensKey } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

/** Nothing announces that a token was used, so the list refreshes while it is shown. */
const REFRESH_MS = 10_000

export const accessTokensQuery = queryOptions({
  queryKey: accessTokensKey,
  queryFn: ({ signal }) => request('/api/auth/tokens', { schema: z.array(AccessTokenSchema), signal }),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})

/** @returns the token, which cannot be requested again */
export async function createAccessToken(token: NewAccessToken): Promise<string> {
  const made = await request('/api/auth/tokens', { method: 'POST', body: token, schema: MadeAccessTokenSchema })
  return made.access_token
}

export async function revokeAccessToken(id: string): Promise<void> {
  await request(`/api/auth/tokens/${id}`, { method: 'DELETE', schema: z.unknown() })
}
