// Checks signed tokens, of an OpenID provider or of anyone who publishes keys at an address: who signed, for whom, and until when. Keys
// are fetched when a token names an unknown one, so that a provider may change them at any time.
import { keepNewest } from '@watchroom/shared/kernel'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose'
import { z } from 'zod'

import { systemClock } from './clock.ts'
import { fetchBounded } from './fetchBounded.ts'
import { withDeadline } from './withDeadline.ts'

const TIMEOUT_MS = 5_000
/** Between two fetches: tokens that name made-up keys must not become requests to the provider. */
const KEY_PAUSE_MS = 1_000
/** Clocks differ. */
const TOLERANCE_S = 10
/** Signatures that only the provider can make: never `none`, and none made with a secret that two sides share. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const MetadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url() })

export interface TokenVerifier {
  /**
   * @returns the claims of a token that the issuer signed for the audience and that holds now; null for any other
   * @throws Error when the provider's keys cannot be read
   */
  verify(token: string): Promise<JWTPayload | null>
}

/** Whether a currently valid token was signed with the keys at an address. Audience and issuer are not checked. */
export interface KeySetVerifier {
  /** @throws Error when the keys cannot be read */
  isSigned(token: string, keysUrl: string): Promise<boolean>
}

/** Addresses whose keys are kept. */
const MAX_KEY_SETS = 100

/** @param fetchKeys follows no redirect */
export function createKeySetVerifier(fetchKeys: FetchImplementation): KeySetVerifier {
  const keySets = new Map<string, JWTVerifyGetKey>()

  const keysAt = (url: string): JWTVerifyGetKey => {
    const keys = keySets.get(url) ?? toKeys(url, fetchKeys)
    // The one that was asked last stands last.
    keySets.delete(url)
    keySets.set(url, keys)
    keepNewest(keySets, MAX_KEY_SETS)
    return keys
  }

  return {
    isSigned: async (token, keysUrl) =>
      (await tryVerify(token, keysAt(keysUrl), { algorithms: ALGORITHMS, requiredClaims: ['exp'] })) !== null,
  }
}

export function createTokenVerifier({ issuer, audience }: { issuer: string; audience: string }): TokenVerifier {
  let keys: Promise<JWTVerifyGetKey> | null = null

  const findKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= readKeys(issuer).catch((error: unknown) => {
      keys = null
      throw error
    })
    return keys
  }

  return {
    verify: async (token) => {
      const rules = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp', 'iat'] }
      return tryVerify(token, await findKeys(), rules)
    },
  }
}

async function tryVerify(token: string, keys: JWTVerifyGetKey, rules: JWTVerifyOptions): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(token, keys, { ...rules, clockTolerance: TOLERANCE_S })).payload
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** Something is wrong with the token itself; any other error means that the keys could not be read. */
const isRefusal = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  // By which the library says that the answer was no list of keys.
  error.code !== 'ERR_JOSE_GENERIC'

async function readKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  // By the system's clock, as the library that asks for the keys.
  const toReason = (): Error => new DOMException('the provider does not answer in time', 'TimeoutError')
  const response = await withDeadline({ clock: systemClock, limitMs: TIMEOUT_MS, toReason }, ({ signal }) =>
    fetchBounded(url, { signal }),
  )
  const metadata = MetadataSchema.parse(await response.json())
  if (metadata.issuer !== issuer) throw new Error(`the provider calls itself ${metadata.issuer}`)
  return toKeys(metadata.jwks_uri)
}

const toKeys = (url: string, fetchKeys: FetchImplementation = fetchBounded): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: KEY_PAUSE_MS,
    [customFetch]: fetchKeys,
  })
