// Soft relationships of a scraper's items: those that are said now, and no others of its own. Hard ones follow the parents.
import type { SourceWarning } from '../item.ts'
import type { PlannedItem } from './plan.ts'
import type { Resolve } from './resolve.ts'
import type { Database } from './stored.ts'
import type { WriteDeps } from './writeItems.ts'

interface Edge {
  readonly config_id: string
  readonly related_id: string
  readonly relation: string
}

const EDGES_PER_BATCH = 2_000
/** Of a run: they are held in memory to be compared. */
const MAX_EDGES = 500_000

const toKey = ({ config_id: from, related_id: to, relation }: Edge): string => `${from} ${to} ${relation}`

/** @param isComplete whether relationships that are no longer reported end even where an item was not seen */
export async function relateItems(
  items: Iterable<PlannedItem>,
  resolve: Resolve,
  isComplete: boolean,
  deps: Pick<WriteDeps, 'pool' | 'scraper' | 'signal'>,
): Promise<readonly SourceWarning[]> {
  const { pool, scraper, signal } = deps
  const planned = [...items]
  const { edges: wanted, isCut } = toEdges(planned, resolve)
  const { rows: stored } = await pool.query<Edge>(
    `select config_id, related_id, relation from config_relationships
     where selector_id = $1 and deleted_at is null and relation is distinct from 'hard'`,
    [scraper.id],
  )
  const known = new Set(stored.map(toKey))
  const seen = new Set(planned.map(({ id }) => id))
  const isOver = (edge: Edge): boolean =>
    !wanted.has(toKey(edge)) && (isComplete || (seen.has(edge.config_id) && seen.has(edge.related_id)))
  const inBatches = async (edges: readonly Edge[], write: (rows: string) => Promise<unknown>): Promise<void> => {
    for (let at = 0; at < edges.length; at += EDGES_PER_BATCH) {
      signal.throwIfAborted()
      await write(JSON.stringify(edges.slice(at, at + EDGES_PER_BATCH)))
    }
  }
  const fresh = [...wanted].flatMap(([key, edge]) => (known.has(key) ? [] : [edge]))
  await inBatches(fresh, (rows) => relate(pool, rows, scraper.id))
  if (!isCut) await inBatches(stored.filter(isOver), (rows) => part(pool, rows, scraper.id))
  if (!isCut) return []
  return [
    { source: scraper.name, message: `more than ${MAX_EDGES} relationships: the rest is left out`, hidesItems: false },
  ]
}

function toEdges(planned: readonly PlannedItem[], resolve: Resolve) {
  const edges = new Map<string, Edge>()
  for (const item of planned) {
    for (const { to, relation, direction } of item.relationships) {
      const target = resolve(to)
      if (!target || target.id === item.id || relation === 'hard') continue
      const [from, related] = direction === 'incoming' ? [target.id, item.id] : [item.id, target.id]
      const edge = { config_id: from, related_id: related, relation }
      if (edges.size >= MAX_EDGES) return { edges, isCut: true }
      edges.set(toKey(edge), edge)
    }
  }
  return { edges, isCut: false }
}

const relate = (database: Database, rows: string, scraperId: string) =>
  database.query(
    `insert into config_relationships (config_id, related_id, relation, selector_id)
     select config_id, related_id, relation, $2
     from jsonb_to_recordset($1::jsonb) as edge(config_id uuid, related_id uuid, relation text)
     where exists (select from config_items where id = config_id) and exists (select from config_items where id = related_id)
     on conflict (related_id, config_id, relation) do update set deleted_at = null, selector_id = excluded.selector_id,
       updated_at = now()
     where config_relationships.deleted_at is not null`,
    [rows, scraperId],
  )

const part = (database: Database, rows: string, scraperId: string) =>
  database.query(
    `update config_relationships as known set deleted_at = now()
     from jsonb_to_recordset($1::jsonb) as edge(config_id uuid, related_id uuid, relation text)
     where known.config_id = edge.config_id and known.related_id = edge.related_id and known.relation = edge.relation
       and known.selector_id = $2 and known.deleted_at is null`,
    [rows, scraperId],
  )
