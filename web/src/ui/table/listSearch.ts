import { z } from 'zod'

import type { TablePaging } from './ResourceTable.tsx'
import type { TableSort } from './useTableModel.ts'

// What the address of a list says of its page and order. Nonsense falls back key by key.

/** Counted from 0. */
export const pageIndexField: z.ZodType<number> = z.coerce.number().int().min(0).catch(0)

export const pageSizeField = (sizes: readonly number[], defaultSize: number): z.ZodType<number> =>
  z.coerce
    .number()
    .refine((size) => sizes.includes(size))
    .catch(defaultSize)

export const pageFields = (sizes: readonly number[], defaultSize: number) => ({
  pageIndex: pageIndexField,
  pageSize: pageSizeField(sizes, defaultSize),
})

/** @param keys of the columns that can order the list */
export const sortFields = <const Key extends string>(
  keys: readonly Key[],
  sortBy: NoInfer<Key>,
  sortOrder: 'asc' | 'desc' = 'desc',
) => ({
  sortBy: z.enum(keys).catch(() => sortBy),
  sortOrder: z.enum(['asc', 'desc']).catch(sortOrder),
})

type PageSearch = { pageIndex: number; pageSize: number }

/** The pages of a list as its address has them. @param total where the server pages */
export function toPaging(
  { pageIndex, pageSize }: PageSearch,
  onChange: (patch: Partial<PageSearch>) => void,
  { sizes, defaultSize, total }: { sizes: readonly number[]; defaultSize: number; total?: number | undefined },
): TablePaging {
  return { pageIndex, pageSize, defaultSize, sizes, onChange, ...(total === undefined ? {} : { total }) }
}

type SortSearch<Key extends string> = { sortBy: Key; sortOrder: 'asc' | 'desc' }

/** The order of a list as its address has it. Another order starts at the first page. */
export function toSort<Key extends string>(
  { sortBy, sortOrder }: SortSearch<Key>,
  onChange: (patch: Partial<SortSearch<Key> & PageSearch>) => void,
): TableSort {
  return {
    order: { by: sortBy, direction: sortOrder },
    // Headings know no other keys than those of the columns, and the schema reads the address anyway.
    onSort: ({ by, direction }) => onChange({ sortBy: by as Key, sortOrder: direction, pageIndex: 0 }),
  }
}
