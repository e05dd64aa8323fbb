// Tokens and passwords: made here, compared here, stored only as hashes.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id: 19 MiB, two passes; about 30 ms on one core. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const TOKEN_BYTES = 32

/** 256 random bits as text for cookies, headers and links. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** How a token is stored. A fast hash is enough for 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A text derived from a token that does not reveal it. */
export const deriveToken = (purpose: string, token: string): string =>
  createHash('sha256').update(`${purpose}:${token}`).digest('base64url')

/** Compares without telling by time how much was right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(expected))
}

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID)

let dummy: Promise<string> | undefined

/**
 * Whether the password is right. Takes as long for a person who does not exist or has no password, so that time tells nobody
 * which e-mail addresses have an account.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword(newToken())
  const isRight = await verify(passwordHash ?? (await dummy), password)
  return passwordHash !== null && isRight
}

/** Starts the work of the dummy hash early: the first unknown identifier must not take twice as long. */
export async function warmUp(): Promise<void> {
  dummy ??= hashPassword(newToken())
  await dummy
}
