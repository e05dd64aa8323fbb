// Which roles people have. One question covers everyone who is here, a hundred people at a time, so its cost hardly grows with them.
import { type Role, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema } from '@watchroom/shared/identity'
import { type Clock, keepNewest } from '@watchroom/shared/kernel'

import { isCredentialRefused } from '../platform/backendCaller.ts'
import { createBatcher } from '../platform/createBatcher.ts'
import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import { LOOKUP_TIMEOUT_MS, unexpectedAnswer } from './authenticate.ts'
import type { AccessChange } from './contract.ts'
import type { Age } from './createSessionLookup.ts'
import type { Credential } from './credential.ts'
import { isShared, type Pending } from './pending.ts'

/** Whoever was not asked about for this long is not here: open sockets ask more often. */
const HERE_MS = 60_000
/** People in one request: 4 kB of address, half of what the strictest servers take. */
const MAX_PER_REQUEST = 100
/** As many as credentials that are remembered. */
const MAX_PEOPLE = 10_000
/** Our own credential, once it was refused, is tried again after this time. */
const REFUSED_MS = 60_000

interface Entry {
  /** Last answer; undefined until the first. */
  readonly roles?: readonly Role[]
  /** Monotonic time of the question that `roles` answers; -Infinity when it must be asked anew. */
  readonly askedAt: number
  /** Monotonic time at which someone wanted to know. */
  wantedAt: number
  /** Asked for again before it was too old; once, whatever became of that. */
  isRenewed?: true
}

/** Roles by person; null when the credential is refused. */
type Found = ReadonlyMap<string, readonly Role[]> | null

export interface PeopleRoles {
  /**
   * @param credential of this person, for where the gateway has none or its own is refused
   * @throws BackendFailure, ZodError
   */
  rolesOf(userId: string, credential: Credential, age: Age): Promise<readonly Role[]>
  /** What was read may be wrong from now on. */
  invalidate(change: AccessChange): void
}

export interface PeopleRolesDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  /** Someone has other roles than before. */
  readonly onChange: (userId: string, roles: readonly Role[]) => void
}

export function createPeopleRoles({ backend, clock, onChange }: PeopleRolesDeps): PeopleRoles {
  /** Oldest answer first. */
  const people = new Map<string, Entry>()
  let refusedAt = -Infinity

  const read = async (ids: readonly string[], credential: Credential | null): Promise<Found> => {
    const response = await backend.request({
      path: `/db/people_roles?id=in.(${ids.map(encodeURIComponent).join(',')})`,
      timeoutMs: LOOKUP_TIMEOUT_MS,
      credential: credential ? 'caller' : 'service',
      headers: credential?.headers ?? {},
    })
    if (response.status !== 200) {
      if (isCredentialRefused(response.status, await response.text())) return null
      throw unexpectedAnswer(response)
    }
    const rows = PeopleRolesSchema.parse(await response.json())
    return new Map(
      ids.map((id) => [id, toRoles(rows.flatMap((row) => (row.id === id ? (row.roles ?? []) : [])))] as const),
    )
  }

  const ask = async (ids: readonly string[], credential: Credential | null): Promise<Found> => {
    const askedAt = clock.monotonic()
    const asked = ids.map((id) => [id, people.get(id)] as const)
    const found = await read(ids, credential)
    for (const [id, entry] of asked) {
      const roles = found?.get(id)
      // Another entry than the one that was asked about: rights changed meanwhile, and this may be what was true before.
      if (!roles || !entry || people.get(id) !== entry) continue
      people.delete(id)
      people.set(id, { roles, askedAt, wantedAt: entry.wantedAt })
      if (entry.roles && !isSame(entry.roles, roles)) onChange(id, roles)
    }
    return found
  }

  const askTogether = createBatcher(async (wanted) => {
    const ids = withOthers(new Set(wanted))
    const requests = Array.from({ length: Math.ceil(ids.length / MAX_PER_REQUEST) }, (_, index) =>
      ask(ids.slice(index * MAX_PER_REQUEST, (index + 1) * MAX_PER_REQUEST), null),
    )
    const answers = await Promise.all(requests)
    if (answers.includes(null)) {
      refusedAt = clock.monotonic()
      return null
    }
    return new Map(answers.flatMap((found) => [...(found ?? [])]))
  })

  /** As many of those who are here as the same requests have room for. */
  const withOthers = (wanted: ReadonlySet<string>): readonly string[] => {
    const ids = [...wanted]
    const room = Math.ceil(ids.length / MAX_PER_REQUEST) * MAX_PER_REQUEST
    for (const [id, { wantedAt }] of people) {
      if (clock.monotonic() - wantedAt >= HERE_MS) people.delete(id)
      else if (ids.length < room && !wanted.has(id)) ids.push(id)
    }
    return ids
  }

  /** By credential: everyone who comes at the same time is answered by one question here too. */
  const alone = new Map<string, Pending<Found>>()
  const askAlone = (userId: string, credential: Credential, maxAgeMs: number): Promise<Found> => {
    const now = clock.monotonic()
    const pending = alone.get(credential.key)
    if (isShared(pending, now, maxAgeMs)) return pending.answer
    const answer = ask([userId], credential).finally(() => {
      if (alone.get(credential.key)?.answer === answer) alone.delete(credential.key)
    })
    alone.set(credential.key, { askedAt: now, answer })
    return answer
  }

  /** Everyone may read this view: where our own credential is not good for it, the person's is. */
  const find = async (userId: string, credential: Credential, maxAgeMs: number): Promise<Found> => {
    const isOursGood = backend.hasServiceCredential && clock.monotonic() - refusedAt >= REFUSED_MS
    return (isOursGood ? await askTogether(userId) : null) ?? askAlone(userId, credential, maxAgeMs)
  }

  /** What is known of someone, who is here from now on. */
  const enter = (userId: string): Entry => {
    const entry = people.get(userId) ?? { askedAt: -Infinity, wantedAt: 0 }
    entry.wantedAt = clock.monotonic()
    people.set(userId, entry)
    keepNewest(people, MAX_PEOPLE)
    return entry
  }

  return {
    rolesOf: async (userId, credential, { maxMs, renewMs }) => {
      const entry = enter(userId)
      const ageMs = entry.wantedAt - entry.askedAt
      if (entry.roles && ageMs < maxMs) {
        if (ageMs >= renewMs && !entry.isRenewed) {
          entry.isRenewed = true
          // Where this fails, whoever comes when the answer is too old is told.
          find(userId, credential, maxMs).catch(() => undefined)
        }
        return entry.roles
      }
      const found = await find(userId, credential, maxMs)
      const answer = found?.get(userId)
      if (!answer) throw new BackendFailure('broken', 'the roles of a person are refused to that person')
      return answer
    },

    invalidate: (change) => {
      for (const [id, entry] of people) {
        if (change === 'all' || change.userId === id) people.set(id, { ...entry, askedAt: -Infinity })
      }
      alone.clear()
    },
  }
}

const isSame = (before: readonly Role[], after: readonly Role[]): boolean =>
  after.length === before.length && after.every((role) => before.includes(role))
