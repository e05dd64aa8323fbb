// What a change names elsewhere (a person, a check) must be there: asked of the backend before the change is
// acknowledged, so that nobody is told later, in the words of a database, that their edit has no place (COLLAB-26). Bounded: what
// cannot be found out in time is let through, and told as a problem of its entity when the backend refuses it.

import type { Named } from '@watchroom/shared/collab'
import { type Clock, keepNewest } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind } from '../documentKind.ts'

const TIMEOUT_MS = 2_000
/** At once, of this gateway; more are let through unasked. */
const MAX_QUESTIONS = 8
/** Of one change; an address has room for about that many. */
const MAX_IDS = 100
/** What is there seldom goes; what is not there may be made a moment later. */
const KNOWN_MS = 600_000
const MISSING_MS = 2_000
const MAX_CACHED = 10_000

export interface References {
  /** Null when nothing has to be asked; otherwise resolves, and never rejects, when it was asked. */
  lookUp(named: readonly Named[]): Promise<void> | null
  /** Whether the backend said that there is no such thing. */
  isMissing(named: Named): boolean
}

const AnswerSchema = z.array(z.object({ id: z.string() }))

export interface ReferencesDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  /** Where what is named stands, by its kind. */
  readonly tables: DocumentKind['references']
}

export function createReferences(deps: ReferencesDeps): References {
  const { backend, clock, logger, tables } = deps
  const cached = new Map<string, { readonly isThere: boolean; readonly until: number }>()
  let questions = 0

  const remember = (named: Named, isThere: boolean): void => {
    const key = toKey(named)
    // What is asked about again counts as new.
    cached.delete(key)
    cached.set(key, { isThere, until: clock.monotonic() + (isThere ? KNOWN_MS : MISSING_MS) })
    keepNewest(cached, MAX_CACHED)
  }

  const ask = async (kind: string, named: ReadonlySet<string>): Promise<void> => {
    const table = tables[kind]?.table
    if (table === undefined) return
    const ids = [...named]
    questions += 1
    try {
      const response = await backend.request({
        path: `/db/${table}?select=id&id=in.(${ids.join()})`,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
      })
      if (response.status !== 200) {
        response.discard()
        return
      }
      const found = new Set(AnswerSchema.parse(await response.json()).map(({ id }) => id))
      for (const id of ids) remember({ kind, id }, found.has(id))
    } catch (error) {
      // A backend that does not answer must not keep anyone from writing.
      logger.info({ err: error, kind }, 'references of a change not looked up')
    } finally {
      questions -= 1
    }
  }

  return {
    lookUp: (named) => {
      const now = clock.monotonic()
      const asked = new Map<string, Set<string>>()
      for (const each of named.slice(0, MAX_IDS)) {
        if ((cached.get(toKey(each))?.until ?? 0) > now) continue
        const ids = asked.get(each.kind) ?? new Set()
        asked.set(each.kind, ids.add(each.id))
      }
      if (asked.size === 0 || questions + asked.size > MAX_QUESTIONS) return null
      return Promise.all(Array.from(asked, ([kind, ids]) => ask(kind, ids))).then(() => undefined)
    },
    isMissing: (named) => {
      const found = cached.get(toKey(named))
      return found?.isThere === false && found.until > clock.monotonic()
    },
  }
}

const toKey = ({ kind, id }: Named): string => `${kind} ${id}`
