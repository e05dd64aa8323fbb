import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'

import { listQuery } from '../../../../web/src/features/catalog-list/listQuery.ts'
import { labelsQuery, tagsQuery } from '../../../../web/src/features/catalog-list/queries.ts'
import { CatalogSearchSchema } from '../../../../web/src/features/catalog-list/search.ts'

afterEach(() => vi.unstubAllGlobals())

it('a page far from both ends of a list has its rows in the order of its ids, without those that are gone', async () => {
  const server = createFakeServer()
  server.on(
    'GET /api/db/configs?select=id&',
    () =>
      new Response(JSON.stringify([{ id: 'c' }, { id: 'a' }, { id: 'gone' }, { id: 'b' }]), {
        headers: { 'content-range': '4500-4503/10000' },
      }),
  )
  server.on('GET /api/db/configs?', () => json(['a', 'b', 'c'].map((id) => ({ id, name: id, type: 'File' }))))
  const { pages } = await new QueryClient().fetchInfiniteQuery({
    ...listQuery(CatalogSearchSchema.parse({ configType: 'File' }), true),
    initialPageParam: { offset: 4_500, limit: 4, total: 10_000 },
  })
  expect(pages.map(({ rows, total }) => [rows.map(({ id }) => id), total])).toEqual([[['c', 'a', 'b'], 10_000]])
  expect(server.requests.at(-1)).toMatch(/&id=in\.\(c,a,gone,b\)$/)
})

it.each([
  [0, 100],
  [300, 300],
  [4_000, 500],
])('a list of which %i rows were loaded before begins with %i', (before, limit) => {
  expect(listQuery(CatalogSearchSchema.parse({}), true, before).initialPageParam).toEqual({ offset: 0, limit })
})

it('labels and tags to choose from stay fresh for a minute', () => {
  expect([labelsQuery.staleTime, tagsQuery.staleTime]).toEqual([60_000, 60_000])
})
