import { z } from 'zod'

import { ColumnSchema, definedKeys, type Fields, fromColumn, isFields, toColumn } from './packColumns.ts'

// Rows by column: a key is written once instead of once per row, and like values stand together, which deflate rewards.
// Knows nothing of topics.

const counts = z.array(z.number().int().nonnegative()).optional()
/**
 * Rows of one shape stand in one block. `of` says which rows of the page they are: so many are another's, so many are of this
 * block, and so on; gateways before it wrote every row's number, `at`. Neither is there when all rows have one shape.
 */
const BlockSchema = z.object({ of: counts, at: counts, rows: ColumnSchema })
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
    ...(isSingle ? {} : { of: toTurns(at) }),
    rows: toColumn(
      at.map((index) => rows[index]),
      [],
    ),
  }))
}

/** The rows in their order. @throws RangeError when a packed time is none */
export function unpackRows(packed: PackedRows): Fields[] {
  const rows: Fields[] = []
  for (const { of, at = of && fromTurns(of), rows: column } of packed) {
    fromColumn(column, []).forEach((row, index) => {
      rows[at?.[index] ?? index] = isFields(row) ? row : {}
    })
  }
  return rows
}

/** Rising numbers as how many are left out, how many follow, how many are left out again. */
function toTurns(numbers: readonly number[]): number[] {
  const turns: number[] = []
  let next = 0
  for (const number of numbers) {
    if (number === next && turns.length > 0) turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
    else turns.push(number - next, 1)
    next = number + 1
  }
  return turns
}

function fromTurns(turns: readonly number[]): number[] {
  let next = 0
  return turns.flatMap((length, turn) => {
    const start = next
    next += length
    return turn % 2 === 0 ? [] : Array.from({ length }, (_, index) => start + index)
  })
}
