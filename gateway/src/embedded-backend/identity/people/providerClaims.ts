// What a provider says of a person, as far as an account is made of it.
import { z } from 'zod'

import type { Traits } from './createPeople.ts'
import { toPersonName } from './personName.ts'

const text = z.string().max(200).optional().catch(undefined)
export const ProviderClaimsSchema = z.looseObject({
  sub: z.string().min(1).max(300),
  email: text,
  email_verified: z.boolean().optional().catch(undefined),
  name: text,
  preferred_username: text,
  given_name: text,
  family_name: text,
})
export type ProviderClaims = z.infer<typeof ProviderClaimsSchema>

/** Who someone is at a provider: names of people may be given to others, and addresses too. */
export const toExternalId = (issuer: string, subject: string): string => `${issuer} ${subject}`

/** An address that the provider does not vouch for may be anything that someone entered there. */
export const isAddressProved = ({ email, email_verified: isProved }: ProviderClaims): boolean =>
  isProved === true && email !== undefined

export function toTraits({ sub, email, name, preferred_username: username, ...claims }: ProviderClaims): Traits {
  return {
    email: email ?? sub,
    firstName: toPersonName(claims.given_name ?? name ?? username ?? ''),
    lastName: toPersonName(claims.given_name === undefined ? '' : (claims.family_name ?? '')),
  }
}
