import { CONNECTION_ROUTES } from '@watchroom/shared/access'
import type { TestedConnection } from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { request, RequestError } from '../../api/request.ts'

const AnswerSchema = z.object({ message: z.string() })
/** The server gives a test 10 s. */
const TIMEOUT_MS = 20_000
const NOT_IMPLEMENTED = 501

/** Third specification, section 8. */
const FAILED = 'Testing connection failed!'
const UNSUPPORTED = 'We currently do not support testing this connection type'

export interface TestVerdict {
  readonly outcome: 'ok' | 'failed' | 'unsupported'
  readonly text: string
}

export const testStored = (id: string, signal: AbortSignal): Promise<TestVerdict> =>
  judge(CONNECTION_ROUTES.test.path.replace('{id}', encodeURIComponent(id)), undefined, signal)

export const testEntered = (entered: TestedConnection, signal: AbortSignal): Promise<TestVerdict> =>
  judge(CONNECTION_ROUTES.tryOut.path, entered, signal)

async function judge(path: string, body: TestedConnection | undefined, signal: AbortSignal): Promise<TestVerdict> {
  try {
    const options = { method: 'POST', schema: AnswerSchema, signal, timeoutMs: TIMEOUT_MS } as const
    await request(`/api${path}`, body === undefined ? options : { ...options, body })
    return { outcome: 'ok', text: 'The connection works' }
  } catch (error) {
    if (signal.aborted || !(error instanceof RequestError)) throw error
    if (error.status === NOT_IMPLEMENTED) return { outcome: 'unsupported', text: UNSUPPORTED }
    return { outcome: 'failed', text: toReason(error) }
  }
}

/** What the server says, laid out where it is JSON. */
function toReason({ body, message, failure }: RequestError): string {
  if (failure !== 'http') return message
  const { error } = Object(body) as { error?: unknown }
  if (typeof error !== 'string' || error === '') return FAILED
  try {
    return JSON.stringify(JSON.parse(error), null, 2)
  } catch {
    // Most of them are sentences.
    return error
  }
}
