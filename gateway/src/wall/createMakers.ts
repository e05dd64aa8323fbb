// A link shows no more than its maker may see. The maker's roles and state are read with the gateway's credential, never with something
// they left behind (LIVE-65).
import { can, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema } from '@watchroom/shared/identity'
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import { wallErrors } from './errors.ts'

/** Screens are looked at every 5 s besides: together within the 30 s of LIVE-65. */
const MAX_AGE_MS = 24_000
const TIMEOUT_MS = 5_000

const IdentitiesSchema = z.array(z.object({ state: z.string() }))

export interface Makers {
  /**
   * Whether this person may see checks, at most 24 s old.
   *
   * @throws CodedError WALL_RIGHTS_UNKNOWN when the backend does not say
   */
  mayShow(userId: string): Promise<boolean>
  /** Someone's rights, or everyone's, may be others now. */
  forget(userId: string | null): void
}

export function createMakers({ backend, clock }: { backend: BackendClient; clock: Clock }): Makers {
  /** The answer, or the question under way. */
  const known = new Map<string, { readonly askedAt: number; readonly answer: Promise<boolean> }>()

  const read = async (path: string): Promise<unknown> => {
    const response = await backend.request({ path, headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS })
    if (response.status === 200) return response.json()
    response.discard()
    throw new BackendFailure('broken', `the rights of a person were answered with ${response.status}`)
  }

  const ask = async (userId: string): Promise<boolean> => {
    const id = encodeURIComponent(userId)
    const [people, identities] = await Promise.all([
      read(`/db/people_roles?id=in.(${id})`),
      read(`/db/identities?id=eq.${id}&select=state`),
    ])
    const roles = PeopleRolesSchema.parse(people).flatMap((row) => row.roles ?? [])
    const isActive = IdentitiesSchema.parse(identities).some(({ state }) => state === 'active')
    return isActive && can(toRoles(roles), 'read', 'canaries')
  }

  return {
    mayShow: (userId) => {
      // Where nobody signs in, nobody loses a right either.
      if (userId === NIL_UUID) return Promise.resolve(true)
      const before = known.get(userId)
      if (before && clock.monotonic() - before.askedAt < MAX_AGE_MS) return before.answer
      const answer = ask(userId).catch((error: unknown): never => {
        throw new CodedError(wallErrors.WALL_RIGHTS_UNKNOWN, { cause: error })
      })
      known.set(userId, { askedAt: clock.monotonic(), answer })
      answer.catch(() => {
        if (known.get(userId)?.answer === answer) known.delete(userId)
      })
      return answer
    },
    forget: (userId) => {
      if (userId === null) known.clear()
      else known.delete(userId)
    },
  }
}
