import { mayUseRoute } from '@watchroom/shared/access'

import { CodedError } from '../platform/errors.ts'
import type { RoutePolicy } from '../platform/http/defineRoute.ts'
import type { Access, Identity } from './contract.ts'
import { readSessionToken } from './credential.ts'
import { accessErrors } from './errors.ts'

/**
 * Who may use the gateway's routes, and what everyone else is told.
 *
 * @param takesSessionTokens whether the backend knows them; its identity service may, and the rest refuse every call all the same
 */
export function createRoutePolicy(access: Access, takesSessionTokens: () => boolean): RoutePolicy<Identity> {
  return {
    /** @throws CodedError ACCESS_SESSION_REQUIRED, ACCESS_SESSION_TOKEN_UNKNOWN, ACCESS_DENIED, ACCESS_BACKEND_UNAVAILABLE, ACCESS_RATE_LIMITED */
    admit: async (request, rule) => {
      if (rule.access === 'public') return null
      if (readSessionToken(request.headers) !== undefined && !takesSessionTokens()) {
        throw new CodedError(accessErrors.ACCESS_SESSION_TOKEN_UNKNOWN)
      }
      const identity = await access.identify(request.headers, { address: request.ip })
      request.identity = identity
      if (!identity) throw new CodedError(accessErrors.ACCESS_SESSION_REQUIRED)
      if (!mayUseRoute(rule.access, identity.roles)) throw new CodedError(accessErrors.ACCESS_DENIED)
      return identity
    },
    headers: { 'cache-control': 'no-store' },
  }
}
