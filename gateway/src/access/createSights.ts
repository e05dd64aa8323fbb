// Asks the backend, with someone's own credential, how much of a source it shows them and whether they may edit it, and remembers
// the answer for as long as an answer about rights may live (LIVE-64, COLLAB-42). The console's matrix can only narrow what comes out here.
import type { IncomingHttpHeaders } from 'node:http'

import { type Clock, keepNewest, sleep } from '@watchroom/shared/kernel'

import { asCaller, type BackendCaller } from '../platform/backendCaller.ts'
import type { AnswerAge } from '../platform/createSessionWatch.ts'
import { emptyUpdate } from '../platform/emptyUpdate.ts'
import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Access, AccessChange, Sight, Sights } from './contract.ts'
import { type Counts, createRounds } from './createRounds.ts'
import { accessErrors, toAccessError } from './errors.ts'
import { isShared, type Pending } from './pending.ts'

/** Whoever acts is judged by an answer of the last 5 s; a change that is told, or asked for anew, acts at once. */
const MAX_AGE_MS = 5_000
const TIMEOUT_MS = 5_000
/** Rows that came or went between the counts say nothing: they are taken again, so often at most. */
const MAX_COUNTS = 3
const RECOUNT_MS = 100
/** No answer from before says whether a session ended just now. */
const ANEW: AnswerAge = { sessionMs: 0, rightsMs: Infinity }
/** Whoever only listens waits this long for others about whom the same is asked. */
const GATHER_MS = 500
/** People times sources. */
const MAX_ANSWERS = 20_000
/** Sources that begin with it are calls. */
const DOOR = 'POST '
/** Of what a backend says when it refuses. */
const MAX_REASON = 300

export interface SightsDeps {
  readonly backend: BackendClient
  readonly access: Pick<Access, 'callerOf' | 'identify' | 'onChange'>
  readonly clock: Clock
  readonly metrics: Metrics
}

interface Entry {
  readonly userId: string
  /** Undefined until it is known. */
  answer: Sight | boolean | undefined
  /** Monotonic time of the question that `answer` answers. */
  askedAt: number
  pending: Pending<Sight | boolean> | null
}

/** How many rows there are, or why nobody is told. */
type Count = { readonly kind: 'counted'; readonly total: number } | Refused | { readonly kind: 'missing' }

interface Refused {
  readonly kind: 'refused'
  readonly status: number
  readonly reason: string
}

export function createSights(deps: SightsDeps): Sights & { readonly close: () => void } {
  const { backend, access, clock } = deps
  const entries = new Map<string, Entry>()
  const asked = deps.metrics.counter({
    name: 'watchroom_sight_total',
    help: 'Questions to the backend how much of a source it shows someone, by answer.',
    labelNames: ['answer'],
  })

  const forget = (change: AccessChange): void => {
    for (const [key, { userId }] of entries) if (change === 'all' || userId === change.userId) entries.delete(key)
  }
  const stop = access.onChange(forget)

  const rounds = createRounds((source) => countRows(backend, source), clock)

  /**
   * A session that ended is refused as a right that is missing is (401, LIVE-64): the identity service knows which of the two it is, and
   * whoever listens for changes is told.
   *
   * @throws CodedError ACCESS_SESSION_REQUIRED; BackendFailure when it is the gateway's own credential
   */
  const requireSession = async (status: number, caller: BackendCaller, headers: IncomingHttpHeaders): Promise<void> => {
    if (status !== 401) return
    if (caller.credential === 'service') throw new BackendFailure('broken', 'the gateway itself is refused')
    if (!(await access.identify(headers, { maxAge: ANEW }))) throw new CodedError(accessErrors.ACCESS_SESSION_REQUIRED)
  }

  const compare = async (caller: BackendCaller, source: string, withinMs: number): Promise<Sight | Refused> => {
    if (source.startsWith(DOOR)) return knock(asCaller(backend, caller), source.slice(DOOR.length))
    const countOwn = (): Promise<Count> => countRows(asCaller(backend, caller), source)
    // Without a credential of its own the gateway sees what the caller sees, and nobody else does.
    if (!backend.hasServiceCredential) return toSight(await countOwn(), [])
    let counts = await rounds.join(source, countOwn, withinMs)
    for (let taken = 1; taken < MAX_COUNTS && isMoving(counts); taken += 1) {
      await sleep(clock, RECOUNT_MS)
      counts = await rounds.join(source, countOwn, withinMs)
    }
    return toSight(counts.own, [counts.before, counts.after])
  }

  /** What is known, or what is found out now: once for all who ask meanwhile and accept an answer of that age. */
  const answer = <Known extends Sight | boolean>(
    key: string,
    userId: string,
    maxAgeMs: number,
    find: () => Promise<Known>,
  ): Known | Promise<Known> => {
    const before = entries.get(key)
    const askedAt = clock.monotonic()
    // Keys name the kind of question: what stands under one is of one type.
    if (before?.answer !== undefined && askedAt - before.askedAt < maxAgeMs) return before.answer as Known
    if (before && isShared(before.pending, askedAt, maxAgeMs)) return before.pending.answer as Promise<Known>
    const entry: Entry = before ?? { userId, answer: undefined, askedAt: -Infinity, pending: null }
    entries.delete(key)
    entries.set(key, entry)
    keepNewest(entries, MAX_ANSWERS)
    const found = find()
      .then((known) => {
        // A later question may be answered first.
        if (askedAt >= entry.askedAt) Object.assign(entry, { answer: known, askedAt })
        return known
      })
      .catch((error: unknown): never => {
        if (entry.answer === undefined && entries.get(key) === entry) entries.delete(key)
        throw toAccessError(error)
      })
      .finally(() => {
        if (entry.pending?.answer === found) entry.pending = null
      })
    entry.pending = { askedAt, answer: found }
    return found
  }

  const look: Sights['look'] = (headers, userId, source, maxAgeMs = MAX_AGE_MS) => {
    const caller = access.callerOf(headers)
    if (!caller) return { kind: 'none', reason: null }
    return answer(`${caller.key} ${source}`, userId, maxAgeMs, async () => {
      const found = await compare(caller, source, maxAgeMs > MAX_AGE_MS ? GATHER_MS : 0)
      if (found.kind === 'refused') await requireSession(found.status, caller, headers)
      const sight: Sight = found.kind === 'refused' ? { kind: 'none', reason: found.reason } : found
      asked.inc({ answer: sight.kind })
      return sight
    })
  }

  return {
    look,
    showsAll: async (headers, userId, sources) => {
      const [own, ...quoted] = await Promise.all(sources.map(async (source) => look(headers, userId, source)))
      return own?.kind === 'all' && quoted.every(({ kind }) => kind === 'all' || kind === 'missing')
    },
    mayEdit: (headers, userId, columns, maxAgeMs = MAX_AGE_MS) => {
      const caller = access.callerOf(headers)
      if (!caller) return false
      const key = `${caller.key} edit ${columns.map(({ table, column }) => `${table}.${column}`).join(' ')}`
      return answer(key, userId, maxAgeMs, async () => {
        const client = asCaller(backend, caller)
        const refusals = await Promise.all(columns.map((each) => tryUpdate(client, each)))
        if (refusals.includes(401)) await requireSession(401, caller, headers)
        return refusals.every((status) => status === null)
      })
    },
    close: () => {
      stop()
      rounds.close()
    },
  }
}

/** Whether rows came or went meanwhile. */
const isMoving = ({ before, after }: Counts<Count>): boolean =>
  before.kind === 'counted' && after.kind === 'counted' && before.total !== after.total

/**
 * Everything is what equals all that the gateway counted around it. Where rows kept coming or going nobody is believed to see them all.
 *
 * @param whole what the gateway counts; empty where it has no credential to count with
 */
function toSight(own: Count, whole: readonly Count[]): Sight | Refused {
  if (own.kind !== 'counted') return own
  // The gateway cannot share what it may not read itself.
  const shared = whole.map((count) => (count.kind === 'counted' ? count.total : null))
  if (shared.length > 0 && shared.every((total) => total === own.total)) return { kind: 'all' }
  return own.total > Math.max(0, ...shared.map(Number)) ? { kind: 'some', isMore: true } : { kind: 'some' }
}

/** Rows that have no `id` are counted by the column that the source names. */
const SELECTS = /[?&]select=/

/** @throws BackendFailure */
async function countRows(backend: BackendClient, source: string): Promise<Count> {
  const response = await backend.request({
    path: `/db/${source}${source.includes('?') ? '&' : '?'}${SELECTS.test(source) ? '' : 'select=id&'}limit=0`,
    headers: { accept: 'application/json', prefer: 'count=exact' },
    timeoutMs: TIMEOUT_MS,
  })
  if (response.status === 401 || response.status === 403) {
    return { kind: 'refused', status: response.status, reason: toReason(await response.text()) }
  }
  response.discard()
  // A table that is not there, or a column of it.
  if (response.status === 404 || response.status === 400) return { kind: 'missing' }
  const total = Number(/\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1])
  if ((response.status === 200 || response.status === 206) && Number.isInteger(total)) return { kind: 'counted', total }
  throw new BackendFailure('broken', `counting ${source.split('?', 1)[0]} was answered with ${response.status}`)
}

/** Whether a call that is no table would be answered. @throws BackendFailure */
async function knock(backend: BackendClient, path: string): Promise<Sight | Refused> {
  const response = await backend.request({
    method: 'POST',
    path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: '[]',
    timeoutMs: TIMEOUT_MS,
  })
  if (response.status === 401 || response.status === 403) {
    return { kind: 'refused', status: response.status, reason: toReason(await response.text()) }
  }
  response.discard()
  if (response.status === 404 || response.status === 405) return { kind: 'missing' }
  if (response.status <= 500) return { kind: 'all' }
  throw new BackendFailure('broken', `${path} was answered with ${response.status}`)
}

/**
 * Whether the backend takes an update of a column.
 *
 * @returns the status of a refusal; null when it was taken
 * @throws BackendFailure
 */
async function tryUpdate(
  backend: BackendClient,
  { table, column }: { table: string; column: string },
): Promise<number | null> {
  const response = await backend.request({ ...emptyUpdate(table, column), timeoutMs: TIMEOUT_MS })
  response.discard()
  if (response.status === 401 || response.status === 403) return response.status
  if (response.status >= 200 && response.status < 300) return null
  throw new BackendFailure('broken', `an update of ${table} was answered with ${response.status}`)
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
