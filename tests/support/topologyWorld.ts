// A backend with topologies, for tests of what syncs make of their specs.
import { TopologyAnswerSchema } from '@watchroom/shared/topology'
import { Pool } from 'pg'
import { expect } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { startEmbeddedBackend, type TestBackend, type TestBackendOptions } from './embeddedBackend.ts'

export interface SyncAnswer {
  readonly status: 'ok' | 'failed'
  readonly count: string
  readonly errors: readonly string[]
}

export interface SyncedRow {
  readonly id: string
  readonly name: string
  readonly parent_id: string | null
  readonly path: string
  readonly hidden: boolean
  readonly deleted_at: Date | null
  readonly updated_at: Date
  readonly [column: string]: unknown
}

export interface TopologyWorld {
  readonly backend: TestBackend
  readonly database: Pool
  /** Stored past the routes, with a schedule that does not come. @returns its id */
  add(name: string, spec: object): Promise<string>
  edit(id: string, spec: object): Promise<void>
  run(id: string): Promise<SyncAnswer>
  /** By name, deleted ones too. */
  components(topologyId: string): Promise<Readonly<Record<string, SyncedRow>>>
  /** The rows show what their components are, which is written after them. */
  untilRolledUp(topologyId: string): Promise<void>
  stop(): Promise<void>
}

const ROLLED_UP_WITHIN = { timeout: 20_000, interval: 20 }

/** Parsing says of everything that is absent that it is nothing. */
const toKnown = (summary: object): object =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => value != null))

/** Once in four years: syncs are asked for. */
const NEVER = '0 0 29 2 *'

export async function startTopologyWorld(options: TestBackendOptions = {}): Promise<TopologyWorld> {
  const backend = await startEmbeddedBackend(options)
  const database = new Pool({ connectionString: backend.databaseUrl })
  // Of a client whose server is killed; its next question makes another.
  database.on('error', () => undefined)
  return {
    backend,
    database,
    add: async (name, spec) => {
      const { rows } = await database.query<{ id: string }>(
        `with topology as (
           insert into topologies (name, namespace, spec) values ($1, 'default', $2) returning id
         ), ran as (
           insert into job_history (name, resource_type, resource_id, status, time_start)
           select 'TopologySync', 'topology', id::text, 'SUCCESS', now() from topology
         ) select id from topology`,
        [name, JSON.stringify({ schedule: NEVER, ...spec })],
      )
      return rows[0]?.id ?? ''
    },
    // Past the trigger that tells of edits, so that no sync comes that was not asked for.
    edit: async (id, spec) => {
      const client = await database.connect()
      try {
        await client.query(`set session_replication_role = replica`)
        await client.query('update topologies set spec = $2 where id = $1', [
          id,
          JSON.stringify({ schedule: NEVER, ...spec }),
        ])
        await client.query(`set session_replication_role = origin`)
      } finally {
        client.release()
      }
    },
    run: async (id) => {
      const ask = () => backend.callAsService(`/canary/run/topology/${id}`, { method: 'POST' })
      let answer = await ask()
      // One that the edit brought about comes to its end.
      while (answer.status === 409) answer = await ask()
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return answer.json() as SyncAnswer
    },
    components: async (topologyId) => {
      const { rows } = await database.query<SyncedRow>('select * from components where topology_id = $1', [topologyId])
      return Object.fromEntries(rows.map((row) => [row.name, row]))
    },
    untilRolledUp: async (topologyId) => {
      await eventually(async () => {
        const answer = await backend.callAsService('/canary/api/topology?flatten=true')
        const { components } = TopologyAnswerSchema.parse(answer.json())
        const shown = (components ?? []).filter((component) => component.topology_id === topologyId)
        const { rows } = await database.query<{ id: string; health: string; summary: unknown }>(
          `select id, coalesce(health, 'unknown') as health, summary from components
           where topology_id = $1 and deleted_at is null`,
          [topologyId],
        )
        const byId = (list: readonly { id: string }[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        expect(byId(rows)).toMatchObject(
          byId(shown.map(({ id, health, summary }) => ({ id, health, ...(summary && { summary: toKnown(summary) }) }))),
        )
      }, ROLLED_UP_WITHIN)
    },
    stop: async () => {
      await database.end()
      await backend.stop()
    },
  }
}
