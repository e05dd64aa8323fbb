// Whether a caller of a webhook is who the playbook says may call. What is compared is compared in constant time.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { PlaybookSpec } from '@watchroom/shared/playbooks'
import { tryParseDuration } from '@watchroom/shared/time'

export type WebhookAuthentication = NonNullable<
  NonNullable<NonNullable<PlaybookSpec['on']>['webhook']>['authentication']
>

export interface WebhookCall {
  readonly headers: IncomingHttpHeaders
  /** As it came. */
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether one whose keys are at the address signed the token, and it holds. */
  readonly isSigned: (token: string, keysUrl: string) => Promise<boolean>
}

const DEFAULT_TOLERANCE_MS = 5 * 60_000

/** `missing`: nothing was shown that could be judged. */
export async function authenticateWebhook(
  { basic, github, svix, jwt }: WebhookAuthentication,
  { headers, body, now, isSigned }: WebhookCall,
): Promise<'ok' | 'missing' | 'wrong'> {
  const header = (name: string): string => String(headers[name] ?? '')
  if (basic) {
    const shown = /^Basic (\S+)$/i.exec(header('authorization'))?.[1]
    if (shown === undefined) return 'missing'
    return verdict(Buffer.from(shown, 'base64').toString('utf8'), `${basic.username}:${basic.password}`)
  }
  if (github) {
    const shown = header('x-hub-signature-256')
    if (shown === '') return 'missing'
    return verdict(shown, `sha256=${createHmac('sha256', github.token).update(body).digest('hex')}`)
  }
  if (svix) {
    const [id, at, signatures] = ['svix-id', 'svix-timestamp', 'svix-signature'].map(header)
    if (!id || !at || !signatures) return 'missing'
    const toleranceMs = tryParseDuration(svix.timestampTolerance ?? '') ?? DEFAULT_TOLERANCE_MS
    if (!(Math.abs(now - Number(at) * 1_000) <= toleranceMs)) return 'wrong'
    const key = Buffer.from(svix.secret.replace(/^whsec_/, ''), 'base64')
    // Anyone can sign with an empty key.
    if (key.length === 0) return 'wrong'
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
    return signatures.split(' ').some((shown) => verdict(shown, expected) === 'ok') ? 'ok' : 'wrong'
  }
  if (jwt) {
    const token = /^Bearer (\S+)$/i.exec(header('authorization'))?.[1]
    if (token === undefined) return 'missing'
    return (await isSigned(token, jwt.jwksUri)) ? 'ok' : 'wrong'
  }
  return 'ok'
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const verdict = (shown: string, expected: string): 'ok' | 'wrong' =>
  timingSafeEqual(digest(shown), digest(expected)) ? 'ok' : 'wrong'
