import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type Config, ConfigSchema } from '@watchroom/shared/catalog'

import { catalogListKeys } from '../../api/queryKeys.ts'
import { type Page, request, requestPage } from '../../api/request.ts'
import { listAddress, type ListPage, toPageAddress, toRowAddresses } from './listRequest.ts'
import type { CatalogSearch } from './search.ts'

const FIRST_PAGE = 100
/** As many rows as can be parsed and rendered without a noticeable delay. */
const LARGEST_PAGE = 500

/** Single items. Each page is as large as all before it (first specification, section 2), up to a limit. */
export function listQuery(search: CatalogSearch, hidesDeleted: boolean, loadedBefore = 0) {
  const first: ListPage = { offset: 0, limit: Math.min(Math.max(loadedBefore, FIRST_PAGE), LARGEST_PAGE) }
  const address = listAddress(search, hidesDeleted)
  return infiniteQueryOptions({
    queryKey: catalogListKeys.list(address),
    queryFn: async ({ pageParam, signal }) => {
      const page = toPageAddress(search, hidesDeleted, pageParam)
      const { rows, total } = page.isOfIds
        ? await readFarPage(page.address, signal)
        : await requestPage(page.address, { schema: ConfigSchema, signal })
      return { rows: page.isReversed ? rows.toReversed() : rows, total }
    },
    initialPageParam: first,
    getNextPageParam: ({ total }, pages) => {
      const offset = pages.reduce((sum, { rows }) => sum + rows.length, 0)
      return offset < total ? { offset, limit: Math.min(Math.max(offset, FIRST_PAGE), LARGEST_PAGE), total } : undefined
    },
    placeholderData: keepPreviousData,
  })
}

const IdSchema = ConfigSchema.pick({ id: true })

/** Reads first the ids, then the rows. Rows deleted in between are left out. */
async function readFarPage(address: string, signal: AbortSignal): Promise<Page<Config>> {
  const { rows: named, total } = await requestPage(address, { schema: IdSchema, signal })
  const ids = named.map(({ id }) => id)
  const schema = ConfigSchema.array()
  const parts = await Promise.all(toRowAddresses(ids).map((part) => request(part, { schema, signal })))
  const byId = new Map(parts.flat().map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total }
}

/** The rows of all pages, each once: a row that moved between two answers is in both. */
export const rowsOf = (pages: readonly { readonly rows: readonly Config[] }[]): readonly Config[] => [
  ...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.id, row])).values(),
]
