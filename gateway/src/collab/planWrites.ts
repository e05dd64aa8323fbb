import { createHash } from 'node:crypto'

import type { IncidentRows } from '@watchroom/shared/collab'
import { deepEqual } from '@watchroom/shared/protocol'

import { ENTITIES, type Entity, type EntityRow, type RowWrite } from './incidentTables.ts'

/** Rows both sides last agreed on, by entity and id. */
export type Base = Map<Entity, Map<string, EntityRow>>

export function toBase(rows: IncidentRows): Base {
  const byId = <Row extends { id: string }>(list: readonly Row[]): Map<string, Row> =>
    new Map(list.map((row) => [row.id, row]))
  return new Map<Entity, Map<string, EntityRow>>([
    ['incidents', byId([rows.incident])],
    ['hypotheses', byId(rows.hypotheses)],
    ['evidences', byId(rows.evidences)],
    ['comments', byId(rows.comments)],
  ])
}

/**
 * Writes that make the backend's rows equal to `wanted`, in an order it accepts: parents before children, and what hangs on
 * a hypothesis is removed before it. Only fields that differ from what both sides agreed on are sent, so that fields which
 * others change meanwhile are left alone.
 *
 * @param isKept rows that are not wanted because the document cannot tell of them: they are left alone
 */
export function planWrites(
  document: string,
  base: Base,
  wanted: IncidentRows,
  isKept: (entity: Entity, id: string) => boolean = () => false,
): RowWrite[] {
  const target = {
    incidents: [wanted.incident],
    hypotheses: wanted.hypotheses,
    evidences: wanted.evidences,
    comments: wanted.comments,
  }
  const writes: RowWrite[] = []
  const gone = new Map<Entity, string[]>()
  for (const entity of ENTITIES) {
    const agreed = base.get(entity) ?? new Map<string, EntityRow>()
    let known = 0
    for (const row of target[entity]) {
      const former = agreed.get(row.id)
      if (former) known += 1
      const write = former === row ? null : toWrite(document, entity, former, row)
      if (write) writes.push(write)
    }
    if (known === agreed.size) continue
    const wantedIds = new Set(target[entity].map(({ id }) => id))
    gone.set(
      entity,
      [...agreed.keys()].filter((id) => !wantedIds.has(id) && !isKept(entity, id)),
    )
  }
  for (const entity of ['comments', 'evidences', 'hypotheses'] as const) {
    const ids = gone.get(entity) ?? []
    const ordered = entity === 'hypotheses' ? childrenFirst(ids, base) : ids
    for (const id of ordered) writes.push(withKey(document, { kind: 'delete', entity, id }))
  }
  return writes
}

/** What was found about two rows; both are never changed, so that it stays true while they are the same objects. */
const compared = new WeakMap<EntityRow, { former: EntityRow | undefined; document: string; write: RowWrite | null }>()

function toWrite(document: string, entity: Entity, former: EntityRow | undefined, row: EntityRow): RowWrite | null {
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

function childrenFirst(ids: readonly string[], base: Base): string[] {
  const depthOf = (id: string): number => {
    const seen = new Set<string>()
    let parent: string | null = id
    while (parent !== null && !seen.has(parent)) {
      seen.add(parent)
      const row: EntityRow | undefined = base.get('hypotheses')?.get(parent)
      parent = row && 'parent_id' in row ? row.parent_id : null
    }
    return seen.size
  }
  return ids.toSorted((a, b) => depthOf(b) - depthOf(a))
}

type Keyless = RowWrite extends infer Write ? (Write extends RowWrite ? Omit<Write, 'key'> : never) : never

function withKey(document: string, write: Keyless): RowWrite {
  const key = createHash('sha256')
    .update(canonical([document, write]))
    .digest('hex')
  return { ...write, key }
}
