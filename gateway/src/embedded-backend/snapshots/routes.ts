import { LOG_ROUTES, mayUseRoute, SNAPSHOT_ROUTES } from '@watchroom/shared/access'
import { isDuration, tryParseDuration } from '@watchroom/shared/time'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import { createBoundedQueue } from '../../platform/createBoundedQueue.ts'
import { callerSignal } from '../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Logs } from '../logs/createLogs.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import { type ArchiveFile, createZip } from './createZip.ts'
import { LOG_FORMATS, readLogFiles } from './readLogFiles.ts'
import { toCsv } from './toCsv.ts'

/** Rows of one kind in an archive; what is older is left out. */
const MAX_ROWS = 10_000
const MINUTES_15_MS = 900_000
/** Archives that are made at once, and those that may wait. */
const QUEUE = { parallel: 1, maxWaiting: 5 }

const ParamsSchema = z.object({ id: z.guid() })
const lengthOfTime = z.string().transform((text, context) => {
  const durationMs = tryParseDuration(text)
  if (durationMs !== null && durationMs > 0 && isDuration(text)) return durationMs
  context.addIssue({ code: 'custom', message: 'must be a length of time, for example 15m' })
  return z.NEVER
})
const QuerySchema = z.object({
  /** How long ago what is wanted begins and ends. */
  start: lengthOfTime.optional(),
  end: lengthOfTime.optional(),
  related: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  logFormat: z.enum(LOG_FORMATS).default('log'),
})

/** What an archive is about. */
interface Subjects {
  readonly components: readonly string[]
  readonly configs: readonly string[]
  readonly incidents: readonly string[]
  /** Changes and findings before and after this are left out. */
  readonly since: Date
  readonly until: Date | 'infinity'
}

/** One row (`$1`), and with `$2` everything below it and what relations lead to, in both directions. */
const withRelated = (table: string, relations: string, [one, other]: readonly [string, string]): string => `
  select subject.* from ${table} subject
  where subject.deleted_at is null and (
    subject.id = $1 or $2 and (
      string_to_array(coalesce(subject.path, ''), '.') @> array[$1::text]
      or subject.parent_id = $1
      or subject.id in (
        select r.${other} from ${relations} r where r.${one} = $1 and r.deleted_at is null
        union select r.${one} from ${relations} r where r.${other} = $1 and r.deleted_at is null
      )
    )
  ) order by subject.name limit ${MAX_ROWS}`

const COMPONENTS = withRelated('components', 'component_relationships', ['component_id', 'relationship_id'])
const CONFIGS = withRelated('config_items', 'config_relationships', ['config_id', 'related_id'])

const CONFIGS_OF_COMPONENTS = `
  select * from config_items where deleted_at is null and id in (
    select config_id from config_component_relationships where component_id = any($1) and deleted_at is null
    union select config_id from components where id = any($1) and config_id is not null
  ) order by name limit ${MAX_ROWS}`

/** With evidence that names one of those in `$1`. */
const incidentsOf = (column: 'component_id' | 'config_id'): string => `
  select * from incidents where id in (
    select h.incident_id from hypotheses h join evidences e on e.hypothesis_id = h.id where e.${column} = any($1))
  order by created_at desc limit ${MAX_ROWS}`

const INCIDENTS_OF_COMPONENTS = incidentsOf('component_id')
const INCIDENTS_OF_CONFIGS = incidentsOf('config_id')

/** Evidence `e` of the incident `$1`, and what is joined to it. */
const evidenceOfIncident = (join = ''): string =>
  `from evidences e join hypotheses h on h.id = e.hypothesis_id ${join} where h.incident_id = $1`
const COMPONENTS_OF_INCIDENT = `
  select * from components where id in (select e.component_id ${evidenceOfIncident()}) order by name limit ${MAX_ROWS}`
const CONFIGS_OF_INCIDENT = `
  select * from config_items where id in (
    select e.config_id ${evidenceOfIncident()}
    union select change.config_id ${evidenceOfIncident('join config_changes change on change.id = e.config_change_id')}
    union select finding.config_id ${evidenceOfIncident('join config_analysis finding on finding.id = e.config_analysis_id')}
  ) order by name limit ${MAX_ROWS}`

type Need = keyof Subjects
/** One file each; a query takes what it needs. */
const TABLES: Readonly<Record<string, { readonly query: string; readonly needs: readonly Need[] }>> = {
  config_changes: {
    query: `select * from config_changes where config_id = any($1) and created_at between $2 and $3 order by created_at desc limit ${MAX_ROWS}`,
    needs: ['configs', 'since', 'until'],
  },
  config_analysis: {
    query: `select * from config_analysis where config_id = any($1) and coalesce(last_observed, first_observed) >= $2
      and first_observed <= $3
      order by first_observed desc limit ${MAX_ROWS}`,
    needs: ['configs', 'since', 'until'],
  },
}

/** Of an archive about something that incidents have evidence of: that part of each. */
const EVIDENCE_TABLES: typeof TABLES = {
  hypotheses: {
    query: `select * from hypotheses where id in (
        select hypothesis_id from evidences where component_id = any($1) or config_id = any($2))
      order by created_at desc limit ${MAX_ROWS}`,
    needs: ['components', 'configs'],
  },
  evidences: {
    query: `select * from evidences where component_id = any($1) or config_id = any($2) order by created_at desc limit ${MAX_ROWS}`,
    needs: ['components', 'configs'],
  },
}

/** Of an archive about an incident: all of it. */
const INCIDENT_TABLES: typeof TABLES = {
  hypotheses: {
    query: `select * from hypotheses where incident_id = any($1) order by created_at desc limit ${MAX_ROWS}`,
    needs: ['incidents'],
  },
  evidences: {
    query: `select e.* from evidences e join hypotheses h on h.id = e.hypothesis_id where h.incident_id = any($1)
      order by e.created_at desc limit ${MAX_ROWS}`,
    needs: ['incidents'],
  },
  comments: {
    query: `select * from comments where incident_id = any($1) order by created_at desc limit ${MAX_ROWS}`,
    needs: ['incidents'],
  },
  incident_histories: {
    query: `select * from incident_histories where incident_id = any($1) order by created_at desc limit ${MAX_ROWS}`,
    needs: ['incidents'],
  },
}

type Row = Record<string, unknown> & { readonly id: string }
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id)
const csv = (name: string, rows: readonly Row[]): ArchiveFile => ({ name: `${name}.csv`, content: toCsv(rows) })

/** `GET /snapshot/{kind}/{id}`: what is known of a component, a config item or an incident, as an archive to keep or to pass on. */
export async function snapshotRoutes(
  app: FastifyInstance,
  { context, logs }: { readonly context: BackendContext; readonly logs: Logs },
): Promise<void> {
  const read = async (text: string, values: unknown[]): Promise<Row[]> =>
    (await context.pool.query<Row>(text, values)).rows

  const readTables = async (tables: typeof TABLES, subjects: Subjects): Promise<ArchiveFile[]> => {
    const files: ArchiveFile[] = []
    for (const [name, { query, needs }] of Object.entries(tables)) {
      const values = needs.map((need) => subjects[need])
      files.push(csv(name, await read(query, values)))
    }
    return files
  }

  const queue = createBoundedQueue(QUEUE)

  /** One archive is in memory at a time. */
  const sendArchive = async (
    reply: FastifyReply,
    collect: (gone: AbortSignal) => Promise<readonly ArchiveFile[]>,
  ): Promise<FastifyReply> => {
    const gone = callerSignal(reply)
    const work = queue.run(async () => {
      gone.throwIfAborted()
      return createZip(await collect(gone), new Date(context.clock.now()))
    }, false)
    if (work === null) {
      throw new Refusal(503, { error: 'Too many snapshots at once', message: 'Try again in a moment.' })
    }
    // Before the headers: what fails is answered as JSON.
    const archive = await work
    return reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="snapshot.zip"')
      .send(archive)
  }

  const ago = (durationMs: number): Date => new Date(context.clock.now() - durationMs)

  /** Without an end everything since then: the clock of the database may be ahead of ours. */
  const toRange = (since: Date, end: number | undefined): Pick<Subjects, 'since' | 'until'> => {
    if (end === undefined) return { since, until: 'infinity' }
    const until = ago(end)
    if (since <= until) return { since, until }
    throw new Refusal(400, { error: 'end: must not be before start', message: 'Error taking the snapshot' })
  }

  const routes = {
    topology: defineBackendRoute({
      rule: SNAPSHOT_ROUTES.topology,
      params: ParamsSchema,
      query: QuerySchema,
      response: 'own',
      handle: async ({ params: { id }, query: { start, end, related, logFormat: format }, caller, reply }) => {
        const range = toRange(ago(start ?? MINUTES_15_MS), end)
        return sendArchive(reply, async (gone) => {
          const components = await read(COMPONENTS, [id, related])
          if (components.every((component) => component.id !== id)) throw notFound('component', 'topology', id)
          const configs = await read(CONFIGS_OF_COMPONENTS, [idsOf(components)])
          const incidents = await read(INCIDENTS_OF_COMPONENTS, [idsOf(components)])
          const ofComponents = { components: idsOf(components), incidents: [], ...range }
          return [
            { name: 'components.json', content: JSON.stringify(components, null, 2) },
            csv('components', components),
            csv('config_items', configs),
            ...(await readTables(TABLES, { ...ofComponents, configs: idsOf(configs) })),
            csv('incidents', incidents),
            ...(await readTables(EVIDENCE_TABLES, { ...ofComponents, configs: [] })),
            ...(mayUseRoute(LOG_ROUTES.search.access, caller.roles)
              ? await readLogFiles({ logs, clock: context.clock, gone }, components, {
                  since: range.since,
                  until: range.until === 'infinity' ? ago(0) : range.until,
                  format,
                })
              : []),
          ]
        })
      },
    }),
    config: defineBackendRoute({
      rule: SNAPSHOT_ROUTES.config,
      params: ParamsSchema,
      query: QuerySchema,
      response: 'own',
      handle: async ({ params: { id }, query: { start, end, related }, reply }) => {
        const range = toRange(ago(start ?? MINUTES_15_MS), end)
        return sendArchive(reply, async () => {
          const configs = await read(CONFIGS, [id, related])
          if (configs.every((config) => config.id !== id)) throw notFound('config', 'config', id)
          const incidents = await read(INCIDENTS_OF_CONFIGS, [idsOf(configs)])
          const subjects = { components: [], configs: idsOf(configs), incidents: [], ...range }
          return [
            { name: 'config_items.json', content: JSON.stringify(configs, null, 2) },
            csv('config_items', configs),
            ...(await readTables(TABLES, subjects)),
            csv('incidents', incidents),
            ...(await readTables(EVIDENCE_TABLES, subjects)),
          ]
        })
      },
    }),
    incident: defineBackendRoute({
      rule: SNAPSHOT_ROUTES.incident,
      params: ParamsSchema,
      query: QuerySchema,
      response: 'own',
      handle: async ({ params: { id }, query: { start, end }, reply }) => {
        return sendArchive(reply, async () => {
          const incidents = await read('select * from incidents where id = $1', [id])
          const [incident] = incidents
          if (incident === undefined) throw notFound('incident', 'incident', id)
          const components = await read(COMPONENTS_OF_INCIDENT, [id])
          const configs = await read(CONFIGS_OF_INCIDENT, [id])
          // Everything that changed since someone saw that something was wrong.
          const openedAt = incident['created_at'] instanceof Date ? incident['created_at'] : ago(MINUTES_15_MS)
          const subjects = {
            components: idsOf(components),
            configs: idsOf(configs),
            incidents: [id],
            ...toRange(start === undefined ? openedAt : ago(start), end),
          }
          return [
            { name: 'incident.json', content: JSON.stringify(incident, null, 2) },
            csv('incidents', incidents),
            ...(await readTables(INCIDENT_TABLES, subjects)),
            csv('components', components),
            csv('config_items', configs),
            ...(await readTables(TABLES, subjects)),
          ]
        })
      },
    }),
  } satisfies RouteTable<typeof SNAPSHOT_ROUTES, Principal>
  registerRoutes(app, routes, {
    ...BACKEND_POLICY,
    toError: ({ message: error }) => new Refusal(400, { error, message: 'Error taking the snapshot' }),
  })
}

const notFound = (noun: string, kind: keyof typeof SNAPSHOT_ROUTES, id: string): Refusal =>
  new Refusal(404, { error: `${noun} ${id} not found`, message: `Error snapshotting ${kind}` })
