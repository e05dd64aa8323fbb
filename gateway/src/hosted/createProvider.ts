// The company's identity provider, as hosted mode uses it: where people are sent, what comes back, and what is fetched again.
// Knows nothing of cookies and sessions.
import type { Clock } from '@watchroom/shared/kernel'
import type { JWTPayload } from 'jose'
import * as oidc from 'openid-client'

import { type Attempt, createOpenIdClient, type TokenAnswer } from '../platform/createOpenIdClient.ts'
import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { hostedErrors } from './errors.ts'
import { type ClaimRules, type PersonClaims, readClaims } from './readClaims.ts'

export interface ProviderSettings extends ClaimRules {
  readonly issuer: string
  readonly clientId: string
  /** Without one the gateway is a public client. */
  readonly clientSecret: string | undefined
  readonly scope: string
  /** Some providers give a refresh token only to who was asked for consent. */
  readonly prompt: string | undefined
  /** Which of the tokens the backend is shown. */
  readonly bearer: 'id_token' | 'access_token'
}

/** What a sign-in gave, in the form in which it is kept. */
export interface Tokens {
  readonly idToken: string
  readonly accessToken: string
  /** Absent where the provider gives none: the session then ends with the token. */
  readonly refreshToken?: string | undefined
  /** When the backend takes the bearer no more, milliseconds since the epoch. */
  readonly expiresAt: number
  readonly person: PersonClaims
  /** The provider's name for its own session. */
  readonly providerSession?: string | undefined
}

export interface Provider {
  createAttempt(): Attempt
  /** @throws CodedError HOSTED_PROVIDER_UNAVAILABLE */
  toSignInUrl(attempt: Attempt, redirectUri: string, isForced: boolean): Promise<URL>
  /** @throws CodedError HOSTED_SIGN_IN_REFUSED, HOSTED_PROVIDER_UNAVAILABLE */
  finish(currentUrl: URL, attempt: Attempt): Promise<Tokens>
  /**
   * @returns null when the provider has ended the session
   * @throws CodedError HOSTED_PROVIDER_UNAVAILABLE
   */
  refresh(tokens: Tokens): Promise<Tokens | null>
  /** Where to end the provider's own session; null where it offers none. @throws CodedError HOSTED_PROVIDER_UNAVAILABLE */
  toSignOutUrl(tokens: Tokens, redirectUri: string, state: string): Promise<URL | null>
  /** Claims of a signed token of this provider for us, else null. @throws CodedError HOSTED_PROVIDER_UNAVAILABLE */
  verify(token: string): Promise<JWTPayload | null>
}

/** Of a token whose end nobody says. */
const DEFAULT_LIFE_MS = 300_000

export function createProvider(
  settings: ProviderSettings,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Provider {
  const { issuer, clientId, clientSecret } = settings
  const client = createOpenIdClient({ issuer, clientId, clientSecret, toUnavailable, logger })

  const toTokens = async (
    answer: TokenAnswer,
    claims: JWTPayload | undefined,
    before: Tokens | null,
  ): Promise<Tokens | null> => {
    const idToken = answer.id_token ?? (settings.bearer === 'access_token' ? before?.idToken : undefined)
    if (idToken === undefined) return null
    if (before && claims && claims.sub !== before.person.subject) return null
    const endsInMs = answer.expiresIn() === undefined ? DEFAULT_LIFE_MS : (answer.expiresIn() ?? 0) * 1_000
    const person = claims ? await readPerson(claims, answer.access_token) : before?.person
    if (!person) return null
    return {
      idToken,
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? before?.refreshToken,
      expiresAt:
        settings.bearer === 'id_token' && claims?.exp !== undefined ? claims.exp * 1_000 : clock.now() + endsInMs,
      person,
      providerSession: typeof claims?.['sid'] === 'string' ? claims['sid'] : before?.providerSession,
    }
  }

  const readPerson = async (claims: JWTPayload, accessToken: string): Promise<PersonClaims | null> => {
    const wanted = [settings.organizationsClaim, 'email'].filter((name) => name !== undefined)
    const all = await client.complete(claims, accessToken, wanted)
    return all && readClaims(all, settings)
  }

  return {
    verify: (token) => client.verify(token),
    createAttempt: () => client.createAttempt(),

    toSignInUrl: (attempt, redirectUri, isForced) =>
      client.toSignInUrl(attempt, {
        redirectUri,
        scope: settings.scope,
        prompt: isForced ? 'login' : settings.prompt,
      }),

    finish: async (currentUrl, attempt) => {
      const granted = await client.exchange(currentUrl, attempt)
      const tokens = granted && (await toTokens(granted.answer, granted.claims, null))
      if (!tokens) throw new CodedError(hostedErrors.HOSTED_SIGN_IN_REFUSED)
      return tokens
    },

    refresh: async (tokens) => {
      if (tokens.refreshToken === undefined) return null
      const config = await client.discover()
      const answer = await oidc.refreshTokenGrant(config, tokens.refreshToken).catch((error: unknown) => {
        if (error instanceof oidc.ResponseBodyError && error.status < 500) return null
        throw toUnavailable(error)
      })
      const claims = answer?.id_token === undefined ? undefined : await client.verify(answer.id_token)
      return answer && claims !== null ? toTokens(answer, claims, tokens) : null
    },

    toSignOutUrl: async (tokens, redirectUri, state) => {
      const config = await client.discover()
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: redirectUri,
        id_token_hint: tokens.idToken,
        state,
      })
    },
  }
}

const toUnavailable = (cause: unknown): CodedError =>
  new CodedError(hostedErrors.HOSTED_PROVIDER_UNAVAILABLE, { cause })
