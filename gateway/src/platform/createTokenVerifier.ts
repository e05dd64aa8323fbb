// Checks signed tokens of an OpenID provider: who signed, for whom, and until when. Keys are fetched when a token names one that is
// not known, so that a provider may change them at any time.
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

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
      const getKey = await findKeys()
      try {
        const { payload } = await jwtVerify(token, getKey, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: TOLERANCE_S,
          requiredClaims: ['exp', 'iat'],
        })
        return payload
      } catch (error) {
        if (isRefusal(error)) return null
        throw error
      }
    },
  }
}

/** What is wrong with the token itself; everything else is wrong with the way to the keys. */
const isRefusal = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  // By which the library says that the answer was no list of keys.
  error.code !== 'ERR_JOSE_GENERIC'

async function readKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  })
  const metadata = MetadataSchema.parse(await response.json())
  if (metadata.issuer !== issuer) throw new Error(`the provider calls itself ${metadata.issuer}`)
  return createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: KEY_PAUSE_MS,
  })
}
