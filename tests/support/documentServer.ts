// Shared documents over real sockets, with their log in a real PostgreSQL; rows and sessions are in memory.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import type { IncidentRows } from '@watchroom/shared/collab'
import { fastify } from 'fastify'
import { pino } from 'pino'

import type { Access, Identity } from '../../gateway/src/access/contract.ts'
import { createUpgradeRouter } from '../../gateway/src/app/upgradeRouter.ts'
import type { Collab, CollabDeps } from '../../gateway/src/collab/contract.ts'
import { createCollab } from '../../gateway/src/collab/createCollab.ts'
import type { DocumentKind, RowWrite } from '../../gateway/src/collab/documentKind.ts'
import { incidentKind } from '../../gateway/src/collab/documents/incident/incidentKind.ts'
import { COLLAB_MIGRATIONS } from '../../gateway/src/collab/migrations.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createDatabase } from '../../gateway/src/platform/database/createDatabase.ts'
import type { BackendClient } from '../../gateway/src/platform/httpClient.ts'
import { createMetrics } from '../../gateway/src/platform/metrics.ts'
import type { TestDatabase } from './database.ts'
import { ANA, buildIncidentRows, INCIDENT } from './incidentDocument.ts'
import { until } from './processes.ts'
import { createScriptedTables, type ScriptedTables } from './scriptedTables.ts'
import { TEST_HOSTS } from './testHosts.ts'

export interface DocumentServer {
  /** Address of the one document. */
  readonly url: string
  readonly tables: ScriptedTables
  readonly collab: Collab
  /** Value of one line of the metrics, or 0. */
  metric(line: string): Promise<number>
  stop(): Promise<void>
}

export async function startDocumentServer(
  database: Pick<TestDatabase, 'databaseUrl'>,
  options: Pick<
    Partial<CollabDeps>,
    'access' | 'sights' | 'socketLimits' | 'readerSettings' | 'compaction' | 'maxDocuments' | 'clock'
  > & {
    rows?: IncidentRows
    kind?: DocumentKind
  } = {},
): Promise<DocumentServer> {
  const logger = pino({ level: 'silent' })
  const { rows = buildIncidentRows(), kind = incidentKind, ...deps } = options
  const own = createDatabase({
    databaseUrl: () => database.databaseUrl,
    migrations: COLLAB_MIGRATIONS,
    clock: systemClock,
    logger,
  })
  await until(own.isReady, { what: 'database' })
  const tables = createScriptedTables(rows)
  const metrics = createMetrics({ process: false })
  const app = fastify()
  const upgrades = createUpgradeRouter({ server: app.server, hosts: TEST_HOSTS, createId: randomUUID, logger })
  const collab = await createCollab(app, {
    upgrades,
    kinds: [kind],
    hosts: TEST_HOSTS,
    socketLimits: { perPerson: 100, perAddress: 2_000 },
    access: everyoneIsWhoTheySay,
    sights: { look: () => ({ kind: 'all' }), mayEdit: () => true },
    backend: toBackend(tables),
    pool: () => own.pool(),
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    ...deps,
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: `${address.replace('http', 'ws')}/collab/${kind.name}/${INCIDENT}`,
    tables,
    collab,
    metric: async (line) => {
      const found = (await metrics.render()).split('\n').find((each) => each.startsWith(`${line} `))
      return Number(found?.slice(line.length) ?? 0)
    },
    stop: async () => {
      await collab.close()
      app.server.closeAllConnections()
      await app.close()
      upgrades.close()
      await own.close()
    },
  }
}

/** Headers of a client that is let in as this person. */
export function signedInAs(userId: string = ANA): Record<string, string> {
  return { 'x-session-token': userId }
}

export const everyoneIsWhoTheySay: Access = {
  identify: async (headers): Promise<Identity | null> => {
    const userId = headers['x-session-token']
    return typeof userId === 'string' ? { userId, name: userId.slice(-2), email: '', roles: ['responder'] } : null
  },
  isAnnounced: () => false,
  can: () => true,
  callerOf: () => null,
  onChange: () => () => {},
  invalidate: () => {},
  forget: () => {},
}

const STATUS_OF = { written: 200, missing: 200, later: 503, refused: 400 } as const

/** The part of PostgREST that shared documents use. */
function toBackend(tables: ScriptedTables): BackendClient {
  return {
    hasServiceCredential: true,
    close: async () => {},
    request: async ({ path, method = 'GET', body }) => {
      // What documents name elsewhere is there, but for what a test takes away.
      const asked = /^\/db\/(\w+)\?select=id&id=in\.\((.*)\)$/.exec(path)
      if (asked) {
        if (tables.readFailure) throw tables.readFailure
        const ids = (asked[2] ?? '').split(',').filter((each) => !tables.missing.has(each))
        return respond(ids.map((each) => ({ id: each })))
      }
      const [, entity = '', id = ''] = /^\/db\/(\w+)(?:\?id=eq\.([\w-]+))?/.exec(path) ?? []
      if (method === 'GET') return respond(id === INCIDENT ? [toNested(await tables.read(id))] : [])
      const row = typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {}
      const kind = method === 'POST' ? 'insert' : method === 'PATCH' ? 'update' : 'delete'
      const write = { kind, entity, id: id || String(row['id']), row, key: '' } as RowWrite
      const outcome = await tables.write(INCIDENT, write, null)
      return respond(outcome.kind === 'missing' ? [] : [row], STATUS_OF[outcome.kind])
    },
  }
}

function toNested(rows: IncidentRows | null): unknown {
  return {
    ...rows?.incident,
    comments: rows?.comments,
    hypotheses: rows?.hypotheses.map((hypothesis) => ({
      ...hypothesis,
      evidences: rows.evidences.filter((evidence) => evidence.hypothesis_id === hypothesis.id),
    })),
  }
}

function respond(value: unknown, status = 200): Awaited<ReturnType<BackendClient['request']>> {
  const text = JSON.stringify(value)
  return {
    status,
    headers: {},
    body: Readable.from([text]),
    json: async () => JSON.parse(text) as unknown,
    text: async () => text,
    discard: () => {},
  }
}
