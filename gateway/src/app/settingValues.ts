// What settings of several kinds may say.
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'

import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { isLoopback } from '../platform/plainAddress.ts'

export const optionalUrl = (protocols: readonly string[]) =>
  z
    .string()
    .optional()
    .refine((text) => text === undefined || (URL.canParse(text) && protocols.includes(new URL(text).protocol)), {
      error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    })

export const count = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 1 to 99999')
  .transform(Number)
  .refine((number) => number > 0, 'must be a number from 1 to 99999')

export const toParts = (text: string): string[] => text.split(',').map((part) => part.trim())

export const folders = z
  .string()
  .transform(toParts)
  .refine((paths) => paths.every((path) => isAbsolute(path)), 'must be folders such as /srv, separated by commas')

/** A length of time as people write it, `72h` for example, in milliseconds. */
export const duration = (minMs: number, maxMs: number, message: string) =>
  z
    .string()
    .transform((text) => tryParseDuration(text) ?? Number.NaN)
    .refine((ms) => ms >= minMs && ms <= maxMs, message)

export function isBackendUrl(text: string): boolean {
  if (text.startsWith('unix:')) return text.startsWith('unix:/') && text.length > 'unix:/'.length
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
}

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, href } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && href === `${origin}/`
}

export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** The gateway compares it with what the provider says, letter by letter; plain http only where nobody listens in. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
  return isSafe && search === '' && hash === ''
}

export function jsonList<Item extends z.ZodType>(item: Item, message: string) {
  return z.string().transform(toJson).pipe(z.array(item, message))
}

/** Undefined, which is no list, for what is no JSON. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
