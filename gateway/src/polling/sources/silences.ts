import type { Clock } from '@watchroom/shared/kernel'
import type { Silence } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'
import { isRefused } from './upstream.ts'

/** More than the list shows. */
const MAX_SILENCES = 1_000
/** Of all silences that are not over. */
const MAX_COVERED = 50_000
/** Where the database tells of changes this is only the safety net; and of what joins a component that is silenced it does not. */
const INTERVAL_MS = 10_000

const KINDS = ['check', 'canary', 'component', 'config'] as const
const EMBEDS = KINDS.map((kind) => `${kind}:${kind}_id(id,name)`).join(',')
const SILENCES = `/db/notification_silences?select=id,updated_at,from,until,description,recursive,${EMBEDS}&deleted_at=is.null&order=until.desc&limit=${MAX_SILENCES}`
const COVERED = `/db/silenced_resources?select=silence_id,resource_id&order=silence_id,resource_id&limit=${MAX_COVERED}`

const NamedSchema = z.object({ id: z.string(), name: z.string().nullish() }).nullish()
const RowSchema = z.object({
  id: z.string(),
  updated_at: z.string().nullish(),
  from: z.string(),
  until: z.string(),
  description: z.string().nullish(),
  recursive: z.boolean().nullish(),
  check: NamedSchema,
  canary: NamedSchema,
  component: NamedSchema,
  config: NamedSchema,
})
const CoveredSchema = z.object({ silence_id: z.string(), resource_id: z.string() })

/** Silences with what they hold back. */
export function createSilencesSource({ backend, clock }: { backend: BackendClient; clock: Clock }): Source<Silence> {
  return {
    name: 'silences',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = clock.now()
      const [{ rows, droppedRows }, covered] = await Promise.all([
        readTable(backend, SILENCES, RowSchema, signal),
        readCovered(backend, signal),
      ])
      return { kind: 'all', asOf, rows: rows.map((row) => toSilence(row, covered)), droppedRows }
    },
  }
}

type Covered = ReadonlyMap<string, readonly string[]>

/** By the id of the silence; null where the backend does not list it: a silence then holds back what it names. */
async function readCovered(backend: BackendClient, signal: AbortSignal): Promise<Covered | null> {
  try {
    const { rows } = await readTable(backend, COVERED, CoveredSchema, signal)
    const covered = new Map<string, string[]>()
    for (const { silence_id: id, resource_id: resourceId } of rows) {
      const known = covered.get(id)
      if (known) known.push(resourceId)
      else covered.set(id, [resourceId])
    }
    return covered
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}

function toSilence(row: z.infer<typeof RowSchema>, covered: Covered | null): Silence {
  const about = KINDS.flatMap((kind) => {
    const named = row[kind]
    return named ? [{ kind, id: named.id, name: named.name || named.id }] : []
  })[0]
  return {
    id: row.id,
    version: row.updated_at ?? '',
    from: row.from,
    until: row.until,
    description: row.description ?? null,
    about: about ?? null,
    isRecursive: row.recursive ?? false,
    covers: [...((covered ? covered.get(row.id) : about && [about.id]) ?? [])],
  }
}
