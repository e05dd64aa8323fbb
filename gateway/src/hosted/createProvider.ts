// The company's identity provider, as OpenID Connect has it: where people are sent, what comes back, and what is fetched again.
// Knows nothing of cookies and sessions.
import type { Clock } from '@watchroom/shared/kernel'
import type { JWTPayload } from 'jose'
import * as oidc from 'openid-client'

import { createTokenVerifier, type TokenVerifier } from '../platform/createTokenVerifier.ts'
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

/** What a browser must bring back, beside what the provider adds. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
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

const TIMEOUT_S = 5
/** Of a token whose end nobody says. */
const DEFAULT_LIFE_MS = 300_000

export function createProvider(
  settings: ProviderSettings,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Provider {
  const { issuer, clientId, clientSecret } = settings
  const verifier: TokenVerifier = createTokenVerifier({ issuer, audience: clientId })
  let configuration: Promise<oidc.Configuration> | null = null

  const discover = (): Promise<oidc.Configuration> => {
    configuration ??= oidc
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        { timeout: TIMEOUT_S, execute: settings.isPlainHttp ? [oidc.allowInsecureRequests] : [] },
      )
      .catch((error: unknown) => {
        configuration = null
        throw unavailable(error)
      })
    return configuration
  }

  const verify = async (token: string): Promise<JWTPayload | null> => {
    try {
      return await verifier.verify(token)
    } catch (error) {
      throw unavailable(error)
    }
  }

  const toTokens = async (
    answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    before: Tokens | null,
  ): Promise<Tokens | null> => {
    const idToken = answer.id_token ?? (settings.bearer === 'access_token' ? before?.idToken : undefined)
    if (idToken === undefined) return null
    const claims = answer.id_token === undefined ? undefined : await verify(answer.id_token)
    if (claims === null || (before && claims && claims.sub !== before.person.subject)) return null
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

  /** Many providers say only where they are asked what does not fit into a token. */
  const readPerson = async (claims: JWTPayload, accessToken: string): Promise<PersonClaims> => {
    const wanted = [settings.organizationsClaim, 'email'].filter((name) => name !== undefined)
    const config = await discover()
    if (wanted.every((name) => name in claims) || config.serverMetadata().userinfo_endpoint === undefined) {
      return readClaims(claims, settings)
    }
    const more = await oidc.fetchUserInfo(config, accessToken, claims.sub ?? '')
    return readClaims({ ...more, ...claims }, settings)
  }

  return {
    verify,

    createAttempt: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    }),

    toSignInUrl: async ({ state, nonce, codeVerifier }, redirectUri, isForced) =>
      oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(isForced ? { prompt: 'login' } : settings.prompt === undefined ? {} : { prompt: settings.prompt }),
      }),

    finish: async (currentUrl, { state, nonce, codeVerifier }) => {
      const config = await discover()
      try {
        const answer = await oidc.authorizationCodeGrant(config, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const tokens = await toTokens(answer, null)
        if (tokens) return tokens
      } catch (error) {
        if (isAway(error)) throw unavailable(error)
        logger.info({ err: error }, 'sign-in with the provider refused')
      }
      throw new CodedError(hostedErrors.HOSTED_SIGN_IN_REFUSED)
    },

    refresh: async (tokens) => {
      if (tokens.refreshToken === undefined) return null
      const config = await discover()
      try {
        return await toTokens(await oidc.refreshTokenGrant(config, tokens.refreshToken), tokens)
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.status < 500) return null
        throw unavailable(error)
      }
    },

    toSignOutUrl: async (tokens, redirectUri, state) => {
      const config = await discover()
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: redirectUri,
        id_token_hint: tokens.idToken,
        state,
      })
    },
  }
}

/** Anything that the provider did not answer, or answered with a fault of its own. */
const isAway = (error: unknown): boolean =>
  (error instanceof CodedError && error.code === hostedErrors.HOSTED_PROVIDER_UNAVAILABLE.code) ||
  (error instanceof oidc.ResponseBodyError && error.status >= 500) ||
  (error instanceof Error && ['TimeoutError', 'TypeError'].includes(error.name))

const unavailable = (cause: unknown): CodedError =>
  cause instanceof CodedError ? cause : new CodedError(hostedErrors.HOSTED_PROVIDER_UNAVAILABLE, { cause })
