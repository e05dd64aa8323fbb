import { createHash } from 'node:crypto'

import { deepEqual } from '@watchroom/shared/protocol'

import type { DocumentRows, EntityRow, EntityRules, RowWrite } from '../documentKind.ts'
import { childrenFirst } from './dependencies.ts'

/** Rows both sides last agreed on, by entity and id. */
export type Base = Map<string, Map<string, EntityRow>>

export function toBase(rows: DocumentRows): Base {
  return new Map(Object.entries(rows).map(([entity, list]) => [entity, new Map(list.map((row) => [row.id, row]))]))
}

/**
 * Writes that make the backend's rows equal to `wanted`, in an order it accepts: parents before children, and what hangs on
 * a row is removed before it. Only fields that differ from what both sides agreed on are sent, so that fields which others
 * change meanwhile are left alone.
 *
 * @param isKept rows that are not wanted because the document cannot tell of them: they are left alone
 */
export function planWrites(
  document: string,
  entities: readonly EntityRules[],
  base: Base,
  wanted: DocumentRows,
  isKept: (entity: string, agreed: EntityRow) => boolean = () => false,
): RowWrite[] {
  const writes: RowWrite[] = []
  const gone = new Map<string, string[]>()
  for (const { name: entity } of entities) {
    const agreed = base.get(entity) ?? new Map<string, EntityRow>()
    const rows = wanted[entity] ?? []
    let known = 0
    for (const row of rows) {
      const former = agreed.get(row.id)
      if (former) known += 1
      const write = former === row ? null : toWrite(document, entity, former, row)
      if (write) writes.push(write)
    }
    if (known === agreed.size) continue
    const wantedIds = new Set(rows.map(({ id }) => id))
    const lost = [...agreed.values()].filter((row) => !wantedIds.has(row.id) && !isKept(entity, row))
    gone.set(
      entity,
      lost.map(({ id }) => id),
    )
  }
  // What the document is about is never deleted.
  for (const { name: entity } of entities.slice(1).toReversed()) {
    for (const id of childrenFirst(entities, base, entity, gone.get(entity) ?? []))
      writes.push(withKey(document, { kind: 'delete', entity, id }))
  }
  return writes
}

/** What was found about two rows; both are never changed, so that it stays true while they are the same objects. */
const compared = new WeakMap<EntityRow, { former: EntityRow | undefined; document: string; write: RowWrite | null }>()

function toWrite(document: string, entity: string, former: EntityRow | undefined, row: EntityRow): RowWrite | null {
  const known = compared.get(row)
  if (known && known.former === former && known.document === document) return known.write
  const changed = former ? changedFields(former, row) : row
  const isEmpty = Object.keys(changed).length === 0
  const write = isEmpty
    ? null
    : withKey(document, { kind: former ? 'update' : 'insert', entity, id: row.id, row: { ...changed } })
  compared.set(row, { former, document, write })
  return write
}

/** Fields of `row` that differ from `agreed`. */
function changedFields(agreed: EntityRow, row: EntityRow): Record<string, unknown> {
  const former = agreed as unknown as Record<string, unknown>
  return Object.fromEntries(Object.entries(row).filter(([field, value]) => !isEqual(former[field], value)))
}

export function hasSameFields(agreed: EntityRow | undefined, row: EntityRow): boolean {
  return agreed === row || (agreed !== undefined && Object.keys(changedFields(agreed, row)).length === 0)
}

/** Equal as JSON: rows hold nothing else. Key order of objects does not count, and what is absent equals null. */
function isEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? null, b ?? null]
  if (left === right) return true
  // Most fields are plain, and most objects equal as they are; only the others are worth spelling out.
  if (typeof left !== 'object' || typeof right !== 'object') return false
  return deepEqual(left, right) || canonical(left) === canonical(right)
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

type Keyless = RowWrite extends infer Write ? (Write extends RowWrite ? Omit<Write, 'key'> : never) : never

function withKey(document: string, write: Keyless): RowWrite {
  const key = createHash('sha256')
    .update(canonical([document, write]))
    .digest('hex')
  return { ...write, key }
}
