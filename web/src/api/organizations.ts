import { queryOptions } from '@tanstack/react-query'
import { HOSTED_ROUTES } from '@watchroom/shared/access'
import { NextPlaceSchema, type Organizations, OrganizationsSchema } from '@watchroom/shared/identity'
import { z } from 'zod'

import { organizationsKey } from './queryKeys.ts'
import { request, RequestError } from './request.ts'

// Hosted mode: people sign in with a provider, and may belong to several organizations.

/** Null where people do not sign in with a provider. */
export const organizationsQuery = queryOptions({
  queryKey: organizationsKey,
  queryFn: async ({ signal }): Promise<Organizations | null> => {
    try {
      return await request(HOSTED_ROUTES.listOrganizations.path, { schema: OrganizationsSchema.nullable(), signal })
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return null
      throw error
    }
  },
  retry: false,
})

export async function chooseOrganization(id: string): Promise<void> {
  const { method, path } = HOSTED_ROUTES.chooseOrganization
  await request(path, { method, body: { id }, schema: z.unknown() })
}

/** Ends the session here. @returns where to end the provider's own */
export async function endHostedSession(returnTo: string): Promise<string> {
  const { method, path } = HOSTED_ROUTES.signOut
  const body = { return_to: returnTo }
  return (await request(path, { method, body, schema: NextPlaceSchema, unauthorized: 'caller' })).location
}
