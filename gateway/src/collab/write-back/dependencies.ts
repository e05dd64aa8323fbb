// Which rows must be there before others, and may only go after them.

import type { EntityRow, EntityRules, RowWrite } from '../documentKind.ts'
import type { Base } from './planWrites.ts'

type Entities = readonly EntityRules[]

/** Whether `write` can only be carried out once `other` is: a child needs its parent, and what others hang on goes last. */
export function needs(entities: Entities, base: Base, write: RowWrite, other: RowWrite): boolean {
  if (write.kind === 'delete') {
    const row = base.get(other.entity)?.get(other.id)
    return row !== undefined && hangsOn(entities, other.entity, row, write)
  }
  return other.kind === 'insert' && hangsOn(entities, write.entity, write.row, other)
}

/** Rows of this entity hang on one another: they come and go one by one. */
export function isTree(entities: Entities, entity: string): boolean {
  return Object.values(needsOf(entities, entity)).includes(entity)
}

export function childrenFirst(entities: Entities, base: Base, entity: string, ids: readonly string[]): string[] {
  const toParent = Object.entries(needsOf(entities, entity)).find(([, table]) => table === entity)?.[0]
  if (toParent === undefined) return [...ids]
  const depthOf = (id: string): number => {
    const seen = new Set<string>()
    for (let parent: unknown = id; typeof parent === 'string' && !seen.has(parent);) {
      seen.add(parent)
      parent = columnsOf(base.get(entity)?.get(parent))[toParent]
    }
    return seen.size
  }
  return ids.toSorted((a, b) => depthOf(b) - depthOf(a))
}

function hangsOn(
  entities: Entities,
  entity: string,
  row: EntityRow | Readonly<Record<string, unknown>>,
  on: { readonly entity: string; readonly id: string },
): boolean {
  const columns = columnsOf(row)
  return Object.entries(needsOf(entities, entity)).some(
    ([column, table]) => table === on.entity && columns[column] === on.id,
  )
}

const needsOf = (entities: Entities, entity: string): EntityRules['needs'] =>
  entities.find(({ name }) => name === entity)?.needs ?? {}

const columnsOf = (row: object | undefined): Readonly<Record<string, unknown>> => (row ?? {}) as Record<string, unknown>
