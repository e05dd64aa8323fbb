// What the catalog counts in a row of its summary is what its list shows behind it: the one is asked of the gateway, the other of
// PostgREST.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createCatalogRows } from '#support/catalogRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

import { summarize } from '../../gateway/src/embedded-backend/catalog/read/summarize.ts'
import {
  parseSummaryRequest,
  SummaryRequestSchema,
} from '../../gateway/src/embedded-backend/catalog/read/summaryRequest.ts'
import { listAddress } from '../../web/src/features/catalog-list/listRequest.ts'
import { summaryQuery } from '../../web/src/features/catalog-list/queries.ts'
import { CatalogSearchSchema } from '../../web/src/features/catalog-list/search.ts'

let database: TestDatabase
let postgrest: TestPostgrest

const LABELS = [{ team: 'payments' }, { team: 'search', env: 'prod' }, { team: '' }, { env: 'prod' }, {}, null]

beforeAll(async () => {
  database = await startTestDatabase()
  await createCatalogRows(database.pool).items(LABELS.length * 2, (index) => ({
    name: `item ${index}`,
    type: index % 2 === 0 ? 'Test::Even' : 'Test::Odd',
    labels: LABELS[index % LABELS.length] ?? null,
    tags: LABELS[(index + 3) % LABELS.length] ?? null,
  }))
  postgrest = await startTestPostgrest(database)
})
afterAll(async () => {
  await postgrest.stop()
  await database.stop()
})

it.each([
  {},
  { labels: 'team__:__payments' },
  { labels: 'team__:__payments,team__:__search' },
  { labels: '!team__:__payments' },
  { labels: '!team__:__payments,!team__:__search' },
  { labels: '!team__:__payments,env__:__prod' },
  { tags: '!team__:__payments' },
  { labels: '!team__:__search', tags: '!env__:__prod' },
])('counts in the summary what the list shows: %j', async (address) => {
  const search = CatalogSearchSchema.parse(address)
  const asked = summaryQuery(search, true).queryKey.at(-1)
  const summary = await summarize(database.pool, parseSummaryRequest(SummaryRequestSchema.parse(asked), Date.now()))
  const counted = Object.fromEntries(summary.map(({ type, count }) => [type, count]))

  const { body } = await postgrest.ask(
    { role: 'viewer' },
    { path: listAddress(search, true, { select: 'type' }).replace('/api/db/', '') },
  )
  const listed: Record<string, number> = {}
  for (const { type } of body as { type: string }[]) listed[type] = (listed[type] ?? 0) + 1
  expect(counted).toEqual(listed)
})
