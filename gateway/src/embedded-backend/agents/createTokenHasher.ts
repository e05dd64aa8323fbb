// Hashes of access tokens, of agents and of people alike. Remembers those that it made, so that a push costs no argon2.
import { createHmac, randomBytes } from 'node:crypto'

import { keepNewest } from '@watchroom/shared/kernel'

import { hashAccessToken } from './accessToken.ts'

export interface TokenHasher {
  /** @returns null when the text cannot be one of our tokens; that costs nothing */
  hashOf(token: string): Promise<string | null>
}

/** About 200 bytes each. */
const MAX_REMEMBERED = 2_000

export function createTokenHasher(): TokenHasher {
  /** Keyed by an HMAC, so that the memory holds no token. Least recently used first. */
  const hashes = new Map<string, string>()
  const key = randomBytes(32)
  return {
    hashOf: async (token) => {
      const memoryKey = createHmac('sha256', key).update(token).digest('base64')
      const hash = hashes.get(memoryKey) ?? (await hashAccessToken(token))
      if (hash === null) return null
      hashes.delete(memoryKey)
      hashes.set(memoryKey, hash)
      keepNewest(hashes, MAX_REMEMBERED)
      return hash
    },
  }
}
