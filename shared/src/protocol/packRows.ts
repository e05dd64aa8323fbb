import { z } from 'zod'

import { ColumnSchema, definedKeys, type Fields, fromColumn, isFields, toColumn } from './packColumns.ts'

// Rows by column: a key is written once instead of once per row, and like values stand together, which deflate rewards.
// Knows nothing of topics.

/** Rows of one shape stand in one block; `at` says which rows of the page they are. */
const BlockSchema = z.object({ at: z.array(z.number().int().nonnegative()).optional(), rows: ColumnSchema })
export const PackedRowsSchema = z.array(BlockSchema)
export type PackedRows = z.infer<typeof PackedRowsSchema>

/** Rows grouped by shape, each group by column. */
export function packRows(rows: readonly Fields[]): PackedRows {
  const blocks = new Map<string, number[]>()
  rows.forEach((row, index) => {
    const shape = definedKeys(row).join('\0')
    const block = blocks.get(shape)
    if (block) block.push(index)
    else blocks.set(shape, [index])
  })
  const isSingle = blocks.size === 1
  return [...blocks.values()].map((at) => ({
    ...(isSingle ? {} : { at }),
    rows: toColumn(
      at.map((index) => rows[index]),
      [],
    ),
  }))
}

/** The rows in their order. @throws RangeError when a packed time is none */
export function unpackRows(packed: PackedRows): Fields[] {
  const rows: Fields[] = []
  for (const block of packed) {
    fromColumn(block.rows, []).forEach((row, index) => {
      rows[block.at?.[index] ?? index] = isFields(row) ? row : {}
    })
  }
  return rows
}
