// Access tokens of agents and people: `{secret}.{salt}.{time}.{memory}.{parallelism}` (backend reference 3.1). Only the hash is stored.
import { randomBytes } from 'node:crypto'

import { hashRaw } from '@node-rs/argon2'

/**
 * Cheaper than for passwords: nobody guesses 256 random bits, however fast. Tokens that name other costs are not ours, and a
 * stranger must not choose how much memory we take.
 */
const COSTS = { timeCost: 1, memoryCost: 8_192, parallelism: 1 }
const SECRET_BYTES = 32
const SALT_BYTES = 16
const SHAPE = new RegExp(
  `^([\\w-]{43})\\.([\\w-]{22})\\.${COSTS.timeCost}\\.${COSTS.memoryCost}\\.${COSTS.parallelism}$`,
)

/** A new token and what of it may be stored. */
export async function createAccessToken(): Promise<{ token: string; hash: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const salt = randomBytes(SALT_BYTES)
  const token = [secret, salt.toString('base64url'), COSTS.timeCost, COSTS.memoryCost, COSTS.parallelism].join('.')
  return { token, hash: await toHash(secret, salt) }
}

/** @returns null when the text cannot be one of our tokens; that costs nothing */
export async function hashAccessToken(token: string): Promise<string | null> {
  const [, secret, salt] = SHAPE.exec(token) ?? []
  if (secret === undefined || salt === undefined) return null
  return toHash(secret, Buffer.from(salt, 'base64url'))
}

async function toHash(secret: string, salt: Uint8Array): Promise<string> {
  return (await hashRaw(secret, { ...COSTS, salt, outputLen: 32 })).toString('base64url')
}
