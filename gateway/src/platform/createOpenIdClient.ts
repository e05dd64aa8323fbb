// What every client of an OpenID provider does: sends people there, and exchanges the code they bring back. Knows nothing of cookies,
// sessions and accounts.
import type { JWTPayload } from 'jose'
import * as oidc from 'openid-client'

import { createTokenVerifier } from './createTokenVerifier.ts'
import { fetchBounded } from './fetchBounded.ts'
import type { Logger } from './logger.ts'

export interface OpenIdClientSettings {
  readonly issuer: string
  readonly clientId: string
  /** Without one we are a public client. */
  readonly clientSecret: string | undefined
  /** What is thrown when the provider does not answer. */
  readonly toUnavailable: (cause: unknown) => Error
  readonly logger: Logger
}

/** What a browser must bring back, beside what the provider adds. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface SignInRequest {
  readonly redirectUri: string
  readonly scope: string
  readonly prompt?: string | undefined
}

export type TokenAnswer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

export interface Granted {
  readonly answer: TokenAnswer
  /** Of the ID token: signed by the provider for us, and of this attempt. */
  readonly claims: JWTPayload
}

/** All of them throw what `toUnavailable` makes. */
export interface OpenIdClient {
  createAttempt(): Attempt
  /** Metadata of the provider, for what is asked beside signing in. */
  discover(): Promise<oidc.Configuration>
  toSignInUrl(attempt: Attempt, request: SignInRequest): Promise<URL>
  /** @returns null when the provider, or a check, says no; the log has the reason */
  exchange(currentUrl: URL, attempt: Attempt): Promise<Granted | null>
  /** Claims of a signed token of this provider for us, else null. */
  verify(token: string): Promise<JWTPayload | null>
  /**
   * Many providers say only where they are asked what does not fit into a token.
   *
   * @returns the claims with what is wanted, where there is more to be asked; null when the provider refuses
   */
  complete(claims: JWTPayload, accessToken: string, wanted: readonly string[]): Promise<JWTPayload | null>
}

const TIMEOUT_S = 5

export function createOpenIdClient(settings: OpenIdClientSettings): OpenIdClient {
  const { issuer, clientId, clientSecret, toUnavailable, logger } = settings
  const isPlainHttp = new URL(issuer).protocol === 'http:'
  const verifier = createTokenVerifier({ issuer, audience: clientId })
  let configuration: Promise<oidc.Configuration> | null = null

  const discover = (): Promise<oidc.Configuration> => {
    configuration ??= oidc
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        {
          timeout: TIMEOUT_S,
          execute: isPlainHttp ? [oidc.allowInsecureRequests] : [],
          [oidc.customFetch]: fetchBounded,
        },
      )
      .catch((error: unknown) => {
        configuration = null
        throw toUnavailable(error)
      })
    return configuration
  }

  /** A refusal becomes null; a provider that cannot be asked becomes an error. */
  const ask = async <Value>(question: () => Promise<Value>): Promise<Value | null> => {
    try {
      return await question()
    } catch (error) {
      if (isAway(error)) throw toUnavailable(error)
      logger.info({ err: error, issuer }, 'sign-in with the provider refused')
      return null
    }
  }

  const verify = async (token: string): Promise<JWTPayload | null> => {
    try {
      return await verifier.verify(token)
    } catch (error) {
      throw toUnavailable(error)
    }
  }

  return {
    discover,
    verify,

    createAttempt: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    }),

    toSignInUrl: async ({ state, nonce, codeVerifier }, { redirectUri, scope, prompt }) =>
      oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(prompt === undefined ? {} : { prompt }),
      }),

    exchange: async (currentUrl, { state, nonce, codeVerifier }) => {
      const config = await discover()
      const answer = await ask(() =>
        oidc.authorizationCodeGrant(config, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        }),
      )
      const claims = answer?.id_token === undefined ? null : await verify(answer.id_token)
      return answer && claims && { answer, claims }
    },

    complete: async (claims, accessToken, wanted) => {
      const config = await discover()
      const hasAll = wanted.every((name) => name in claims)
      if (hasAll || config.serverMetadata().userinfo_endpoint === undefined) return claims
      const more = await ask(() => oidc.fetchUserInfo(config, accessToken, claims.sub ?? ''))
      return more && { ...more, ...claims }
    },
  }
}

/** The provider did not answer, or failed itself. */
const isAway = (error: unknown): boolean =>
  (error instanceof oidc.ResponseBodyError && error.status >= 500) ||
  (error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT') ||
  (error instanceof oidc.ClientError && error.cause instanceof Response && error.cause.status >= 500) ||
  (error instanceof Error && ['TimeoutError', 'TypeError'].includes(error.name))
