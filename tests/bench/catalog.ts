// The catalog at the backend: 50,000 items and 500,000 changes, asked as screens ask.
import { Pool } from 'pg'

import { toPageAddress, toRowAddresses } from '../../web/src/features/catalog-list/listRequest.ts'
import { CatalogSearchSchema } from '../../web/src/features/catalog-list/search.ts'
import { type BackendCall, startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { LARGE_CATALOG_RELATIVES, largeCatalogItem, seedLargeCatalog } from '../support/largeCatalog.ts'
import { type BenchTable, percentile } from './table.ts'

const SIZE = { items: 50_000, changes: 500_000 }
const REPEATS = 20
const WINDOW = { since: '30d' }
/** Of one type. */
const PODS = SIZE.items / 5
/** Rows of a page that screens ask for at first, and far down. */
const FIRST_PAGE = 100
const FAR_PAGE = 500
const RELATED = '/db/rpc/related_configs_recursive?max_depth=10'

interface Question extends BackendCall {
  readonly path: string
  /** Asked with the answer, all at once. */
  readonly next?: (text: string) => readonly string[]
  /** In milliseconds, of issue 15; null where it names none. */
  readonly limitMs: number | null
}

const changes = (body: object): Question => ({
  path: '/catalog/changes',
  method: 'POST',
  body: { page_size: 200, sort_by: '-created_at', from: 'now-30d', ...body },
  limitMs: 150,
})

/** With the total, and what is far from both ends by its ids first: as the list asks. */
function listPage(search: object, offset: number, limit: number, limitMs: number): Question {
  const total = 'configType' in search ? PODS : SIZE.items
  const { address, isOfIds } = toPageAddress(CatalogSearchSchema.parse(search), true, { offset, limit, total })
  const toRows = (text: string): string[] =>
    toRowAddresses((JSON.parse(text) as { id: string }[]).map(({ id }) => id)).map(toBackendPath)
  return {
    path: toBackendPath(address),
    headers: { prefer: 'count=exact' },
    ...(isOfIds && { next: toRows }),
    limitMs,
  }
}

const toBackendPath = (address: string): string => address.replace('/api', '')

const QUESTIONS: Readonly<Record<string, Question>> = {
  'summary of all types': {
    path: '/catalog/summary',
    method: 'POST',
    body: { groupBy: ['type'], changes: WINDOW, analysis: WINDOW, cost: '30d' },
    limitMs: 250,
  },
  'list of a type, first page': listPage({ configType: 'Kubernetes::Pod' }, 0, FIRST_PAGE, 100),
  'list of a type, last page': listPage({ configType: 'Kubernetes::Pod' }, PODS - FAR_PAGE, FAR_PAGE, 100),
  'list of a type, page in the middle': listPage({ configType: 'Kubernetes::Pod' }, PODS / 2, FAR_PAGE, 100),
  'list by last update': listPage({ sortBy: 'updated_at', sortOrder: 'desc' }, 0, FIRST_PAGE, 100),
  'list by words': listPage({ search: 'tem-4999' }, 0, FIRST_PAGE, 300),
  'types to choose from': { path: '/db/config_types', limitMs: null },
  'statuses to choose from': { path: '/db/config_statuses', limitMs: null },
  'labels to choose from': { path: '/db/config_labels', limitMs: null },
  'tags to choose from': { path: '/db/config_tags', limitMs: null },
  '200 changes, unfiltered': changes({ recursive: 'none' }),
  '200 changes by severity and type of item': changes({ severity: 'high', config_type: 'Kubernetes::Pod' }),
  '200 changes by type of change and source': changes({ type: 'diff,Pulled', source: 'git' }),
  '200 changes by words': changes({ summary: '*container 42*' }),
  [`200 changes downstream of ${LARGE_CATALOG_RELATIVES} relatives`]: {
    ...changes({ id: largeCatalogItem(1), recursive: 'downstream', include_deleted_configs: false }),
    limitMs: 400,
  },
  '200 changes downstream of the root of all': { ...changes({ id: largeCatalogItem(0) }), limitMs: null },
  [`${LARGE_CATALOG_RELATIVES} relatives`]: {
    path: `${RELATED}&config_id=${largeCatalogItem(1)}`,
    limitMs: null,
  },
  'an item with its counts': { path: `/db/config_detail?id=eq.${largeCatalogItem(12)}`, limitMs: null },
  'the root of all with its counts': { path: `/db/config_detail?id=eq.${largeCatalogItem(0)}`, limitMs: null },
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const pool = new Pool({ connectionString: backend.databaseUrl, max: 1 })
  await seedLargeCatalog(pool, SIZE)
  await pool.end()
  const rows: (string | number)[][] = []
  for (const [name, { path, next, limitMs, ...call }] of Object.entries(QUESTIONS)) {
    const times: number[] = []
    let bytes = 0
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const askedAt = performance.now()
      const answers = [await backend.callAsService(path, call)]
      const others = next?.(answers[0]?.text ?? '') ?? []
      answers.push(...(await Promise.all(others.map((other) => backend.callAsService(other)))))
      times.push(performance.now() - askedAt)
      // A page of several is 206.
      const refused = answers.find(({ status }) => status !== 200 && status !== 206)
      if (refused !== undefined) throw new Error(`${name}: ${refused.status} ${refused.text}`)
      bytes = answers.reduce((sum, { text }) => sum + text.length, 0)
    }
    const limit = limitMs === null ? '–' : String(limitMs)
    rows.push([name, ms(percentile(times, 0.5)), ms(percentile(times, 0.95)), limit, `${Math.round(bytes / 1_000)} kB`])
  }
  await backend.stop()
  return {
    title: `Catalog: ${SIZE.items} items, ${SIZE.changes} changes of 30 days`,
    columns: ['question', 'p50 ms', 'p95 ms', 'limit', 'answer'],
    rows,
    notes: [`${REPEATS} times each, one after the other, at the backend's socket.`],
  }
}

const ms = (value: number): string => value.toFixed(0)
