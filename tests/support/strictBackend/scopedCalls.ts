// What row scopes leave of answers that are no tables: rows that someone is not shown are taken out of lists and counts, and what is
// about such a row is not there.

/** The tables behind, as the caller of one call. */
export interface ScopedReader {
  isScoped(table: string): boolean
  /** Whatever the scope hides. */
  read(table: string, query: string): Promise<Record<string, unknown>[]>
  /** What the scope shows. */
  readIds(table: string, filter?: string): Promise<ReadonlySet<string>>
}

export interface CalledRow {
  readonly table: string
  readonly id: string
  /** PostgREST filter that finds it. */
  readonly filter: string
}

/** Paths about one row. */
const ABOUT: readonly (readonly [path: RegExp, table: string])[] = [
  [/^\/canary\/run\/check\/([^/]+)$/, 'checks'],
  [/^\/playbook\/run\/([^/]+)$/, 'playbook_runs'],
  [/^\/playbook\/([^/]+)\/params$/, 'playbooks'],
  [/^\/snapshot\/topology\/([^/]+)$/, 'components'],
  [/^\/snapshot\/incident\/([^/]+)$/, 'incidents'],
  [/^\/snapshot\/config\/([^/]+)$/, 'config_items'],
]

/** What a call is about, where that is one row. */
export function rowOf(path: string, query: string, body: Buffer): CalledRow | null {
  if (path === '/canary/api/graph') return toRow('checks', new URLSearchParams(query).get('check'))
  if (path === '/logs') return toRow('components', (tryParse(body) as { id?: unknown } | null)?.id)
  for (const [pattern, table] of ABOUT) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined) return toRow(table, id)
  }
  return null
}

const toRow = (table: string, id: unknown): CalledRow | null =>
  typeof id === 'string' ? { table, id, filter: `id=eq.${encodeURIComponent(id)}` } : null

/** Kinds of `/resources/search` whose tables have another name. */
const TABLE_OF: Readonly<Record<string, string>> = { configs: 'config_items' }

interface Row {
  readonly id: string
}
interface Changes {
  readonly summary?: Record<string, number>
  readonly total?: number
  readonly changes?: readonly (Row & { readonly change_type?: string | null })[]
}
interface Summary {
  readonly type: string
  readonly count: number
  readonly health: Record<string, number> | null
  readonly changes?: number | null
  readonly analysis?: Record<string, number> | null
}

/** Null: nothing of it is scoped. */
export async function narrowAnswer(
  path: string,
  answer: Buffer,
  asked: Buffer,
  reader: ScopedReader,
): Promise<{ readonly body: unknown } | null> {
  const keep = async <Kept extends Row>(table: string, rows: readonly Kept[]): Promise<Kept[]> => {
    if (!reader.isScoped(table)) return [...rows]
    const ids = await reader.readIds(table)
    return rows.filter(({ id }) => ids.has(id))
  }
  switch (path) {
    case '/catalog/changes':
      return { body: await narrowChanges(JSON.parse(answer.toString()) as Changes, keep) }
    case '/catalog/summary': {
      const rows = JSON.parse(answer.toString()) as Summary[] | null
      return { body: rows && (await narrowSummary(rows, asked, reader)) }
    }
    case '/playbook/list':
      return { body: await keep('playbooks', (JSON.parse(answer.toString()) as Row[] | null) ?? []) }
    case '/resources/search': {
      const found = Object.entries(JSON.parse(answer.toString()) as Record<string, Row[]>)
      const kept = await Promise.all(
        found.map(async ([kind, rows]) => [kind, await keep(TABLE_OF[kind] ?? kind, rows)] as const),
      )
      return { body: Object.fromEntries(kept.filter(([, rows]) => rows.length > 0)) }
    }
    default:
      return null
  }
}

async function narrowChanges(
  { changes = [], total = 0 }: Changes,
  keep: <Kept extends Row>(table: string, rows: readonly Kept[]) => Promise<Kept[]>,
): Promise<Changes> {
  const kept = await keep('catalog_changes', changes)
  if (kept.length === 0) return {}
  const summary: Record<string, number> = {}
  for (const { change_type: type } of kept) summary[type ?? ''] = (summary[type ?? ''] ?? 0) + 1
  return { summary, total: total - (changes.length - kept.length), changes: kept }
}

/** What is hidden is counted off: of items that are not deleted, by type, as the console asks for them. */
async function narrowSummary(rows: readonly Summary[], asked: Buffer, reader: ScopedReader): Promise<Summary[] | null> {
  const hidden = async (table: string, query: string): Promise<Record<string, unknown>[]> => {
    if (!reader.isScoped(table)) return []
    const ids = await reader.readIds(table)
    return (await reader.read(table, query)).filter(({ id }) => !ids.has(String(id)))
  }
  const { groupBy } = JSON.parse(asked.toString() || '{}') as { groupBy?: string[] }
  if (groupBy !== undefined && groupBy.join() !== 'type') throw new Error('only types are counted with a scope')
  const [items, changes, insights] = await Promise.all([
    hidden('config_items', 'select=id,type,health&deleted_at=is.null'),
    hidden('config_changes', 'select=id,...config_items(type)'),
    hidden('config_analysis', 'select=id,analysis_type,...config_items(type)'),
  ])
  const narrowed = rows.flatMap((row) => {
    const of = (all: readonly Record<string, unknown>[]) => all.filter(({ type }) => type === row.type)
    const count = row.count - of(items).length
    if (count === 0) return []
    return [
      {
        ...row,
        count,
        health: less(row.health, of(items), 'health'),
        ...(row.changes === undefined ? {} : { changes: (row.changes ?? 0) - of(changes).length }),
        ...(row.analysis === undefined ? {} : { analysis: less(row.analysis, of(insights), 'analysis_type') }),
      },
    ]
  })
  return narrowed.length === 0 ? null : narrowed
}

function less(
  counts: Readonly<Record<string, number>> | null,
  rows: readonly Record<string, unknown>[],
  column: string,
): Record<string, number> | null {
  if (counts === null) return null
  const left = Object.entries(counts).map(
    ([word, count]) => [word, count - rows.filter((row) => row[column] === word).length] as const,
  )
  return Object.fromEntries(left.filter(([, count]) => count > 0))
}

function tryParse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
