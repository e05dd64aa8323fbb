// Asks the backend, with somebody's own credential, how much of a source it shows them, and remembers the answer for as long as an
// answer about rights may live (LIVE-64). The console's matrix can only narrow what comes out here.
import { type Clock, sleep } from '@watchroom/shared/kernel'

import { asCaller, type BackendCaller } from '../platform/backendCaller.ts'
import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Access, AccessChange, Sight, Sights } from './contract.ts'
import { accessErrors } from './errors.ts'

/** Whoever acts is judged by an answer of the last 5 s; a change that is told, or asked for anew, acts at once. */
const MAX_AGE_MS = 5_000
const TIMEOUT_MS = 5_000
/** Rows come and go between two counts: they are taken once more before they are believed to differ. */
const RECOUNT_MS = 100
/** People times sources. */
const MAX_ANSWERS = 20_000
/** Of what a backend says when it refuses. */
const MAX_REASON = 300

export interface SightsDeps {
  readonly backend: BackendClient
  readonly access: Pick<Access, 'callerOf' | 'onChange'>
  readonly clock: Clock
  readonly metrics: Metrics
}

interface Answer {
  readonly userId: string
  sight: Sight | null
  /** Monotonic time of the question that `sight` answers. */
  askedAt: number
  pending: Promise<Sight> | null
}

/** How many rows there are, or why nobody is told. */
type Count =
  | { readonly kind: 'counted'; readonly total: number }
  | { readonly kind: 'refused'; readonly reason: string }

export function createSights(deps: SightsDeps): Sights & { readonly close: () => void } {
  const { backend, access, clock } = deps
  const answers = new Map<string, Answer>()
  const asked = deps.metrics.counter({
    name: 'watchroom_sight_total',
    help: 'Questions to the backend how much of a source it shows somebody, by answer.',
    labelNames: ['answer'],
  })

  const forget = (change: AccessChange): void => {
    for (const [key, { userId }] of answers) if (change === 'all' || userId === change.userId) answers.delete(key)
  }
  const stop = access.onChange(forget)

  const compare = async (caller: BackendCaller, source: string): Promise<Sight> => {
    const count = (client: BackendClient): Promise<Count> => countRows(client, source)
    const both = (): Promise<[Count, Count]> => Promise.all([count(asCaller(backend, caller)), count(backend)])
    // Without a credential of its own the gateway sees what the caller sees, and nobody else does.
    if (!backend.hasServiceCredential) {
      const own = await count(asCaller(backend, caller))
      return own.kind === 'counted' ? { kind: 'some' } : { kind: 'none', reason: own.reason }
    }
    let [own, whole] = await both()
    if (isFewer(own, whole)) {
      await sleep(clock, RECOUNT_MS)
      ;[own, whole] = await both()
    }
    if (own.kind === 'refused') return { kind: 'none', reason: own.reason }
    // What the gateway may not read itself it cannot share.
    return { kind: isFewer(own, whole) || whole.kind === 'refused' ? 'some' : 'all' }
  }

  const ask = (key: string, answer: Answer, caller: BackendCaller, source: string): Promise<Sight> => {
    const askedAt = clock.monotonic()
    const pending = compare(caller, source)
      .catch((error: unknown): never => {
        if (!(error instanceof BackendFailure)) throw error
        throw new CodedError(accessErrors.ACCESS_BACKEND_UNAVAILABLE, { cause: error })
      })
      .then((sight) => {
        asked.inc({ answer: sight.kind })
        answer.sight = sight
        answer.askedAt = askedAt
        return sight
      })
      .finally(() => {
        answer.pending = null
        // Forgotten meanwhile: the answer may be older than what was forgotten for.
        if (answers.get(key) === answer && answer.sight === null) answers.delete(key)
      })
    answer.pending = pending
    return pending
  }

  return {
    look: (headers, userId, source, maxAgeMs = MAX_AGE_MS) => {
      const caller = access.callerOf(headers)
      if (!caller) return { kind: 'none', reason: null }
      const key = `${caller.key} ${source}`
      const known = answers.get(key)
      if (known?.sight && clock.monotonic() - known.askedAt < maxAgeMs) return known.sight
      if (known?.pending) return known.pending
      const answer: Answer = known ?? { userId, sight: null, askedAt: -Infinity, pending: null }
      answers.delete(key)
      answers.set(key, answer)
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) break
        answers.delete(oldest)
      }
      return ask(key, answer, caller, source)
    },
    close: stop,
  }
}

const isFewer = (own: Count, whole: Count): boolean =>
  own.kind === 'counted' && whole.kind === 'counted' && own.total < whole.total

/** @throws BackendFailure */
async function countRows(backend: BackendClient, source: string): Promise<Count> {
  const response = await backend.request({
    path: `/db/${source}${source.includes('?') ? '&' : '?'}select=id&limit=0`,
    headers: { accept: 'application/json', prefer: 'count=exact' },
    timeoutMs: TIMEOUT_MS,
  })
  if (response.status === 401 || response.status === 403) {
    return { kind: 'refused', reason: toReason(await response.text()) }
  }
  response.discard()
  const total = Number(/\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1])
  if ((response.status === 200 || response.status === 206) && Number.isInteger(total)) return { kind: 'counted', total }
  throw new BackendFailure('broken', `counting ${source.split('?', 1)[0]} was answered with ${response.status}`)
}

/** A refusal is plain text or JSON, in either of the two shapes that backends have for it. */
function toReason(text: string): string {
  let reason = text
  try {
    const body = JSON.parse(text) as { message?: unknown; error?: unknown }
    reason = [body.message, body.error].find((part): part is string => typeof part === 'string') ?? text
  } catch {
    // Plain text.
  }
  return reason.trim().slice(0, MAX_REASON)
}
