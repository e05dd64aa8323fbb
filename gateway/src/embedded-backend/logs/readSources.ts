// The rows of `logging_backends`: which of their places are asked for a selector.
import { createHash } from 'node:crypto'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { LogBackendSchema, LogPlaceSchema, type LogRoute } from '@watchroom/shared/logs'
import { z } from 'zod'

import { collectSecrets } from '../../check-runner/maskOutcome.ts'
import type { BackendContext } from '../server/context.ts'
import type { LogTarget } from './findSelector.ts'
import type { SourceSpec } from './logSource.ts'
import { matchRoute, restOfLabels } from './matchRoute.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly spec: unknown
}

export interface NamedSource extends SourceSpec {
  /** Of the row. */
  readonly name: string
}

export interface FoundSources {
  readonly sources: readonly NamedSource[]
  /** Names of rows with a place that would be asked if it could be. */
  readonly notAsked: readonly string[]
}

const SpecSchema = z.object({ backends: z.array(z.unknown()).catch([]) }).catch({ backends: [] })

/** Those of other agents are theirs to ask. */
const ROWS = `select id, name, spec from logging_backends
  where deleted_at is null and coalesce(agent_id, '${NIL_UUID}') = '${NIL_UUID}' order by created_at, id`

/** @throws SecretUnreadable when one of them was stored with another key */
export async function readSources(
  { pool, vault, logger }: Pick<BackendContext, 'pool' | 'vault' | 'logger'>,
  target: LogTarget,
): Promise<FoundSources> {
  const { rows } = await pool.query<Row>(ROWS)
  const found: (NamedSource & { route: LogRoute })[] = []
  const notAsked = new Set<string>()
  for (const row of rows) {
    for (const [index, raw] of SpecSchema.parse(row.spec).backends.entries()) {
      const place = LogBackendSchema.safeParse(raw)
      const route = matchRoute(routesOf(raw), target)
      if (!route) continue
      if (!place.success) {
        logger.debug({ loggingBackendId: row.id }, 'a log backend is not asked')
        notAsked.add(row.name)
        continue
      }
      found.push({
        ...(await fillIn(vault, pool, row, index)),
        name: row.name,
        route,
        filter: restOfLabels(route, target),
      })
    }
  }
  // An additive one stands alone.
  const alone = found.find(({ route }) => route.is_additive === true)
  return alone ? { sources: [alone], notAsked: [] } : { sources: found, notAsked: [...notAsked] }
}

const routesOf = (raw: unknown): readonly LogRoute[] =>
  Object.values(LogPlaceSchema.catch({}).parse(raw)).flatMap(({ routes }) => routes)

async function fillIn(
  vault: BackendContext['vault'],
  pool: BackendContext['pool'],
  row: Row,
  index: number,
): Promise<Pick<SourceSpec, 'key' | 'backend' | 'secrets'>> {
  const stored = (await vault.list(pool, 'logging_backends', [row.id])).get(row.id) ?? []
  const { document, secrets } = await vault.fillIn({ spec: row.spec }, stored)
  const { spec } = document as { spec: { backends: unknown[] } }
  const backend = LogBackendSchema.parse(spec.backends[index])
  // A program that is written anew is another one.
  const version = createHash('sha256').update(JSON.stringify(backend)).digest('hex').slice(0, 12)
  const masked = collectSecrets({}, secrets)
  return { key: `${row.id}-${index}-${backend.exec ? version : ''}`, backend, secrets: masked }
}
