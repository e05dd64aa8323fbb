// Accounts that people have at other providers: who someone is there, and whose account here that one is linked to. What is linked is an
// issuer and a subject: an address that is the same proves nothing.
import type { Logger } from 'pino'
import { z } from 'zod'

import type { OpenIdClient, SignInRequest } from '../../../platform/createOpenIdClient.ts'
import type { Seal } from '../../../platform/createSeal.ts'
import type { SignInProvider } from '../../contract.ts'
import type { Flow } from '../flows/flow.ts'
import type { Identity } from '../identity.ts'
import type { NewLink, People } from '../people/createPeople.ts'
import { isAddressProved, ProviderClaimsSchema, toExternalId, toTraits } from '../people/providerClaims.ts'
import type { Credentials } from './createCredentials.ts'

/** Of a flow that waits for someone to come back. */
export const ATTEMPT = 'oidc'

const AttemptSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
})

export interface ProviderName {
  readonly id: string
  /** As people know it. */
  readonly label: string
  readonly issuer: string
}

/** Someone as a provider knows them. */
export interface Visitor {
  readonly provider: ProviderName
  readonly link: NewLink
  /** '' where the provider does not say it. */
  readonly email: string
  readonly isEmailProved: boolean
  readonly firstName: string
  readonly lastName: string
}

export interface ProviderAccounts {
  readonly providers: readonly ProviderName[]
  find(id: string): ProviderName | undefined
  /**
   * Where to send someone, and what the flow must keep sealed until they are back.
   *
   * @throws ProviderAwayError
   */
  leave(
    provider: ProviderName,
    flow: Flow,
    request: Omit<SignInRequest, 'scope'>,
  ): Promise<{ url: URL; sealed: string }>
  /**
   * Who came back, with what was sealed when they left.
   *
   * @returns null when they are not whom the provider sent
   * @throws ProviderAwayError
   */
  meet(provider: ProviderName, sealed: string, currentUrl: URL): Promise<Visitor | null>
  ownerOf(visitor: Visitor): Promise<Identity | null>
  /** @returns false when the account is linked to someone else */
  link(identityId: string, visitor: Visitor): Promise<boolean>
  /** What is linked to a person, at providers that are offered. */
  listLinks(identityId: string): Promise<(NewLink & { readonly provider: ProviderName })[]>
}

export class ProviderAwayError extends Error {
  override readonly name = 'ProviderAwayError'
}

interface Deps {
  readonly providers: readonly SignInProvider[]
  readonly credentials: Credentials
  readonly people: People
  readonly seal: Seal
  readonly logger: Logger
}

export function createProviderAccounts({ credentials, people, seal, logger, ...deps }: Deps): ProviderAccounts {
  const providers = deps.providers.map(({ id, label, issuer }) => ({ id, label: label ?? id, issuer }))
  const clients = new Map<string, OpenIdClient>()

  /** Loaded with the first sign-in: most installations have no provider. */
  const open = async (id: string): Promise<{ client: OpenIdClient; scope: string }> => {
    const settings = deps.providers.find((provider) => provider.id === id)
    if (!settings) throw new Error(`there is no provider ${id}`)
    const { createOpenIdClient } = await import('../../../platform/createOpenIdClient.ts')
    const client =
      clients.get(id) ??
      createOpenIdClient({
        issuer: settings.issuer,
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        toUnavailable: (cause) => {
          logger.warn({ err: cause, provider: id }, 'a provider that people sign in with does not answer')
          return new ProviderAwayError(`${id} does not answer`, { cause })
        },
        logger,
      })
    clients.set(id, client)
    return { client, scope: settings.scope }
  }

  return {
    providers,
    find: (id) => providers.find((provider) => provider.id === id),

    leave: async ({ id }, flow, request) => {
      const { client, scope } = await open(id)
      const attempt = client.createAttempt()
      const state = toState(flow, attempt.state)
      const url = await client.toSignInUrl({ ...attempt, state }, { ...request, scope })
      return { url, sealed: seal.seal(JSON.stringify({ ...attempt, state, provider: id })) }
    },

    meet: async (provider, sealed, currentUrl) => {
      const attempt = AttemptSchema.parse(JSON.parse(seal.open(sealed)))
      // The answer of one provider is worth nothing at another.
      if (attempt.provider !== provider.id) return null
      const { client } = await open(provider.id)
      const granted = await client.exchange(currentUrl, attempt)
      const all = granted && (await client.complete(granted.claims, granted.answer.access_token, ['email']))
      const claims = ProviderClaimsSchema.safeParse(all)
      if (!claims.success) return null
      const { email = '', sub } = claims.data
      return {
        ...toTraits(claims.data),
        provider,
        link: { identifier: toExternalId(provider.issuer, sub), config: { email } },
        email,
        isEmailProved: isAddressProved(claims.data),
      }
    },

    ownerOf: async ({ link }) => {
      const found = await credentials.find('oidc', link.identifier)
      return found && people.findById(found.identityId)
    },

    link: (identityId, { link }) => credentials.put({ identityId, type: 'oidc', ...link }),

    listLinks: async (identityId) =>
      (await credentials.list(identityId, 'oidc')).flatMap(({ identifier, config }) => {
        const provider = providers.find(({ issuer }) => identifier.startsWith(toExternalId(issuer, '')))
        return provider ? [{ provider, identifier, config: LinkConfigSchema.parse(config) }] : []
      }),
  }
}

const LinkConfigSchema = z.object({ email: z.string() })

/** Names its flow, to which whoever comes back is led. */
const toState = ({ type, id }: Flow, random: string): string => `${type}.${id}.${random}`

/** @returns type and id of the flow that a state names, as far as it is one of ours */
export function readState(state: string): { readonly type: string; readonly id: string } {
  const [type = '', id = ''] = state.split('.')
  return { type, id }
}
