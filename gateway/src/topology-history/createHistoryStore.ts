// The past of the topology as it is read: the newest checkpoint before an instant, and what happened since.
import { keepNewest } from '@watchroom/shared/kernel'
import {
  type PastTransition,
  type PastTransitions,
  type RecordedEstate,
  type RecordedState,
  RecordedStateSchema,
  type RecordedStructure,
  RecordedStructureSchema,
  type RecordingHole,
} from '@watchroom/shared/topology/history'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

/** Nobody reads a longer list: the density shows the rest. */
const MAX_TRANSITIONS = 1_000
const DENSITY_PARTS = 120
/** Versions of structures that stay parsed: several of each component of a large estate. */
const MAX_STRUCTURES = 20_000
/** Nothing was seen for longer than this: the recording stopped. The slowest rhythm of reads is 30 s. */
export const MAX_SILENCE_MS = 90_000

export interface TransitionsQuery {
  readonly from: number
  readonly to: number
  /** Only of these components. */
  readonly ids?: readonly string[]
  readonly limit?: number
  readonly order: 'asc' | 'desc'
}

export interface HistoryStore {
  /** Null before anything was recorded. */
  recordedSince(): Promise<number | null>
  holes(from: number, to: number, now: number): Promise<RecordingHole[]>
  /** Null where nothing was recorded. Within a hole it is what was seen last. */
  estateAt(at: number): Promise<RecordedEstate | null>
  /** What components were, those that are gone since included. */
  structuresAt(at: number): Promise<ReadonlyMap<string, RecordedStructure>>
  transitions(query: TransitionsQuery): Promise<Omit<PastTransitions, 'recordedSince' | 'holes' | 'below'>>
}

type Client = Pick<Pool | PoolClient, 'query'>

/** By id, as a checkpoint holds them. */
const StatesSchema = z.record(z.string(), RecordedStateSchema)

export function createHistoryStore(client: () => Client): HistoryStore {
  const structures = createStructures()
  return {
    recordedSince: async () => {
      const { rows } = await client().query<{ at: Date | null }>(
        'select min(at) as at from watchroom.topology_checkpoint',
      )
      return rows[0]?.at?.getTime() ?? null
    },
    holes: async (from, to, now) => {
      const { rows } = await client().query<{ from: Date; until: Date | null }>(
        `select seen_until as from, next as until from (
           select seen_until, lead(started_at) over (order by started_at) as next from watchroom.topology_recording
         ) as spans
         where seen_until < $2 and coalesce(next > $1, seen_until < $3) order by seen_until`,
        [new Date(from), new Date(to), new Date(now - MAX_SILENCE_MS)],
      )
      return rows.map((hole) => ({ from: hole.from.getTime(), until: hole.until?.getTime() ?? null }))
    },
    estateAt: (at) => readEstateAt(client(), structures, new Date(at)),
    structuresAt: async (at) => new Map(await structures(client(), new Date(at))),
    transitions: async ({ from, to, ids, limit = MAX_TRANSITIONS, order }) => {
      const range = [new Date(from), new Date(to), ids ?? null]
      const { rows } = await client().query<TransitionRow>(
        `select at, component_id, health, status, from_health, from_status, (
           select coalesce(structure ->> 'text', structure ->> 'name') from watchroom.topology_structure
           where topology_structure.component_id = transition.component_id and topology_structure.at <= transition.at
           order by topology_structure.at desc limit 1
         ) as name
         from watchroom.topology_transition as transition
         where ${SHOWN} order by at ${order}, component_id limit $4`,
        [...range, limit + 1],
      )
      const density = await client().query<{ part: number; count: number; unhealthy: number }>(
        `select floor(extract(epoch from at - $1) * 1000 / $4::float8)::int as part, count(*)::int as count,
           count(*) filter (where health = 'unhealthy')::int as unhealthy
         from watchroom.topology_transition where ${SHOWN} group by part order by part`,
        [...range, partMs(from, to)],
      )
      return {
        transitions: rows.slice(0, limit).map(toTransition),
        isCut: rows.length > limit,
        density: density.rows.map(({ part, ...counts }) => ({ at: from + part * partMs(from, to), ...counts })),
      }
    },
  }
}

/** Another reason alone is no transition. */
const SHOWN = `at >= $1 and at <= $2 and ($3::uuid[] is null or component_id = any($3))
  and (health is distinct from from_health or status is distinct from from_status)`

const partMs = (from: number, to: number): number => Math.max(1, (to - from) / DENSITY_PARTS)

interface TransitionRow {
  readonly at: Date
  readonly component_id: string
  readonly name: string | null
  readonly health: string | null
  readonly status: string | null
  readonly from_health: string | null
  readonly from_status: string | null
}

function toTransition(row: TransitionRow): PastTransition {
  const toMoment = (health: string | null, status: string | null): PastTransition['from'] =>
    health === null ? null : { health: RecordedStateSchema.shape.health.parse(health), status: status ?? '' }
  return {
    at: row.at.getTime(),
    id: row.component_id,
    name: row.name ?? '',
    from: toMoment(row.from_health, row.from_status),
    to: toMoment(row.health, row.status),
  }
}

/** What components were at an instant, by id. */
type Structures = (client: Client, at: Date) => Promise<[id: string, structure: RecordedStructure][]>

/** A version never changes: it is read and parsed once, and seeks read only which versions there were. */
function createStructures(): Structures {
  const known = new Map<string, RecordedStructure>()
  return async (client, at) => {
    const { rows: versions } = await client.query<{ id: string; version: string }>(
      `select distinct on (component_id) component_id as id, at::text as version from watchroom.topology_structure
       where at <= $1 order by component_id, at desc`,
      [at],
    )
    const found = new Map(versions.map(({ id, version }) => [id, known.get(`${id} ${version}`)]))
    const missing = versions.filter(({ id }) => found.get(id) === undefined)
    if (missing.length > 0) {
      const { rows } = await client.query<{ id: string; version: string; structure: unknown }>(
        `select component_id as id, at::text as version, structure from watchroom.topology_structure
         join unnest($1::uuid[], $2::timestamptz[]) as wanted (id, version) on component_id = wanted.id and at = wanted.version`,
        [missing.map(({ id }) => id), missing.map(({ version }) => version)],
      )
      for (const { id, version, structure: json } of rows) {
        const structure = RecordedStructureSchema.parse(json)
        found.set(id, structure)
        known.set(`${id} ${version}`, structure)
      }
      keepNewest(known, MAX_STRUCTURES)
    }
    return [...found].flatMap(([id, structure]) => (structure === undefined ? [] : [[id, structure]]))
  }
}

async function readEstateAt(client: Client, structuresAt: Structures, at: Date): Promise<RecordedEstate | null> {
  const { rows: found } = await client.query<{ at: Date; states: unknown }>(
    'select at, states from watchroom.topology_checkpoint where at <= $1 order by at desc limit 1',
    [at],
  )
  const checkpoint = found[0]
  if (checkpoint === undefined) return null
  const { rows: since } = await client.query<{
    component_id: string
    health: string | null
    status: string
    reason: string | null
  }>(
    `select distinct on (component_id) component_id, health, status, reason from watchroom.topology_transition
     where at > $1 and at <= $2 order by component_id, at desc`,
    [checkpoint.at, at],
  )
  const states = new Map<string, RecordedState>(Object.entries(StatesSchema.parse(checkpoint.states)))
  for (const { component_id: id, ...state } of since) {
    if (state.health === null) states.delete(id)
    else states.set(id, RecordedStateSchema.parse(state))
  }
  return new Map(
    (await structuresAt(client, at)).flatMap(([id, structure]) => {
      const state = states.get(id)
      return state === undefined ? [] : [[id, { state, structure }] as const]
    }),
  )
}
