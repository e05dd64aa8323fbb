// One question to a server that holds logs, with the same client as `http` checks: no credential follows a redirect, and a bounded
// part of the answer is read.
import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { RunnableCheck, WayOut } from '../../../check-runner/contract.ts'
import { httpRunner } from '../../../check-runner/types/http.ts'
import { withDeadline } from '../../../platform/withDeadline.ts'
import type { CheckOpener } from '../../checks/createCheckOpener.ts'

export interface ServerDeps {
  readonly opener: CheckOpener
  readonly wayOut: WayOut
  readonly clock: Clock
  readonly logger: Logger
}

export interface LogServer {
  readonly address?: string | undefined
  readonly connection?: string | undefined
  readonly username?: Credential | undefined
  readonly password?: Credential | undefined
}
type Credential = string | { readonly value?: string | undefined }

export interface ServerQuestion {
  readonly method: 'GET' | 'POST'
  /** After the address, with its query. */
  readonly path: string
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  readonly body?: string
  /** What a refusal means, by the server's words for it, which go into no error. Null: what its status says. */
  readonly toRefusal?: (words: string) => Error | null
}

const TIMEOUT_MS = 10_000

export const textOf = (credential: Credential | undefined): string | undefined =>
  typeof credential === 'object' ? credential.value : credential

/** The answer was longer than what is read: fewer lines may fit. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/** The server gives fewer lines, or searches a shorter time, than one request asked for. */
export class BeyondBound extends Error {
  override readonly name = 'BeyondBound'
  readonly of: 'lines' | 'time'
  /** Lines, or milliseconds; null where it does not say. */
  readonly most: number | null

  constructor(of: BeyondBound['of'], most: number | null, message: string) {
    super(message)
    this.of = of
    this.most = most
  }
}

/** @throws AnswerTooLong, what `toRefusal` makes of a refusal, and Error with a sentence about the server, without its words */
export async function askServer(deps: ServerDeps, server: LogServer, question: ServerQuestion): Promise<unknown> {
  const { clock, logger, wayOut } = deps
  const { connection } = server
  if (!server.address && !connection) throw new Error('neither address nor connection says where it is')
  const address = (server.address ?? '$(url)').replace(/\/+$/, '')
  const username = textOf(server.username)
  const password = textOf(server.password)
  const check: RunnableCheck = {
    name: 'logs',
    timeoutMs: TIMEOUT_MS,
    type: 'http',
    spec: {
      url: address + question.path,
      method: question.method,
      headers: [{ name: 'content-type', value: 'application/json' }, ...(question.headers ?? [])],
      maxRedirects: 0,
      ...(question.body !== undefined && { body: question.body }),
      ...(connection !== undefined && { connection }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    },
  }
  const opened = await deps.opener.open(check)
  if (!opened.ok) throw new Error(opened.error)
  const toReason = (): Error => new Error('no answer in time')
  return withDeadline({ clock, limitMs: TIMEOUT_MS, toReason }, async ({ signal }) => {
    // The opener leaves no references to values elsewhere in it.
    const asked = opened.value.check.spec as Parameters<typeof httpRunner.run>[0]
    // A connection's address may end with a slash.
    const url = asked.url?.replace(/([^:])\/{2,}/, '$1/')
    const filled = { ...asked, ...(url !== undefined && { url }) }
    const outcome = await httpRunner.run(filled, { signal, clock, logger, wayOut })
    const text = String(outcome.variables?.()['content']?.value)
    if (!outcome.passed) throw question.toRefusal?.(text) ?? new Error(outcome.error ?? 'it refuses')
    if (outcome.details?.['bodyTruncated'] === true) throw new AnswerTooLong('the answer is too long')
    return JSON.parse(text) as unknown
  })
}
